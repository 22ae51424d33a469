import { expect, test } from 'vitest'
import { tomlOf } from './toml.ts'

test.each<[string, string, unknown]>([
  [
    'values',
    'a = 1\nb = "x\\n\\u0041"\nc = true\nd = 1.5\ne = \'\\raw\'',
    { a: 1, b: 'x\nA', c: true, d: 1.5, e: '\\raw' },
  ],
  ['tables', '[a]\nb = 1\n[a.c]\nd = 2\n["x.y"]\nz = 3', { a: { b: 1, c: { d: 2 } }, 'x.y': { z: 3 } }],
  ['lists of tables', '[[a]]\nb = 1\n[a.c]\nd = 2\n[[a]]\nb = 3', { a: [{ b: 1, c: { d: 2 } }, { b: 3 }] }],
  ['lists over lines', 'a = [\n  "b", # c\n  "d",\n]\ne = [[1], []]', { a: ['b', 'd'], e: [[1], []] }],
  ['inline tables', 'a = { b = 1, c.d = "e" }', { a: { b: 1, c: { d: 'e' } } }],
  ['keys with dots', 'a.b.c = 1', { a: { b: { c: 1 } } }],
  ['texts over lines', 'a = """\nb\n  c"""\nd = \'\'\'x"y\'\'\'', { a: 'b\n  c', d: 'x"y' }],
  ['dates', 'a = 1979-05-27T07:32:00Z', { a: '1979-05-27T07:32:00Z' }],
  ['comments', '# a\nb = 1 # c\n', { b: 1 }],
  ['nothing', '', {}],
])('%s', (_title, text, expected) => {
  expect(tomlOf(text)).toEqual(expected)
})

test.each([
  'a',
  'a =',
  'a = "b',
  '[a',
  'a = [1',
  'a = 1 2',
  'a = 1\na = 2',
  '[__proto__]\nb = 1',
  'a = {b = 1',
])('%s is no TOML', (text) => {
  expect(tomlOf(text)).toEqual({ unreadable: expect.stringContaining('no valid TOML') })
})
