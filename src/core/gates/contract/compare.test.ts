import { describe, expect, test } from 'vitest'
import { compareApis, type PlacedSymbol } from './compare.ts'
import { isWider } from './compare-types.ts'
import { loadTestParser } from '../../../../test/helpers/test-parser.ts'
import { readTypeScript } from './typescript.ts'

const parser = await loadTestParser('ts')

const placed = (text: string): PlacedSymbol[] =>
  readTypeScript(parser.tree('a.ts', text)).symbols.map((symbol) => ({
    ...symbol,
    unit: 'a.ts',
    file: 'a.ts',
  }))
const changes = (before: string, after: string) => compareApis(placed(before), placed(after))
const breaks = (before: string, after: string): string[] =>
  changes(before, after)
    .filter(({ isBreak }) => isBreak)
    .map(({ name, why }) => `${name} ${why}`)

describe('what breaks those who use it', () => {
  test.each<[string, string, string, string[]]>([
    ['a function that is gone', 'export function a() {}', '', ['a is gone']],
    ['a name that is no longer exported', 'export const a = 1', 'const a = 1', ['a is gone']],
    ['a class that is gone is told once', 'export class A { b() {} }', '', ['A is gone']],
    [
      'a member that is gone',
      'export class A { b() {}; c() {} }',
      'export class A { b() {} }',
      ['A.c is gone'],
    ],
    [
      'a member that is hidden',
      'export class A { b() {} }',
      'export class A { private b() {} }',
      ['A.b is gone'],
    ],
    [
      'a parameter that is gone',
      'export function a(b: string, c: string) {}',
      'export function a(b: string) {}',
      ['a takes c no longer'],
    ],
    [
      'an optional parameter that is gone',
      'export function a(b?: string) {}',
      'export function a() {}',
      ['a takes b no longer'],
    ],
    [
      'a new parameter that is needed',
      'export function a() {}',
      'export function a(b: string) {}',
      ['a needs the new parameter b'],
    ],
    [
      'a parameter that could be left out',
      'export function a(b?: string) {}',
      'export function a(b: string) {}',
      ['a b could be left out'],
    ],
    [
      'a default that is gone',
      'export const a = (b = 1) => b',
      'export const a = (b) => b',
      ['a b could be left out'],
    ],
    [
      'another order of the same types',
      'export function a(from: string, to: string) {}',
      'export function a(to: string, from: string) {}',
      ['a its parameters are in another order: to, from and not from, to'],
    ],
    [
      'the first parameter that is gone',
      'export function a(b: string, c: number) {}',
      'export function a(c: number) {}',
      ['a takes b no longer'],
    ],
    [
      'a new one before the others',
      'export function a(b: string) {}',
      'export function a(c: string, b?: string) {}',
      ['a b is in another place'],
    ],
    [
      'a type that takes less',
      'export function a(b: string | number) {}',
      'export function a(b: string) {}',
      ['a b is string and was string | number'],
    ],
    [
      'another type',
      'export function a(b: string) {}',
      'export function a(b: number) {}',
      ['a b is number and was string'],
    ],
    [
      'another result',
      'export function a(): string {}',
      'export function a(): number {}',
      ['a it gives number and gave string'],
    ],
    [
      'a result that may be nothing',
      'export function a(): string {}',
      'export function a(): string | null {}',
      ['a it gives string | null and gave string'],
    ],
    [
      'a function that became async',
      'export function a() {}',
      'export async function a() {}',
      ['a is async now'],
    ],
    [
      'an overload that is gone',
      'export function a(b: string): void\nexport function a(b: number): void\nexport function a(b: any) {}',
      'export function a(b: string): void {}',
      ['a b is string and was number'],
    ],
    [
      'a type with fewer members',
      "export type A = 'b' | 'c'",
      "export type A = 'b'",
      ["A its type is 'b' and was 'b' | 'c'"],
    ],
    [
      'a member of another type',
      'export interface A { b: string }',
      'export interface A { b: number }',
      ['A.b its type is number and was string'],
    ],
    [
      'a value of an enum',
      'export enum A { B = 1 }',
      'export enum A { B = 2 }',
      ['A.B its value is 2 and was 1'],
    ],
    ['a member of an enum', 'export enum A { B, C }', 'export enum A { B }', ['A.C is gone']],
    [
      'a constructor that needs more',
      'export class A {}',
      'export class A { constructor(b: string) {} }',
      ['A.constructor needs the new parameter b'],
    ],
    [
      'a class that became abstract',
      'export class A {}',
      'export abstract class A {}',
      ['A is abstract now'],
    ],
    [
      'a base that is gone',
      'export class A extends B {}',
      'export class A {}',
      ['A is no longer made on extends B'],
    ],
    [
      'a field that became readonly',
      'export class A { b: string }',
      'export class A { readonly b: string }',
      ['A.b is readonly now'],
    ],
    [
      'a setter that is gone',
      'export class A { get b(): string {}\nset b(c: string) {} }',
      'export class A { get b(): string {} }',
      ['A.b is readonly now'],
    ],
    [
      'a type parameter more',
      'export type A<T> = T[]',
      'export type A<T, K> = T[]',
      ['A it needs the type parameter K'],
    ],
    [
      'a type parameter that takes less',
      'export function a<T>(b: T) {}',
      'export function a<T extends string>(b: T) {}',
      ['a its type parameter T extends string was T'],
    ],
    [
      'a key of a pattern',
      'export const a = ({ b, c }) => 1',
      'export const a = ({ b }) => 1',
      ['a parameter 1 is {b} and was {b; c}'],
    ],
    [
      'a class that is a type now',
      'export class A {}',
      'export interface A {}',
      ['A is a type and was a class'],
    ],
    [
      'a function that is a constant now',
      'export function a() {}',
      'export const a: string = x',
      ['a can no longer be called'],
    ],
  ])('%s', (_title, before, after, expected) => {
    expect(breaks(before, after)).toEqual(expected)
  })
})

describe('what breaks nobody', () => {
  test.each([
    ['nothing', 'export function a(b: string) {}', 'export function a(b: string) {}'],
    [
      'another layout',
      'export function a(b: { c: string, d: "e" }): void {}',
      "export function a(\n  b: {\n    c: string\n    d: 'e'\n  },\n): void {}",
    ],
    [
      'another way to write a function',
      'export function a(b: string): void {}',
      'export const a = (b: string): void => {}',
    ],
    ['a new function', '', 'export function a() {}'],
    ['a new member', 'export class A {}', 'export class A { b() {} }'],
    [
      'an optional parameter',
      'export function a(b: string) {}',
      'export function a(b: string, c?: number) {}',
    ],
    [
      'any number of them',
      'export function a(b: string) {}',
      'export function a(b: string, ...c: number[]) {}',
    ],
    [
      'a parameter that may be left out now',
      'export function a(b: string) {}',
      "export function a(b = 'x') {}",
    ],
    ['another name of a parameter', 'export function a(b: string) {}', 'export function a(text: string) {}'],
    ['a type that takes more', 'export function a(b: string) {}', 'export function a(b: string | number) {}'],
    ['a type that takes anything', 'export function a(b: string) {}', 'export function a(b: unknown) {}'],
    ['a result that is less', 'export function a(): string | null {}', 'export function a(): string {}'],
    ['a type that is said now', 'export function a(b) {}', 'export function a(b: string): void {}'],
    [
      'an optional key of an object',
      'export function a(b: { c: string }) {}',
      'export function a(b: { c: string; d?: number }) {}',
    ],
    ['an optional key of a pattern', 'export const a = ({ b }) => 1', 'export const a = ({ b, c = 1 }) => 1'],
    [
      'one more overload',
      'export function a(b: string): void {}',
      'export function a(b: number): void\nexport function a(b: string): void\nexport function a(b: any) {}',
    ],
    ['a member of a union', "export type A = 'b'", "export type A = 'b' | 'c'"],
    ['a type parameter with a default', 'export type A<T> = T[]', 'export type A<T, K = T> = T[]'],
    [
      'another name of a type parameter',
      'export function a<T>(b: string) {}',
      'export function a<U>(b: string) {}',
    ],
    ['another body', 'export const a = 1', 'export const a = 2'],
    ['a class that is no longer abstract', 'export abstract class A {}', 'export class A {}'],
    ['a list in place of a word', 'export const a: string = b', 'const a: string = b\nexport { a }'],
  ])('%s', (_title, before, after) => {
    expect(breaks(before, after)).toEqual([])
  })
})

test('a change is told with its place and both forms', () => {
  expect(changes('export function a(b: string) {}', '\n\nexport function a(b: number) {}')).toEqual([
    {
      kind: 'changed',
      isBreak: true,
      name: 'a',
      file: 'a.ts',
      line: 3,
      before: 'a(b: string)',
      after: 'a(b: number)',
      why: 'b is number and was string',
    },
  ])
})

test.each([
  ['string', 'string', true],
  ['string', 'string | null', true],
  ['string | null', 'string', false],
  ['() => a | b', '() => a', false],
  ['a | b', 'b | a', true],
  ['Optional[int]', 'int | None', true],
  ['Union[int, str]', 'int', false],
  ['{a}', '{a; b?}', true],
  ['{a: string}', '{a: string | number}', true],
  ['{a?}', '{a}', false],
  ['Map<a, b | c>', 'Map<a, b>', false],
])('%s → %s takes as much: %s', (before, after, expected) => {
  expect(isWider(before, after)).toBe(expected)
})
