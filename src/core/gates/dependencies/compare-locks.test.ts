import { expect, test } from 'vitest'
import { tomlOf } from './compare-locks.ts'

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
  ['dates', 'a = 1979-05-27T07:32:00Z', { a: '1979-05-27T07:32:00.000Z' }],
  ['local dates', 'a = 1979-05-27', { a: '1979-05-27' }],
  ['large integers', 'a = 9007199254740993', { a: '9007199254740993' }],
  ['Windows lines and a byte order mark', '\ufeffa = 1\r\nb = 2\r\n', { a: 1, b: 2 }],
  [
    'a package called constructor',
    '[dependencies]\nconstructor = "1"',
    { dependencies: { constructor: '1' } },
  ],
  ['comments', '# a\nb = 1 # c\n', { b: 1 }],
  ['nothing', '', {}],
])('%s', (_title, text, expected) => {
  expect(tomlOf(text)).toEqual(expected)
})

test.each([
  ['a', 1],
  ['a =', 1],
  ['b = 1\na = "b', 2],
  ['[a', 1],
  ['a = [1', 1],
  ['a = 1 2', 1],
  ['a = 1\na = 2', 2],
  ['a = 1\n[b]\n[b]', 3],
  ['a = {b = 1', 1],
  [`\na = ${'['.repeat(51)}${']'.repeat(51)}`, 2],
])('%j is not TOML, and the line is named', (text, line) => {
  expect(tomlOf(text)).toEqual({ unreadable: `line ${line} is not valid TOML` })
})

test('a key with a hundred thousand dots is refused', () => {
  expect(tomlOf(`${'a.'.repeat(100_000)}b = 1`)).toEqual({ unreadable: 'it is not valid TOML' })
})

test('a table called __proto__ changes no prototype', () => {
  expect(Object.keys(tomlOf('[__proto__]\nb = 1\n[c]\nd = 1'))).toEqual(['__proto__', 'c'])
  expect(({} as Record<string, unknown>)['b']).toBeUndefined()
})
