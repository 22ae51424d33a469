import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCode } from './code-lines.ts'
import { FAMILIES, type Family } from './families.ts'

const codes = (family: Family, ...lines: readonly string[]) => readCode(lines, family).map(({ code }) => code)
const one = (family: Family, line: string) => readCode([line], family)[0]

describe('code, text and comment', () => {
  test.each<[Family, string, string]>([
    ['c', 'g(R"x(a ) " b)x", 1\'000)', 'g(")x", 1\'000)'],
    ['java', 'f("""x"""); // y', 'f(""""""); '],
    ['config', 'run: npm test # x', 'run: npm test '],
    ['json', '{ "a": "b" } // c', '{ "": "" } '],
  ])('%s: %s', (family, line, code) => {
    expect(one(family, line)?.code).toBe(code)
  })

  test('strings on one line are kept in the text', () => {
    expect(one('java', 'f("CI") // x')?.text).toBe('f("CI") ')
  })

  test('comments are returned without their marks', () => {
    expect(one('java', 'a() // NOLINT')?.comment).toBe(' NOLINT')
    expect(one('c', '/* NOLINT */ a()')?.comment).toBe(' NOLINT ')
    expect(one('config', 'a  # noqa')?.comment).toBe(' noqa')
  })
})

describe('multi-line constructs', () => {
  test.each<[Family, readonly string[], readonly string[]]>([
    ['java', ['/* a', 'skip()', '*/ b'], ['', '', ' b']],
    ['c', ['x = R"(', 'exit(0)', ')";'], ['x = "', '', ')";']],
  ])('%s: %j', (family, lines, expected) => {
    expect(codes(family, ...lines)).toEqual(expected)
  })
})

test('no text makes it fail, and every line comes back as it was', () => {
  const text = fc.array(fc.string({ unit: fc.constantFrom(...'ab`"\'/*#\\${}()[]r!R '.split('')) }))
  fc.assert(
    fc.property(fc.constantFrom(...FAMILIES), text, (family, lines) => {
      const read = readCode(lines, family)
      expect(read.map(({ raw }) => raw)).toEqual(lines)
      for (const { text: kept, raw } of read) expect(kept.length).toBeLessThanOrEqual(raw.length + 1)
    }),
  )
})
