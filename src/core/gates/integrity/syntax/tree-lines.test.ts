import { expect, test } from 'vitest'
import { loadTestParser } from '../../../../../test/helpers/test-parser.ts'
import { FactReader } from './facts.ts'
import { NODE_KINDS } from './node-kinds.ts'
import { linesOfTree } from './tree-lines.ts'

const PARSER = await loadTestParser()
const FAMILY = { js: 'js', py: 'python', go: 'go', rs: 'rust', rb: 'ruby', sh: 'shell' } as const

function read(ending: keyof typeof FAMILY, ...lines: readonly string[]) {
  const kinds = NODE_KINDS[FAMILY[ending]]
  if (kinds === undefined) throw new Error(`no kinds for ${ending}`)
  return linesOfTree(lines, new FactReader(PARSER.tree(`a.${ending}`, lines.join('\n')), kinds))
}

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
  expect(read(ending, ...lines).map(({ code }) => code)).toEqual(expected)
})

test('a line keeps the text between quotes and loses its comments', () => {
  expect(read('js', "process.env['CI'] // x")[0]?.text).toBe("process.env['CI'] ")
})

test('comments lose their marks', () => {
  expect(read('js', 'a() // eslint-disable-line')[0]?.comment).toBe(' eslint-disable-line')
  expect(read('js', '/* eslint-disable */ a()')[0]?.comment).toBe(' eslint-disable ')
  expect(read('py', 'a()  # noqa')[0]?.comment).toBe(' noqa')
})
