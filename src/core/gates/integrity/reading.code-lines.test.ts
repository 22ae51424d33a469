import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadTestParser } from '../../../../test/helpers/test-parser.ts'
import { LANGUAGES, type Family } from '../../languages/languages.ts'
import { codeLines, factReader } from './reading.ts'

const PARSER = await loadTestParser()
const FAMILY = { js: 'js', py: 'python', go: 'go', rs: 'rust', rb: 'ruby', sh: 'shell' } as const
const FAMILIES = [...new Set(LANGUAGES.flatMap(({ family }) => family ?? []))]

function ofTree(ending: keyof typeof FAMILY, ...lines: readonly string[]) {
  const family = FAMILY[ending]
  return codeLines(lines, family, factReader(family, PARSER.tree(`a.${ending}`, lines.join('\n'))))
}

describe('with a tree', () => {
  test.each<[keyof typeof FAMILY, readonly string[], readonly string[]]>([
    ['js', ["a('it.skip') // it.only"], ['a() ']],
    ['js', ['a("x\\"y") + b'], ['a() + b']],
    ['js', ['const r = /[\'"`]/.test(b)'], ['const r = .test(b)']],
    ['js', ['if (q) /`/.test(q)', 'it.skip()'], ['if (q) .test(q)', 'it.skip()']],
    ['js', ['a / b / c'], ['a / b / c']],
    ['js', ['f(`x ${y + `z ${w}`} x`)'], ['f(${y + ${w}})']],
    ['js', ['a /* x */ + b'], ['a  + b']],
    ['js', ['/* a', 'it.skip()', '*/ b'], ['', '', ' b']],
    ['js', ['x = `', 'it.skip()', '`; b'], ['x = ', '', '; b']],
    ['py', ["assert x == 'y' # noqa"], ['assert x ==  ']],
    ['py', ['"""doc', 'pytest.skip()', '"""', 'b'], ['', '', '', 'b']],
    ['go', ['var x = f(`x`, "y", \'"\') // z'], ['var x = f(, , ) ']],
    ['go', ['var x = `', 't.Skip()', '`'], ['var x = ', '', '']],
    ['rs', ["fn f<'a>(x: &'a str) { g(\"x\", 'y') }"], ["fn f<'a>(x: &'a str) { g(, ) }"]],
    ['rs', ['fn f() { g(r#"a " b"#, c) }'], ['fn f() { g(, c) }']],
    ['rb', ['x = <<~A', "  it's", 'A', 'skip'], ['x = <<~A', '', '', 'skip']],
    ['sh', ['echo "$#" a#b # c'], ['echo $# a#b ']],
    ['sh', ['cat <<A', 'skip', 'A', 'skip'], ['cat <<A', '', 'A', 'skip']],
  ])('%s: the code of %j is %j', (ending, lines, expected) => {
    expect(ofTree(ending, ...lines).map(({ code }) => code)).toEqual(expected)
  })

  test('a line keeps the text between quotes and loses its comments', () => {
    expect(ofTree('js', "process.env['CI'] // x")[0]?.text).toBe("process.env['CI'] ")
  })

  test('comments lose their marks', () => {
    expect(ofTree('js', 'a() // eslint-disable-line')[0]?.comment).toBe(' eslint-disable-line')
    expect(ofTree('js', '/* eslint-disable */ a()')[0]?.comment).toBe(' eslint-disable ')
    expect(ofTree('py', 'a()  # noqa')[0]?.comment).toBe(' noqa')
  })
})

describe('without a tree', () => {
  const read = (family: Family, ...lines: readonly string[]) => codeLines(lines, family, null)

  test.each<[Family, readonly string[], readonly string[]]>([
    ['c', ['g(R"x(a ) " b)x", 1\'000, \'"\')'], ["g(, 1'000, )"]],
    ['c', ['x = R"(', 'exit(0)', ')"; y'], ['x = ', '', '; y']],
    ['java', ['f("""x"""); // y'], ['f(); ']],
    ['java', ['f("a\\"b", "c'], ['f(, ']],
    ['java', ['x = """', 'skip()', '"""; y'], ['x = ', '', '; y']],
    ['java', ['/* a', 'skip()', '*/ b'], ['', '', ' b']],
    ['config', ['run: npm test # x'], ['run: npm test ']],
    ['config', ['url: a#b'], ['url: a#b']],
    ['json', ['{ "a": "b" } // c'], ['{ :  } ']],
  ])('%s: the code of %j is %j', (family, lines, expected) => {
    expect(read(family, ...lines).map(({ code }) => code)).toEqual(expected)
  })

  test('strings on one line are kept in the text, those on several are not', () => {
    expect(read('java', 'f("CI") // x')[0]?.text).toBe('f("CI") ')
    expect(read('java', 'f("""', 'CI', '""")').map(({ text }) => text)).toEqual(['f(', '', ')'])
  })

  test('comments lose their marks', () => {
    expect(read('java', 'a() // NOLINT')[0]?.comment).toBe(' NOLINT')
    expect(read('c', '/* NOLINT */ a()')[0]?.comment).toBe(' NOLINT ')
    expect(read('config', 'a  # noqa')[0]?.comment).toBe(' noqa')
  })

  test('no text makes it fail, and every line comes back as it was', () => {
    const text = fc.array(fc.string({ unit: fc.constantFrom(...'ab`"\'/*#\\${}()[]r!R '.split('')) }))
    fc.assert(
      fc.property(fc.constantFrom(...FAMILIES), text, (family, lines) => {
        const found = read(family, ...lines)
        expect(found.map(({ raw }) => raw)).toEqual(lines)
        for (const { text: kept, raw } of found) expect(kept.length).toBeLessThanOrEqual(raw.length)
      }),
    )
  })
})
