import { describe, expect, test } from 'vitest'
import { parseYamlText } from '../../../lib/files/yaml-text.ts'
import { compareApis } from './compare.ts'
import { looksLikeOpenApi, readOpenApi } from './read-api.ts'

const BASE = `openapi: 3.1.0
paths:
  /todos/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: string } }
    get:
      parameters:
        - { name: limit, in: query, schema: { type: integer } }
      responses:
        "200":
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Todo" }
        "404": { description: none }
    put:
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [title]
              properties: { title: { type: string }, done: { type: boolean } }
      responses: { "204": { description: ok } }
components:
  schemas:
    Todo:
      type: object
      required: [title]
      properties:
        title: { type: string }
        state: { type: string, enum: [open, done] }
        tags: { type: array, items: { type: string } }
        next: { $ref: "#/components/schemas/Todo" }
`
const read = (text: string) => readOpenApi(parseYamlText(text))
const changes = (from: string, to: string): string[] => {
  const [old, now] = [BASE, BASE.replace(from, to)].map((text) =>
    read(text).symbols.map((one) => ({ ...one, unit: '', file: 'api.yaml' })),
  )
  expect(BASE.includes(from)).toBe(true)
  return compareApis(old ?? [], now ?? [])
    .filter(({ kind }) => kind !== 'added')
    .map(({ name, why }) => `${name} ${why}`)
}

test('each method is read with what it takes and answers, at its line', () => {
  const { symbols, doubts } = read(BASE)
  expect(doubts).toEqual([])
  expect(symbols.slice(0, 6).map(({ name, line }) => `${name} ${line}`)).toEqual([
    'GET /todos/{} 6',
    'GET /todos/{}.200 10',
    'GET /todos/{}.200 application/json 10',
    'GET /todos/{}.200 application/json.title 10',
    'GET /todos/{}.200 application/json.state 10',
    'GET /todos/{}.200 application/json.tags[] 10',
  ])
})

describe('incompatible changes', () => {
  test.each<[string, string, string, string[]]>([
    ['a method that was removed', '    get:\n', '    x-get:\n', ['GET /todos/{} was removed']],
    ['a path with another name of its part', '/todos/{id}:', '/todos/{key}:', []],
    [
      'another path',
      '/todos/{id}:',
      '/items/{id}:',
      ['GET /todos/{} was removed', 'PUT /todos/{} was removed'],
    ],
    [
      'a parameter that is needed now',
      '{ name: limit, in: query,',
      '{ name: limit, in: query, required: true,',
      ['GET /todos/{} query limit is no longer optional'],
    ],
    [
      'a parameter that was removed',
      '        - { name: limit, in: query, schema: { type: integer } }',
      '        []',
      ['GET /todos/{} no longer takes query limit'],
    ],
    [
      'another type of a parameter',
      '{ type: integer }',
      '{ type: string }',
      ['GET /todos/{} query limit is string instead of integer'],
    ],
    [
      'a field that is needed now',
      'required: [title]\n              properties',
      'required: [title, done]\n              properties',
      ['PUT /todos/{} body application/json done is no longer optional'],
    ],
    [
      'a field that is taken besides',
      'done: { type: boolean } }',
      'done: { type: boolean }, due: { type: string } }',
      [],
    ],
    [
      'an answer that was removed',
      '        "404": { description: none }\n',
      '',
      ['GET /todos/{}.404 was removed'],
    ],
    [
      'a new answer',
      '"404": { description: none }',
      '"404": { description: none }\n        "410": { description: gone }',
      [],
    ],
    [
      'a field of an answer that was removed',
      '        title: { type: string }\n        state',
      '        state',
      [
        'GET /todos/{}.200 application/json.title was removed',
        'GET /todos/{}.200 application/json.next.title was removed',
      ],
    ],
    [
      'a field of an answer that is new',
      '        next: {',
      '        more: { type: string }\n        next: {',
      [],
    ],
  ])('%s', (_title, from, to, expected) => {
    const found = changes(from, to)
    expect(found.filter((line) => !line.includes('.next.next'))).toEqual(expected)
  })
})

test('unreadable documents are reported', () => {
  expect(read('openapi: 3.0.0\npaths: [').doubts).toHaveLength(1)
  const elsewhere = BASE.replace(
    '"#/components/schemas/Todo" }\n        "404"',
    '"other.yaml#/Todo" }\n        "404"',
  )
  expect(read(elsewhere).doubts).toEqual(['it refers to other.yaml#/Todo, which is not read'])
})

test('other documents are none', () => {
  expect(read('a: 1').symbols).toEqual([])
  expect([
    looksLikeOpenApi(BASE),
    looksLikeOpenApi('{"swagger": "2.0"}'),
    looksLikeOpenApi('name: openapi'),
  ]).toEqual([true, true, false])
})
