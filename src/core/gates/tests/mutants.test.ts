import { describe, expect, test } from 'vitest'
import { aChange } from '../../../../test/helpers/a-change.ts'
import { loadTestParser } from '../../../../test/helpers/test-parser.ts'
import { judgeMutants, mutantsOf } from './mutants.ts'

const PARSER = await loadTestParser()

/** The file with the first fault in it; null where there is no place for one. */
function mutated(path: string, text: string): string | null {
  const change = aChange({ [path]: [null, text] })
  const [mutant] = mutantsOf(change, PARSER.ofChange(change), 12)
  if (mutant === undefined) return null
  const { start, from, to } = mutant
  expect(text.slice(start, start + from.length)).toBe(from)
  return `${text.slice(0, start)}${to}${text.slice(start + from.length)}`
}

describe('a fault in a line', () => {
  test.each([
    ['a.ts', 'if (a === b) {}', 'if (a !== b) {}'],
    ['a.ts', "if (name==='x') {}", "if (name!=='x') {}"],
    ['a.ts', '  const sum = a + b', '  const sum = a - b'],
    ['a.js', 'function f() { return total }', 'function f() { return undefined }'],
    ['a.js', 'function f() { return {\n a } }', 'function f() { return undefined }'],
    ['a.ts', "export const f = (text) => text.replace('a', 'b')", 'export const f = (text) => undefined'],
    ['a.ts', '  cart.clear()', '  undefined'],
    ['a.ts', 'await cart.clear(f(a))', 'undefined'],
    ['a.ts', 'const limit = 7', 'const limit = 17'],
    ['a.ts', 'const limit: 5 = 7 as 5', 'const limit: 5 = 17 as 5'],
    ['a.ts', 'const t = `a && ${b || c}`', 'const t = `a && ${b && c}`'],
    ['a.py', 'def f():\n    return price * count', 'def f():\n    return price / count'],
    ['a.py', 'if a and b:\n    pass', 'if a or b:\n    pass'],
    ['a.c', 'int f() { return ok && ready; }', 'int f() { return ok || ready; }'],
    [
      'a.cpp',
      'void f() {\n  for (int i = 0; i < n; i++) {}\n}',
      'void f() {\n  for (int i = 0; i >= n; i++) {}\n}',
    ],
    ['a.go', 'package a\nvar b = c == d', 'package a\nvar b = c != d'],
    ['a.rs', 'fn f() -> bool { a < b }', 'fn f() -> bool { a >= b }'],
    ['A.java', 'class A { boolean f() { return a || b; } }', 'class A { boolean f() { return a && b; } }'],
    ['A.kt', 'fun f() = a && b', 'fun f() = a || b'],
    ['A.swift', 'let limit = 7', 'let limit = 17'],
  ])('of %s: %s becomes %s', (path, from, to) => {
    expect(mutated(path, from)).toBe(to)
  })

  test.each([
    ['a.ts', ''],
    ['a.ts', '// a === b'],
    ['a.ts', '/* a\n && b */'],
    ['a.ts', "import { a } from 'b'"],
    ['a.ts', "const name = 'true'"],
    ['a.ts', "const list = ['a && b']"],
    ['a.ts', 'const text = `a && b\n  c === 1`'],
    ['a.ts', 'const p = /a && b === 1/'],
    ['a.ts', 'interface A {\n  readonly size: 3 | true\n}'],
    ['a.ts', 'type A = B extends true ? 1 : 2'],
    ['a.ts', 'let a: Map<string, 3>'],
    ['a.ts', 'declare function f(a: 1): true'],
    ['a.py', '"""a and b == 1"""'],
    ['a.py', 'from a import b'],
    ['a.rs', '#[cfg(a = "1")]\nstruct A {}'],
    ['a.c', '#include "a.h"'],
    ['a.c', '#define A (b && 1)'],
    ['A.kt', '// a && b'],
    ['A.kt', 'val name = "a && b"'],
  ])('is not put into %s: %s', (path, text) => {
    expect(mutated(path, text)).toBeNull()
  })
})

test('faults are put into changed lines of sources alone, spread over the change', () => {
  const lines = Array.from({ length: 40 }, (_, at) => `const x${at} = ${at}`).join('\n')
  const change = aChange({
    'src/a.ts': ['const kept = 1\n', `const kept = 1\n${lines}\n`],
    'src/a.test.ts': [null, 'const a = 1\n'],
    'README.md': [null, 'a && b\n'],
  })
  const found = mutantsOf(change, PARSER.ofChange(change), 4)
  expect(found.map(({ path, line }) => `${path}:${line}`)).toEqual([
    'src/a.ts:2',
    'src/a.ts:12',
    'src/a.ts:22',
    'src/a.ts:32',
  ])
})

describe('tests', () => {
  const mutant = { path: 'a.ts', line: 1, start: 0, from: 'a()', to: '', what: 'a call left out' }
  const seen = (...noticed: readonly boolean[]) => noticed.map((isDetected) => ({ mutant, isDetected }))

  test('that notice at least half of the faults are enough', () => {
    expect(judgeMutants(seen(true, false))).toMatchObject({ isEnough: true, survivors: [mutant] })
    expect(judgeMutants(seen(true, false, false)).isEnough).toBe(false)
  })

  test('that notice none of the faults are not enough, however few were tried', () => {
    for (const noticed of [[false], [false, false]]) {
      expect(judgeMutants(seen(...noticed)).isEnough).toBe(false)
    }
    expect(judgeMutants(seen(true)).isEnough).toBe(true)
  })

  test('are not judged where no fault was tried', () => {
    expect(judgeMutants([]).isEnough).toBe(true)
    expect(judgeMutants([]).summary).toBe('the tests detected 0 of 0 mutants')
  })
})
