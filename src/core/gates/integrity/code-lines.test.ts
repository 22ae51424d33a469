import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCode } from './code-lines.ts'
import { FAMILIES, type Family } from './families.ts'

const codes = (family: Family, ...lines: readonly string[]) => readCode(lines, family).map(({ code }) => code)
const one = (family: Family, line: string) => readCode([line], family)[0]

describe('code, text and comment', () => {
  test.each<[Family, string, string]>([
    ['js', "a('it.skip') // it.only", "a('') "],
    ['js', 'a("x\\"y") + b', 'a("") + b'],
    ['js', 'const r = /[\'"`]/.test(b)', 'const r = //.test(b)'],
    ['js', 'return /[/]"/g.source', 'return //g.source'],
    ['js', 'a / b / c', 'a / b / c'],
    ['js', 'f(`x ${y + `z ${w}`} x`)', 'f(`${y + `${w}`}`)'],
    ['js', 'a /* x */ + b', 'a  + b'],
    ['python', "assert x == 'y' # noqa", "assert x == '' "],
    ['python', 'a("""x""") + b', 'a("""""") + b'],
    ['go', 'f(`x`, "y", \'"\') // z', 'f(``, "", \'\') '],
    ['rust', "fn f<'a>(x: &'a str) { g(\"x\", 'y') }", "fn f<'a>(x: &'a str) { g(\"\", '') }"],
    ['rust', 'g(r#"a " b"#, c)', 'g(""#, c)'],
    ['c', 'g(R"x(a ) " b)x", 1\'000)', 'g(")x", 1\'000)'],
    ['java', 'f("""x"""); // y', 'f(""""""); '],
    ['shell', 'echo "$#" a#b # c', 'echo "" a#b '],
    ['config', 'run: npm test # x', 'run: npm test '],
    ['json', '{ "a": "b" } // c', '{ "": "" } '],
  ])('%s: %s', (family, line, code) => {
    expect(one(family, line)?.code).toBe(code)
  })

  test('what is in quotes on one line is kept in its text', () => {
    expect(one('js', "process.env['CI'] // x")?.text).toBe("process.env['CI'] ")
  })

  test('comments are told without their marks', () => {
    expect(one('js', 'a() // eslint-disable-line')?.comment).toBe(' eslint-disable-line')
    expect(one('js', '/* eslint-disable */ a()')?.comment).toBe(' eslint-disable ')
    expect(one('python', 'a()  # noqa')?.comment).toBe(' noqa')
  })
})

describe('what goes over several lines', () => {
  test.each<[Family, readonly string[], readonly string[]]>([
    ['js', ['/* a', 'it.skip()', '*/ b'], ['', '', ' b']],
    ['js', ['x = `', 'it.skip()', '`; b'], ['x = `', '', '`; b']],
    ['js', ['x = /`/', 'it.skip()'], ['x = //', 'it.skip()']],
    ['js', ["x = 'open", 'it.skip()'], ["x = ''", 'it.skip()']],
    ['python', ['"""doc', 'pytest.skip()', '"""', 'b'], ['"""', '', '"""', 'b']],
    ['go', ['x := `', 't.Skip()', '`'], ['x := `', '', '`']],
    ['rust', ['let x = "', '#[ignore]', '";'], ['let x = "', '', '";']],
    ['c', ['x = R"(', 'exit(0)', ')";'], ['x = "', '', ')";']],
  ])('%s: %j', (family, lines, expected) => {
    expect(codes(family, ...lines)).toEqual(expected)
  })
})

test('how deep a line stands is told by its code alone', () => {
  const lines = readCode(["f('{', () => {", '  g(`${h({ a })}`)', '})', 'x'], 'js')
  expect(lines.map(({ depth }) => depth)).toEqual([0, 2, 2, 0])
})

test('no text makes it fail, and every line comes back as it was', () => {
  const text = fc.array(fc.string({ unit: fc.constantFrom(...'ab`"\'/*#\\${}()[]r!R '.split('')) }))
  fc.assert(
    fc.property(fc.constantFrom(...FAMILIES), text, (family, lines) => {
      const read = readCode(lines, family)
      expect(read.map(({ raw }) => raw)).toEqual(lines)
      for (const { text: kept, raw, depth } of read) {
        expect(kept.length).toBeLessThanOrEqual(raw.length + 1)
        expect(depth).toBeGreaterThanOrEqual(0)
      }
    }),
  )
})
