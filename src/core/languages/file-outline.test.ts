import { describe, expect, test } from 'vitest'
import { outlineOf } from './file-outline.ts'

const names = (path: string, ...lines: string[]) => outlineOf(path, lines.join('\n')).holds

describe('the outline of a file lists its exports, headings and tests', () => {
  test.each([
    [
      'src/a.ts',
      [
        'export async function load() {}',
        'export class Cart {}',
        'const own = 1',
        'export type { A, b as c }',
      ],
      ['load', 'Cart', 'A', 'c'],
    ],
    ['a.cjs', ['module.exports = { one, two: three }', 'exports.four = 4'], ['one', 'three', 'four']],
    ['a.js', ['export default () => 1', 'export default class Shop {}'], ['default', 'Shop']],
    ['docs/a.md', ['# Shop', 'prose', '## Cart', '#### too deep'], ['Shop', 'Cart']],
    ['a.py', ['def add(a):', '  def own():', 'class Cart:'], ['add', 'Cart']],
    ['a.go', ['func (c *Cart) Add(x int) {', 'func own() {', 'type Cart struct {'], ['Add', 'Cart']],
    ['a.rs', ['pub fn add() {', 'fn own() {', '    pub(crate) struct Cart {'], ['add', 'Cart']],
    ['A.java', ['public final class Cart {', '  private int x;'], ['Cart']],
    ['a.rb', ['class Cart', '  def add', '      def deep'], ['Cart', 'add']],
    ['a.php', ['class Cart {', '  public function add() {'], ['Cart', 'add']],
    ['a.h', ['int shop_add(int a);', '#define X 1'], ['shop_add']],
    ['run.sh', ['build() {', 'echo hi'], ['build']],
    ['a.sql', ['CREATE TABLE IF NOT EXISTS carts (', 'select 1'], ['carts']],
    ['a.yaml', ['jobs:', '  build:'], ['jobs']],
    ['a.toml', ['[tool.ruff]', 'x = 1'], ['tool.ruff']],
    ['a.json', ['{', '  "name": "shop",', '      "deep": 1'], ['name']],
    ['test/a.test.js', ["describe('a cart', () => {", "  test('adds up', () => {})"], ['a cart', 'adds up']],
    ['logo.svg', ['<svg/>'], []],
    ['Makefile', ['all:'], []],
  ])('%s', (path, lines, expected) => {
    expect(names(path, ...lines)).toEqual(expected)
  })
})

describe('the outline of a file is short', () => {
  test('and counts the names beyond the twelfth', () => {
    const lines = Array.from({ length: 30 }, (_, at) => `export const n${at} = ${at}`)
    const { holds, more } = outlineOf('a.ts', lines.join('\n'))
    expect([holds.length, more]).toEqual([12, 18])
  })

  test('and cuts long names, skips long lines and lists a name once', () => {
    expect(names('a.md', `# ${'x'.repeat(300)}`)[0]?.length).toBe(61)
    expect(names('a.md', `# ${'x'.repeat(500)}`)).toEqual([])
    expect(names('a.md', '# Shop', '## Shop')).toEqual(['Shop'])
  })

  test('and reads only the beginning of a huge file', () => {
    const far = `${'\n'.repeat(200_000)}export const far = 1`
    expect(names('a.ts', 'export const near = 1', far)).toEqual(['near'])
  })
})
