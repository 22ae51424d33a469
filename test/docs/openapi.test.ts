import { expect, test } from 'vitest'
import { openapiDocument, type Operation } from '../../scripts/openapi-document.ts'
import { jsonSchema, openapiStructure, schemaIn } from '../helpers/openapi-structure.ts'
import { ROUTES } from '../../src/protocol/routes.ts'

const document = openapiDocument('1.2.3')
const operations: readonly (readonly [string, Operation])[] = Object.entries(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
)

test('OpenAPI describes every route of the table', () => {
  expect(document.openapi).toBe('3.1.0')
  expect(operations.map(([name]) => name).toSorted()).toEqual(Object.keys(ROUTES).toSorted())
})

test('OpenAPI has only what version 3.1 knows, each where it belongs', () => {
  expect(openapiStructure.safeParse(document).error?.issues ?? []).toEqual([])
})

test.each([
  ['a misspelt keyword', { type: 'string', maxlength: 3 }],
  ['nullable, which 3.1 no longer has', { type: 'string', nullable: true }],
  ['an unknown type', { type: 'text' }],
  ['a reference to nothing of this document', { $ref: '#/$defs/Plan' }],
  ['a pattern that is none', { type: 'string', pattern: '(' }],
  ['a wrong schema further in', { properties: { a: { items: { minimum: 'one' } } } }],
])('%s is found in a schema', (_, schema) => {
  expect(jsonSchema.safeParse(schema).success).toBe(false)
})

test('every schema of OpenAPI can be used to check values, and refuses some', () => {
  const unusable = Object.entries(document.components.schemas).filter(([name, schema]) => {
    const isAny = name === 'Json'
    return schemaIn(document, schema).safeParse(undefined).success || (!isAny && schemaIn(document, schema).safeParse(Number.NaN).success)
  })
  expect(unusable.map(([name]) => name)).toEqual([])
})

test('every operation names a way to sign in that OpenAPI describes, or that none is needed', () => {
  const known = Object.keys(document.components['securitySchemes'] as object)
  for (const [name, { security }] of operations) {
    const asked = (security as readonly object[]).flatMap((one) => Object.keys(one))
    expect(asked.filter((one) => !known.includes(one)), name).toEqual([])
    if (asked.length === 0) expect(name).toMatch(/^(POST \/api\/session|GET \/(openapi.json)?)$/)
  }
})

test('every reference within OpenAPI leads to something', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(([, to = '']) => to)
  const known = new Set(
    ['schemas', 'responses'].flatMap((kind) =>
      Object.keys(document.components[kind] as object).map((name) => `#/components/${kind}/${name}`),
    ),
  )
  expect(references.length).toBeGreaterThan(100)
  expect(references.filter((to) => !known.has(to))).toEqual([])
})

test('every operation of OpenAPI has an id of its own', () => {
  const ids = operations.map(([, { operationId }]) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([])
})

test('every segment of a path is a parameter that OpenAPI declares, once', () => {
  for (const [name, { parameters }] of operations) {
    const segments = [...name.matchAll(/\{(\w+)\}/g)].map(([, segment]) => segment)
    const declared = parameters.filter(({ in: where }) => where === 'path').map((one) => one.name)
    expect(declared, name).toEqual(segments)
    const all = parameters.map((one) => `${one.in} ${one.name}`)
    expect(new Set(all).size, name).toBe(all.length)
  }
})

test('a document that several routes answer with is one component of OpenAPI', () => {
  const answer = { $ref: '#/components/schemas/SteeredPlan' }
  for (const what of ['pause', 'resume', 'cancel']) {
    expect(document.paths[`/api/plans/{id}/${what}`]?.['post']).toMatchObject({
      requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/SteerRequest' } } } },
      responses: { '200': { content: { 'application/json': { schema: answer } } } },
    })
  }
})
