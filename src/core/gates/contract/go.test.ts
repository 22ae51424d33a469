import { describe, expect, test } from 'vitest'
import { compareApis } from './compare.ts'
import { loadTestParser } from '../../../../test/helpers/test-parser.ts'
import { readGo } from './go.ts'

const parser = await loadTestParser('go')

const go = (text: string) => readGo(parser.tree('a.go', `package shop\n\n${text}\n`)).symbols

describe('exported names of a package are read', () => {
  test.each<[string, string, string[]]>([
    [
      'a function',
      'func Open(name string, size, depth int) (*Shop, error) {\n}\nfunc hidden() {}',
      ['Open(name string, size int, depth int) (*Shop, error)'],
    ],
    [
      'no result',
      'func A() {}\nfunc B(f func(int) error, m map[string][]int) {}',
      ['A()', 'B(f func(int) error, m map[string][]int)'],
    ],
    ['named results', 'func A() (n int, err error) { return }', ['A() (int, error)']],
    ['any number', 'func A(b string, c ...Option) string { return "" }', ['A(b string, c ...Option) string']],
    ['types alone', 'func A(string, pkg.Type, []int)', ['A(string, pkg.Type, []int)']],
    [
      'generics',
      'func Map[T, U any](in []T, f func(T) U) []U { return nil }',
      ['Map[T any, U any](in []T, f func(T) U) []U'],
    ],
    [
      'methods of what is exported',
      'func (s *Shop) Close() error {}\nfunc (Shop) Name() string {}\nfunc (h hidden) X() {}\nfunc (l *List[T]) Push(x T) {}',
      ['*Shop.Close() error', 'Shop.Name() string', '*List.Push(x T)'],
    ],
    [
      'a result that is a structure',
      'func A() struct{ B int } {\n}\nfunc C() interface{} { return nil }',
      ['A() struct {B int}', 'C() interface {}'],
    ],
    [
      'a structure',
      'type Shop struct {\n\tName, Town string `json:"name"`\n\tsize int\n\t*Base\n\tio.Reader\n\tF func(a int) error\n}',
      [
        'type Shop struct',
        'Shop.Name string',
        'Shop.Town string',
        'Shop.Base *Base',
        'Shop.Reader io.Reader',
        'Shop.F func(a int) error',
      ],
    ],
    [
      'an interface',
      'type Store interface {\n\tGet(key string) ([]byte, error)\n\tio.Closer\n\t~int | ~string\n}',
      [
        'type Store interface',
        'Store.Get(key string) ([]byte, error)',
        'Store io.Closer',
        'Store ~int | ~string',
      ],
    ],
    [
      'other types',
      'type (\n\tID string\n\tFn func(int) error\n\tAlias = pkg.Other\n\tList[T any] []T\n\tGrid [3]int\n)',
      [
        'type ID string',
        'type Fn func(int) error',
        'type Alias = pkg.Other',
        'type List[T any] []T',
        'type Grid [3]int',
      ],
    ],
    [
      'constants',
      'const (\n\tA Kind = iota // first\n\tB\n\tc\n)\nconst D, E = 1, "x"',
      ['const A Kind', 'const B', 'const D', 'const E'],
    ],
    [
      'variables',
      'var ErrGone = errors.New("gone")\nvar A, B map[string]int\nvar (\n\tC = func() int {\n\t\treturn 1\n\t}()\n\tD int\n)',
      ['var ErrGone', 'var A map[string]int', 'var B map[string]int', 'var C', 'var D int'],
    ],
    ['no comment, no text', '// func A() {}\n/* func B() {} */\nvar x = `\nfunc C() {}\n`', []],
  ])('%s', (_title, text, expected) => {
    expect(go(text).map(({ signature }) => signature)).toEqual(expected)
  })

  test('package main has no public names', () => {
    expect(readGo(parser.tree('a.go', 'package main\nfunc A() {}')).symbols).toEqual([])
  })
})

describe('incompatible changes', () => {
  const breaks = (before: string, after: string): string[] => {
    const [old, now] = [before, after].map((text) =>
      go(text).map((one) => ({ ...one, unit: '', file: 'a.go' })),
    )
    return compareApis(old ?? [], now ?? [])
      .filter(({ kind }) => kind !== 'added')
      .map(({ name, why }) => `${name} ${why}`)
  }
  test.each<[string, string, string[]]>([
    ['func A(b int) {}', 'func A(b, c int) {}', ['A needs the new parameter c']],
    ['func A(b int) {}', 'func A(b int, c ...Option) {}', []],
    ['func A() error', 'func A() (int, error)', ['A it returns (int, error) instead of error']],
    ['func (s Shop) A() {}', 'func (s *Shop) A() {}', ['Shop.A is pointer now']],
    ['type A struct { B int }', 'type A struct { B int; C int }', []],
    ['type A struct { B, C int }', 'type A struct { B int }', ['A.C was removed']],
    ['const A = 1', 'const a = 1', ['A was removed']],
    ['type A struct {}', 'type A interface {}', ['A its type is interface instead of struct']],
  ])('%s → %s', (before, after, expected) => {
    expect(breaks(before, after)).toEqual(expected)
  })
})
