import { expect, test } from 'vitest'
import { loadTestParser } from '../../../../test/helpers/test-parser.ts'
import { parseYamlText } from '../../../lib/files/yaml-text.ts'
import { compareApis, type PlacedSymbol } from './compare.ts'
import { readApi } from './read-api.ts'

const parser = await loadTestParser('ts', 'py', 'go', 'rs', 'hpp')

function placed(extension: string, text: string): readonly PlacedSymbol[] {
  const file = { path: `src/a.${extension}`, text: extension === 'go' ? `package shop\n${text}` : text }
  const api = readApi(file, { parsed: parser.parsed, parseDocument: parseYamlText })
  return (api?.symbols ?? []).map((symbol) => ({ ...symbol, unit: 'a', file: 'a' }))
}
const changes = (extension: string, before: string, after: string) =>
  compareApis(placed(extension, before), placed(extension, after)).filter(({ kind }) => kind !== 'added')
const kindsOf = (found: ReturnType<typeof changes>): readonly string[] => [
  ...new Set(found.map(({ kind }) => (kind === 'unclear' ? 'for review' : 'break'))),
]
const whys = (found: ReturnType<typeof changes>): string =>
  found.map(({ name, why }) => `${name} ${why}`).join('; ')

test.each([
  ['ts', 'export function a() {}', '', 'a was removed'],
  ['ts', 'export const a = 1', 'const a = 1', 'a was removed'],
  ['rs', 'pub fn a(b: u8) {}', 'pub fn a(b: u8, c: u8) {}', 'a needs the new parameter c'],
  ['ts', 'export class A { b() {} }', '', 'A was removed'],
  ['rs', 'pub fn a() {}', 'pub(crate) fn a() {}', 'a was removed'],
  ['hpp', 'int a(int b);', 'int a(int b, int c);', 'a needs the new parameter c'],
  ['go', 'func A(b int) {}', 'func A(b, c int) {}', 'A needs the new parameter c'],
  ['ts', 'export class A { b() {}; c() {} }', 'export class A { b() {} }', 'A.c was removed'],
  ['ts', 'export class A { b() {} }', 'export class A { private b() {} }', 'A.b was removed'],
  ['hpp', 'int a(int);', 'int a(long);', 'a parameter 1 is long instead of int'],
  ['hpp', 'int a(void);', 'long a(void);', 'a returns long instead of int'],
  ['hpp', 'struct a { int b; int c; };', 'struct a { int b; };', 'a.c was removed'],
  ['hpp', 'class A { public: int b(); };', 'class A { int b(); };', 'A.b was removed'],
  ['hpp', 'enum a { B = 1 };', 'enum a { B = 2 };', 'B is 2 instead of 1'],
  ['hpp', '#define A(b) b', '#define A(b, c) b', 'A needs the new parameter c'],
  ['rs', 'pub struct A { pub b: u8 }', 'pub struct A { b: u8 }', 'A.b was removed'],
  ['rs', 'pub enum A { B, C }', 'pub enum A { B }', 'A.C was removed'],
  ['rs', 'impl B for A {}', '', 'A.impl B was removed'],
  [
    'ts',
    'export function a(b: string, c: string) {}',
    'export function a(b: string) {}',
    'a no longer takes c',
  ],
  ['ts', 'export function a(b?: string) {}', 'export function a() {}', 'a no longer takes b'],
  ['ts', 'export function a() {}', 'export function a(b: string) {}', 'a needs the new parameter b'],
  ['ts', 'export function a(b?: string) {}', 'export function a(b: string) {}', 'a b is no longer optional'],
  ['go', 'type A struct { B, C int }', 'type A struct { B int }', 'A.C was removed'],
  ['ts', 'export const a = (b = 1) => b', 'export const a = (b) => b', 'a b is no longer optional'],
  ['go', 'const A = 1', 'const a = 1', 'A was removed'],
  [
    'ts',
    'export function a(from: string, to: string) {}',
    'export function a(to: string, from: string) {}',
    'a from is at another position; to is at another position',
  ],
  [
    'ts',
    'export function a(b: string, c: number) {}',
    'export function a(c: number) {}',
    'a no longer takes b; c is at another position',
  ],
  [
    'ts',
    'export function a(b: string) {}',
    'export function a(c: string, b?: string) {}',
    'a b is at another position; needs the new parameter c',
  ],
  ['go', 'type A struct {}', 'type A interface {}', 'A is interface instead of struct'],
  ['py', 'def a(b): ...', 'def a(c): ...', 'a no longer takes b; needs the new parameter c'],
  [
    'ts',
    'export function a(b: string) {}',
    'export function a(b: number) {}',
    'a b is number instead of string',
  ],
  [
    'ts',
    'export function a(): string {}',
    'export function a(): number {}',
    'a returns number instead of string',
  ],
  ['py', 'def a(b): ...', 'def a(*, b): ...', 'a b can only be passed by name'],
  [
    'ts',
    'export function a(b: string): void\nexport function a(b: number): void\nexport function a(b: any) {}',
    'export function a(b: string): void {}',
    'a b is string instead of number',
  ],
  [
    'ts',
    'export interface A { b: string }',
    'export interface A { b: number }',
    'A.b is number instead of string',
  ],
  ['py', 'def a(b): ...', 'def a(b, /): ...', 'a b can no longer be passed by name'],
  ['py', 'def a(b): ...', 'def a(b, *, c): ...', 'a needs the new parameter c'],
  ['ts', 'export enum A { B = 1 }', 'export enum A { B = 2 }', 'A.B is 2 instead of 1'],
  ['ts', 'export enum A { B, C }', 'export enum A { B }', 'A.C was removed'],
  [
    'ts',
    'export class A {}',
    'export class A { constructor(b: string) {} }',
    'A.constructor needs the new parameter b',
  ],
  ['py', 'def a(b): ...', 'def a(c=1, b=2): ...', 'a b is at another position'],
  ['py', 'def a(b, c): ...', 'def a(c, b): ...', 'a b is at another position; c is at another position'],
  [
    'ts',
    'export class A { get b(): string {}\nset b(c: string) {} }',
    'export class A { get b(): string {} }',
    'A.b is get instead of set',
  ],
  ['py', 'def a(b, c=1): ...', 'def a(b): ...', 'a no longer takes c'],
  ['py', 'def a(b=1): ...', 'def a(b): ...', 'a b is no longer optional'],
  ['ts', 'export class A {}', 'export interface A {}', 'A is interface instead of class'],
  ['py', 'def a(*b): ...', 'def a(): ...', 'a no longer takes *'],
  ['py', 'def a() -> int: ...', 'def a() -> str: ...', 'a returns str instead of int'],
  [
    'ts',
    'export function a<T>(b: string) {}',
    'export function a<U>(b: string) {}',
    'a is <U> instead of <T>',
  ],
])('%s breaks callers: %j → %j', (extension, before, after, why) => {
  const found = changes(extension, before, after)
  expect([kindsOf(found), whys(found)]).toEqual([['break'], why])
})

test.each([
  ['rs', 'pub fn a() -> u8 {}', 'pub fn a() -> Option<u8> {}', 'a returns Option<u8> instead of u8'],
  ['hpp', 'int a(const char *b);', 'int a(char const* text);', 'a b is char const* instead of const char*'],
  ['hpp', 'class A { public: void b(); };', 'class A { public: void b() const; };', 'A.b is const now'],
  ['rs', 'pub fn a() {}', 'pub unsafe fn a() {}', 'a is unsafe now'],
  ['rs', 'pub unsafe fn a() {}', 'pub fn a() {}', 'a is no longer unsafe'],
  [
    'rs',
    'impl A { pub fn b(&self) {} }',
    'impl A { pub fn b(&mut self) {} }',
    'A.b self is &mut self instead of &self',
  ],
  ['go', 'func A() error', 'func A() (int, error)', 'A returns (int, error) instead of error'],
  ['go', 'func (s Shop) A() {}', 'func (s *Shop) A() {}', 'Shop.A is on a pointer now'],
  [
    'ts',
    'export function a(b: string | number) {}',
    'export function a(b: string) {}',
    'a b is string instead of string | number',
  ],
  [
    'ts',
    'export function a(): string {}',
    'export function a(): string | null {}',
    'a returns string | null instead of string',
  ],
  ['ts', 'export function a() {}', 'export async function a() {}', 'a is async now'],
  ['ts', "export type A = 'b' | 'c'", "export type A = 'b'", "A is 'b' instead of 'b' | 'c'"],
  ['ts', 'export class A {}', 'export abstract class A {}', 'A is abstract class instead of class'],
  ['ts', 'export class A extends B {}', 'export class A {}', 'A is class instead of class extends B'],
  ['ts', 'export class A { b: string }', 'export class A { readonly b: string }', 'A.b is readonly now'],
  ['ts', 'export type A<T> = T[]', 'export type A<T, K> = T[]', 'A is type <T, K> instead of type <T>'],
  [
    'ts',
    'export function a<T>(b: T) {}',
    'export function a<T extends string>(b: T) {}',
    'a is <T extends string> instead of <T>',
  ],
  [
    'ts',
    'export const a = ({ b, c }) => 1',
    'export const a = ({ b }) => 1',
    'a parameter 1 is { b } instead of { b, c }',
  ],
  ['py', 'def a(b, *, c=1): ...', 'def a(b, **c): ...', 'a no longer takes c'],
  ['ts', 'export function a() {}', 'export const a: string = x', 'a may no longer be callable'],
  ['py', 'def a(b: int): ...', 'def a(b: Optional[int]): ...', 'a b is Optional[int] instead of int'],
  ['py', 'def a(b: int | str): ...', 'def a(b: int): ...', 'a b is int instead of int | str'],
  [
    'ts',
    'export function a(b: string) {}',
    'export function a(b: string | number) {}',
    'a b is string | number instead of string',
  ],
  [
    'ts',
    'export function a(b: string) {}',
    'export function a(b: unknown) {}',
    'a b is unknown instead of string',
  ],
  [
    'ts',
    'export function a(): string | null {}',
    'export function a(): string {}',
    'a returns string instead of string | null',
  ],
  [
    'ts',
    'export function a(b: { c: string }) {}',
    'export function a(b: { c: string; d?: number }) {}',
    'a b is { c: string; d?: number } instead of { c: string }',
  ],
  [
    'ts',
    'export const a = ({ b }) => 1',
    'export const a = ({ b, c = 1 }) => 1',
    'a parameter 1 is { b, c = 1 } instead of { b }',
  ],
  ['ts', "export type A = 'b'", "export type A = 'b' | 'c'", "A is 'b' | 'c' instead of 'b'"],
  [
    'ts',
    'export type A<T> = T[]',
    'export type A<T, K = T> = T[]',
    'A is type <T, K = T> instead of type <T>',
  ],
  ['ts', 'export abstract class A {}', 'export class A {}', 'A is class instead of abstract class'],
])('%s is for review, since the text alone does not tell: %j → %j', (extension, before, after, why) => {
  const found = changes(extension, before, after)
  expect([kindsOf(found), whys(found)]).toEqual([['for review'], why])
})

test.each([
  ['hpp', 'int a(int b);', 'int a(int b, int c = 0);'],
  ['hpp', '#define A 1', '#define A 2'],
  ['hpp', 'int a(int);', 'int a(int);\nint a(char);'],
  ['go', 'func A(b int) {}', 'func A(b int, c ...Option) {}'],
  ['go', 'type A struct { B int }', 'type A struct { B int; C int }'],
  ['py', 'def a(b, /): ...', 'def a(c, /): ...'],
  ['py', 'def a(b): ...', 'def a(b, *, c=1): ...'],
  ['py', 'def a(b): ...', 'def a(b, c=1): ...'],
  ['py', 'def a(*, b, c): ...', 'def a(*, c, b): ...'],
  ['py', 'def a(*b, **c): ...', 'def a(*args, **kwargs): ...'],
  [
    'ts',
    'export function a(b: { c: string, d: "e" }): void {}',
    "export function a(\n  b: {\n    c: string\n    d: 'e'\n  },\n): void {}",
  ],
  ['ts', 'export function a(b: string): void {}', 'export const a = (b: string): void => {}'],
  ['ts', '', 'export function a() {}'],
  ['ts', 'export class A {}', 'export class A { b() {} }'],
  ['ts', 'export function a(b: string) {}', 'export function a(b: string, c?: number) {}'],
  ['ts', 'export function a(b: string) {}', 'export function a(b: string, ...c: number[]) {}'],
  ['ts', 'export function a(b: string) {}', "export function a(b = 'x') {}"],
  ['ts', 'export function a(b: string) {}', 'export function a(text: string) {}'],
  ['ts', 'export function a(b) {}', 'export function a(b: string): void {}'],
  [
    'ts',
    'export function a(b: string): void {}',
    'export function a(b: number): void\nexport function a(b: string): void\nexport function a(b: any) {}',
  ],
  ['ts', 'export const a = 1', 'export const a = 2'],
  ['ts', 'export const a: string = b', 'const a: string = b\nexport { a }'],
  ['ts', 'export function a(): Promise<void> {}', 'export async function a(): Promise<void> {}'],
])('%s breaks nothing: %j → %j', (extension, before, after) => {
  expect(whys(changes(extension, before, after))).toBe('')
})

test('a change has its place and both signatures', () => {
  expect(changes('ts', 'export function a(b: string) {}', '\n\nexport function a(b: number) {}')).toEqual([
    {
      kind: 'changed',
      name: 'a',
      file: 'a',
      line: 3,
      before: 'function a(b: string)',
      after: 'function a(b: number)',
      why: 'b is number instead of string',
    },
  ])
})
