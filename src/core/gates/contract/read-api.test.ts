import { describe, expect, test } from 'vitest'
import { loadTestParser } from '../../../../test/helpers/test-parser.ts'
import { parseYamlText } from '../../../lib/files/yaml-text.ts'
import { offeredNames, readApi } from './read-api.ts'

const parser = await loadTestParser('ts', 'tsx', 'py', 'go', 'rs', 'hpp')

function read(path: string, text: string) {
  const api = readApi({ path, text }, { parsed: parser.parsed, parseDocument: parseYamlText })
  if (api === null) throw new Error(`${path} is not parsed`)
  return api
}
const names = (path: string, text: string): string =>
  read(path, text)
    .symbols.map(({ name }) => name)
    .join(', ')
const signatures = (path: string, text: string): readonly string[] =>
  read(path, text).symbols.map(({ signature }) => signature)

test.each([
  [
    'src/a.ts',
    'a signature over several lines, with comments',
    'export function a(\n  // one\n  b: string, /* two, */\n  c?: { d: number\n    e: string },\n): Promise<\n  void\n> {\n}',
    'a',
  ],
  [
    'src/a.ts',
    'overloads without the implementation',
    'export function a(b: string): string\nexport function a(b: number): number\nexport function a(b: any) { return b }',
    'a, a',
  ],
  ['src/a.ts', 'bound names', 'export const { a, b: c, ...d } = x, [e] = y', 'a, c, d, e'],
  [
    'src/a.ts',
    'a type that is an object',
    'export type A = { b: string; readonly c?: number }',
    'A, A.b, A.c',
  ],
  ['src/a.ts', 'a mapped type', 'export type A = { [K in B]: string }', 'A'],
  [
    'src/a.ts',
    'an interface',
    'export interface A<T> extends B, C<T> {\n  d: string\n  e?(f: T): void\n  (g: number): string\n  new (h: string): A\n  [key: string]: unknown\n}',
    'A, A.d, A.e, A.(), A.new, A.[]',
  ],
  [
    'src/a.ts',
    'a class without its private members',
    "export abstract class A<T> extends B<T> implements C {\n  static d = 1\n  readonly e: string = 'x'\n  #f = 2\n  private g() {}\n  constructor(public readonly h: string, private i: number) { super() }\n  get j(): number { return 1 }\n  get k() { return 1 }\n  set k(v: string) {}\n  @dec({ a: 1 }) async l(m = { n: 1 }) {}\n  abstract o(): void\n  protected p = () => { return }\n  q = (r: string): void => {}\n}",
    'A, A.d, A.e, A.constructor, A.h, A.j, A.k, A.k, A.l, A.o, A.q',
  ],
  ['src/a.ts', 'an enum', "export enum A { B, C = 'c', 'D-e' = 1 << 2 }", 'A, A.B, A.C, A.D-e'],
  ['src/a.ts', 'a namespace', 'export namespace A.B { export const c: string; const d = 1 }', 'A.B, A.B.c'],
  [
    'src/a.ts',
    'a declared namespace shows all',
    'export declare namespace A { function b(): void }',
    'A, A.b',
  ],
  ['src/a.ts', 'a default function', 'export default function (a: string) {}', 'default'],
  [
    'src/a.ts',
    'a default class',
    'export default class A { b() {} }',
    'default, default.b, default.constructor',
  ],
  ['src/a.ts', 'a default name', 'const a = (b: string) => 1\nexport default a', 'default'],
  [
    'src/a.ts',
    'a list',
    'function a(b: string) {}\nconst c: number = 1\nexport { a, c as d, type E }\ninterface E { f: string }',
    'a, d, E, E.f',
  ],
  [
    'src/a.ts',
    'common exports',
    'function a(b) {}\nexports.c = a\nmodule.exports.d = function (e, f) {}\nexports.g = 1',
    'c, d, g',
  ],
  [
    'src/a.ts',
    'a common object',
    'function a(b) {}\nmodule.exports = { a, c: a, d(e) {}, f: (g) => g, h: 1 }',
    'a, c, d, f, h',
  ],
  [
    'src/a.ts',
    'a declaration file',
    'export declare function a(b: string): void;\nexport declare const c: unique symbol\nexport {}',
    'a, c',
  ],
  [
    'src/a.py',
    'overloads',
    '@overload\ndef a(b: int) -> int: ...\n@typing.overload\ndef a(b: str) -> str: ...\ndef a(b): return b',
    'a, a',
  ],
  [
    'src/a.py',
    'values',
    'A = 1\nb: int = 2\nc = d = 3\ne, f = 4, 5\ng.h = 6\ni[0] = 7\n_j = 8',
    'A, b, c, d, e, f',
  ],
  [
    'src/a.py',
    'what is behind a condition',
    'if x:\n    def a(): ...\nelse:\n    def b(): ...\ntry:\n    C = 1\nexcept E:\n    C = 2',
    'a, b, C',
  ],
  [
    'src/a.py',
    'a class',
    'class A(B, metaclass=C):\n    """def no(): pass"""\n    d: int\n    e = 1\n    _f = 2\n    def __init__(self, g: int) -> None:\n        self.h = g\n        def i(): pass\n    def j(self): ...\n    def _k(self): ...\n    def __repr__(self): ...\n    def __call__(self, l): ...\n    @staticmethod\n    def m(n): ...\n    @classmethod\n    def o(cls, p): ...\n    @property\n    def q(self) -> int: ...\n    @property\n    def r(self) -> int: ...\n    @r.setter\n    def r(self, v): ...\n    @abc.abstractmethod\n    async def s(self): ...\n    class T:\n        def u(self): ...\n',
    'A, A.d, A.e, A.__init__, A.j, A.__call__, A.m, A.o, A.q, A.r, A.r, A.s, A.T, A.T.u, A.T.__init__',
  ],
  [
    'src/a.py',
    'a dataclass',
    '@dataclass(frozen=True)\nclass A:\n    b: int\n    c: str = "x"\n    d: list[int] = field(default_factory=list)\n    e: ClassVar[int] = 1\n    f: int = field(init=False)\n    _: KW_ONLY\n    g: int',
    'A, A.b, A.c, A.d, A.e, A.f, A.g, A.__init__',
  ],
  [
    'src/a.py',
    'what is named, and nothing else',
    '__all__ = ["a", "B"]\n__all__ += ["c"]\ndef a(): ...\ndef z(): ...\nclass B:\n    def d(self): ...',
    'a, B, B.d, B.__init__, c',
  ],
  [
    'shop/a.go',
    'methods of what is exported',
    'package shop\n\nfunc (s *Shop) Close() error {}\nfunc (Shop) Name() string {}\nfunc (h hidden) X() {}\nfunc (l *List[T]) Push(x T) {}\n',
    'Shop.Close, Shop.Name, List.Push',
  ],
  [
    'shop/a.go',
    'a structure',
    'package shop\n\ntype Shop struct {\n\tName, Town string `json:"name"`\n\tsize int\n\t*Base\n\tio.Reader\n\tF func(a int) error\n}\n',
    'Shop, Shop.Name, Shop.Town, Shop.Base, Shop.Reader, Shop.F',
  ],
  [
    'shop/a.go',
    'an interface',
    'package shop\n\ntype Store interface {\n\tGet(key string) ([]byte, error)\n\tio.Closer\n\t~int | ~string\n}\n',
    'Store, Store.Get, Store.io.Closer, Store.~int | ~string',
  ],
  [
    'shop/a.go',
    'other types',
    'package shop\n\ntype (\n\tID string\n\tFn func(int) error\n\tAlias = pkg.Other\n\tList[T any] []T\n\tGrid [3]int\n)\n',
    'ID, Fn, Alias, List, Grid',
  ],
  [
    'shop/a.go',
    'constants',
    'package shop\n\nconst (\n\tA Kind = iota // first\n\tB\n\tc\n)\nconst D, E = 1, "x"\n',
    'A, B, D, E',
  ],
  [
    'shop/a.go',
    'variables',
    'package shop\n\nvar ErrGone = errors.New("gone")\nvar A, B map[string]int\nvar (\n\tC = func() int {\n\t\treturn 1\n\t}()\n\tD int\n)\n',
    'ErrGone, A, B, C, D',
  ],
  [
    'shop/a.go',
    'no comment, no text',
    'package shop\n\n// func A() {}\n/* func B() {} */\nvar x = `\nfunc C() {}\n`\n',
    '',
  ],
  [
    'src/lib.rs',
    'a structure',
    'pub struct A<T> where T: B {\n  #[serde(default)]\n  pub b: Vec<T>,\n  c: u8,\n  pub(crate) d: u8,\n}',
    'A, A.b',
  ],
  ['src/lib.rs', 'a tuple and a unit', 'pub struct A(pub u8, u16);\npub struct B;', 'A, A.0, B'],
  [
    'src/lib.rs',
    'an enumeration',
    'pub enum A { B, C(u8, String), D { e: u8 }, F = 3 }',
    'A, A.B, A.C, A.D, A.F',
  ],
  [
    'src/lib.rs',
    'a trait',
    'pub trait A: B + C {\n  type D;\n  const E: u8;\n  fn f(&self, g: u8) -> u8;\n  fn h(&mut self) { let x = 1; }\n}',
    'A, A.D, A.E, A.f, A.h',
  ],
  [
    'src/lib.rs',
    'what is implemented',
    'pub struct A;\nimpl A {\n  pub fn b(&self) {}\n  fn c(&self) {}\n  pub const D: u8 = 1;\n}\nimpl<T> fmt::Display for crate::x::A { fn fmt(&self) {} }\nimpl<T: X> List<T> { pub fn push(mut self, x: T) -> Self { self } }',
    'A, A.b, A.D, A.impl fmt::Display, List.push',
  ],
  [
    'src/lib.rs',
    'modules',
    'pub mod a { pub fn b() {} fn c() {} }\npub mod d;\nmod e { pub fn f() {} }',
    'a, a::b, d',
  ],
  [
    'src/lib.rs',
    'what is used',
    'pub use a::b;\npub use c::{d, e as f, g::*, self};\nuse h::i;',
    'b, d, f, c::g::*, c',
  ],
  [
    'src/lib.rs',
    'values and types',
    'pub const A: [u8; 2] = [1, 2];\npub static mut B: u8 = 1;\npub type C<T> = Result<T, E>;',
    'A, B, C',
  ],
  [
    'src/lib.rs',
    'macros that are exported',
    '#[macro_export]\nmacro_rules! a { () => {} }\nmacro_rules! b { () => {} }',
    'a!',
  ],
  [
    'src/lib.rs',
    'no tests, nothing hidden',
    '#[cfg(test)]\nmod tests { pub fn a() {} }\n#[doc(hidden)]\npub fn b() {}\npub fn c() {}',
    'c',
  ],
  [
    'src/lib.rs',
    'no comment, no text',
    '/* /* pub fn a() {} */ pub fn b() {} */\n// pub fn c() {}\nconst X: &str = r#"pub fn "d"() {}"#;\npub fn e() {}',
    'e',
  ],
  [
    'include/a.hpp',
    'functions',
    '#ifndef A_H\n#define A_H\nint a(void);\nextern const char *b(int c, char *const d[], ...);\nstatic inline unsigned long e(unsigned int) { return 1; }\n#endif',
    'a, b, e',
  ],
  [
    'include/a.hpp',
    'pointers to functions',
    'typedef int (*cb_t)(void *, int);\nvoid on(int (*f)(int), void *data);\nextern int (*hook)(int);',
    'cb_t, on, hook',
  ],
  [
    'include/a.hpp',
    'structures',
    'struct point { int x, y; char *name; unsigned flags : 3; int grid[2][3]; };\ntypedef struct { double re; } complex_t;\nstruct opaque;',
    'point, point.x, point.y, point.name, point.flags, point.grid, complex_t, complex_t.re, opaque',
  ],
  ['include/a.hpp', 'a union without a name', 'struct a { union { int b; float c; }; };', 'a, a.b, a.c'],
  [
    'include/a.hpp',
    'enumerations',
    'enum colour { RED, GREEN = 2 };\ntypedef enum { A, B } kind;\nenum class E : int { X = 1, Y };',
    'colour, RED, GREEN, kind, A, B, E, E.X, E.Y',
  ],
  [
    'include/a.hpp',
    'macros',
    '#define MAX(a, b) ((a) > (b) \\\n  ? (a) : (b))\n#define VERSION "1"\n#define EMPTY\n#define _HIDDEN 1\n#  define LOG(...) printf(__VA_ARGS__)',
    'MAX, VERSION, LOG',
  ],
  [
    'include/a.hpp',
    'C in C++',
    '#ifdef __cplusplus\nextern "C" {\n#endif\nint a(int);\n#ifdef __cplusplus\n}\n#endif',
    'a',
  ],
  [
    'include/a.hpp',
    'namespaces',
    'namespace a::b { int c(); namespace detail { int d(); } namespace { int e(); } inline namespace v1 { int f(); } }',
    'a::b::c, a::b::v1::f',
  ],
  [
    'include/a.hpp',
    'a class',
    'template <typename T, int N = 1>\nclass Box final : public Base<T>, private Hidden {\n  int secret;\npublic:\n  explicit Box(int size = 0);\n  virtual ~Box();\n  Box(const Box &) = delete;\n  int size() const noexcept { return 1; }\n  static Box make(T &&value);\n  virtual void draw() = 0;\n  T &operator[](int i);\n  bool operator==(const Box &o) const;\n  auto end() -> T *;\n  using value_type = T;\n  static constexpr int kMax = 3;\n  struct Inner { int z; };\n  enum Mode { On, Off };\nprotected:\n  int guarded();\nprivate:\n  int hidden();\n};',
    'Box, Box.Box, Box.~Box, Box.Box, Box.size, Box.make, Box.draw, Box.operator[], Box.operator==, Box.end, Box.value_type, Box.kMax, Box.Inner, Box.Inner.z, Box.Mode, Box.On, Box.Off',
  ],
  [
    'include/a.hpp',
    'templates of functions',
    'template <class T> T max(T a, std::map<int, T> b = {});',
    'max',
  ],
  [
    'include/a.hpp',
    'variables',
    'extern int a, *b;\nextern const char *const names[];\nconstexpr double kPi = 3.14;',
    'a, b, names, kPi',
  ],
  [
    'include/a.hpp',
    'aliases',
    'using A = std::vector<int>;\nusing namespace std;\nusing std::swap;\ntypedef unsigned char byte;',
    'A, swap, byte',
  ],
  ['include/a.hpp', 'no comment, no text', '/* int a(); */ // int b();\nconst char *c = "int d();";', 'c'],
])('%s: the public names are read of %s', (path, _title, text, expected) => {
  expect(names(path, text)).toBe(expected)
})

test.each([
  [
    'src/a.ts',
    'export function a(\n  // one\n  b: string, /* two, */\n  c?: { d: number }\n): Promise<void> {\n}',
    'function a( b: string, c?: { d: number } ): Promise<void>',
  ],
  ['src/a.ts', 'export const a = async <T,>(b: T, ...c: X[]) => b', 'a = async <T,>(b: T, ...c: X[])'],
  ['src/a.py', 'async def a(b: int = 1, *, c) -> None: ...', 'async def a(b: int = 1, *, c) -> None'],
  ['shop/a.go', 'package shop\nfunc (s *Shop) Close() error {\n}', 'func (s *Shop) Close() error'],
  ['src/lib.rs', 'pub fn a<T: B>(b: &mut T) -> u8 { 1 }', 'pub fn a<T: B>(b: &mut T) -> u8'],
  [
    'a.h',
    'FOO_API int /* why */\nfoo(int a, struct bar *b)\n  __attribute__((nonnull(2)));',
    'int foo(int a, struct bar* b)',
  ],
])('%s: a signature is shown on one line, without comments and body: %j', (path, text, expected) => {
  expect(signatures(path, text)).toEqual([expected])
})

describe('text that only looks like an export is ignored', () => {
  test.each([
    ['a comment', '// export const a = 1\n/* export const b = 2 */'],
    ['a text', "const a = 'export const b = 1'\nconst c = `\nexport const d = ${`${1}`}\n`"],
    ['a regular expression', 'const a = /"export const b = `/\nconst c = 1'],
    ['the body of a function', 'function a() {\n  exports\n}'],
    ['an import', "import { a, type b } from './c'\nimport d, * as e from 'f'\nimport 'g'\nimport('h')"],
    ['a key', 'const a = {\n  export: 1,\n  default: 2,\n}'],
  ])('in TypeScript, %s exports nothing', (_title, text) => {
    expect(names('src/a.ts', text)).toBe('')
  })

  test.each([
    ['markup with an apostrophe', "const a = () => <p>Don't {b}</p>\nexport const c = 1", 'c'],
    ['a list of types in an expression', 'export const a = b as Record<c, d>, e = new Map<f, g>()', 'a, e'],
    ['a name that is a word of types', 'export type A = z.infer<typeof b>\nexport const c = 1', 'A, c'],
    ['a division', 'const a = b / c; const d = e / f\nexport const g = 1', 'g'],
    ['a comparison in a default', 'export const a = (b = c < d, e = f > g) => 1', 'a'],
    [
      'statements without semicolons',
      'let a = b\n  .c()\n  .d(e => {\n    return e\n  })\nexport const f = 1',
      'f',
    ],
  ])('in TypeScript, %s does not hide the export below it', (_title, text, expected) => {
    expect(names(/<p>/.test(text) ? 'src/a.tsx' : 'src/a.ts', text)).toBe(expected)
  })
})

test('re-exports of a TypeScript module are listed with where they come from', () => {
  const text =
    "export { a, b as c } from './d'\nexport * from './e.js'\nexport * as f from 'g'\nimport h, { i as j } from './k'\nexport { h, j as l }\nexport type { m } from './n'"
  const { passedOn } = read('src/a.ts', text)
  expect(passedOn.map(({ name, from, original }) => `${name} = ${original} of ${from}`)).toEqual([
    'a = a of ./d',
    'c = b of ./d',
    '* = * of ./e.js',
    'f = * of g',
    'm = m of ./n',
    'h = default of ./k',
    'l = i of ./k',
  ])
})

test('a Python package passes on what it takes from its own modules', () => {
  const text = 'from .a import b, c as d, _e\nfrom os import path\nfrom . import f\nfrom .g import *'
  const passedOn = (path: string) => read(path, text).passedOn.map(({ name, from }) => `${name} of ${from}`)
  expect(passedOn('p/__init__.py')).toEqual(['b of .a', 'd of .a', 'f of .', '* of .g'])
  expect(passedOn('p/h.py')).toEqual([])
})

test('each symbol has its line', () => {
  const text = '// one\n\nexport const a = `\n\n`\n/*\n*/\nexport class B {\n\n  c() {}\n}\n'
  expect(read('src/a.ts', text).symbols.map(({ name, line }) => `${name} ${line}`)).toEqual([
    'a 3',
    'B 8',
    'B.c 10',
    'B.constructor 8',
  ])
})

test('package main of Go has no public names', () => {
  expect(names('cmd/a.go', 'package main\nfunc A() {}')).toBe('')
})

test('the names of a file leave out members', () => {
  const text = 'export class A { b() {} }\nexport const c = 1'
  expect([...offeredNames('src/a.ts', parser.tree('src/a.ts', text))]).toEqual(['A', 'c'])
})
