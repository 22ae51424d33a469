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
    .filter(({ kind }) => kind !== 'added')
    .map(({ name, why }) => `${name} ${why}`)

describe('incompatible changes', () => {
  test.each<[string, string, string, string[]]>([
    ['a function that was removed', 'export function a() {}', '', ['a was removed']],
    ['a name that is no longer exported', 'export const a = 1', 'const a = 1', ['a was removed']],
    ['a removed class is listed once', 'export class A { b() {} }', '', ['A was removed']],
    [
      'a member that was removed',
      'export class A { b() {}; c() {} }',
      'export class A { b() {} }',
      ['A.c was removed'],
    ],
    [
      'a member that is hidden',
      'export class A { b() {} }',
      'export class A { private b() {} }',
      ['A.b was removed'],
    ],
    [
      'a parameter that was removed',
      'export function a(b: string, c: string) {}',
      'export function a(b: string) {}',
      ['a no longer takes c'],
    ],
    [
      'an optional parameter that was removed',
      'export function a(b?: string) {}',
      'export function a() {}',
      ['a no longer takes b'],
    ],
    [
      'a new parameter that is needed',
      'export function a() {}',
      'export function a(b: string) {}',
      ['a needs the new parameter b'],
    ],
    [
      'a parameter that is no longer optional',
      'export function a(b?: string) {}',
      'export function a(b: string) {}',
      ['a b is no longer optional'],
    ],
    [
      'a default that was removed',
      'export const a = (b = 1) => b',
      'export const a = (b) => b',
      ['a b is no longer optional'],
    ],
    [
      'another order of the same types',
      'export function a(from: string, to: string) {}',
      'export function a(to: string, from: string) {}',
      ['a its parameters are reordered: to, from instead of from, to'],
    ],
    [
      'the first parameter that was removed',
      'export function a(b: string, c: number) {}',
      'export function a(c: number) {}',
      ['a no longer takes b'],
    ],
    [
      'a new one before the others',
      'export function a(b: string) {}',
      'export function a(c: string, b?: string) {}',
      ['a b is at another position'],
    ],
    [
      'a type that takes less',
      'export function a(b: string | number) {}',
      'export function a(b: string) {}',
      ['a b is string instead of string | number'],
    ],
    [
      'another type',
      'export function a(b: string) {}',
      'export function a(b: number) {}',
      ['a b is number instead of string'],
    ],
    [
      'another result',
      'export function a(): string {}',
      'export function a(): number {}',
      ['a it returns number instead of string'],
    ],
    [
      'a result that may be nothing',
      'export function a(): string {}',
      'export function a(): string | null {}',
      ['a it returns string | null instead of string'],
    ],
    [
      'a function that became async',
      'export function a() {}',
      'export async function a() {}',
      ['a is async now'],
    ],
    [
      'an overload that was removed',
      'export function a(b: string): void\nexport function a(b: number): void\nexport function a(b: any) {}',
      'export function a(b: string): void {}',
      ['a b is string instead of number'],
    ],
    [
      'a type with fewer members',
      "export type A = 'b' | 'c'",
      "export type A = 'b'",
      ["A its type is 'b' instead of 'b' | 'c'"],
    ],
    [
      'a member of another type',
      'export interface A { b: string }',
      'export interface A { b: number }',
      ['A.b its type is number instead of string'],
    ],
    [
      'a value of an enum',
      'export enum A { B = 1 }',
      'export enum A { B = 2 }',
      ['A.B its value is 2 instead of 1'],
    ],
    ['a member of an enum', 'export enum A { B, C }', 'export enum A { B }', ['A.C was removed']],
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
      'a base that was removed',
      'export class A extends B {}',
      'export class A {}',
      ['A no longer extends extends B'],
    ],
    [
      'a field that became readonly',
      'export class A { b: string }',
      'export class A { readonly b: string }',
      ['A.b is readonly now'],
    ],
    [
      'a setter that was removed',
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
      ['a its type parameter is T extends string instead of T'],
    ],
    [
      'a key of a pattern',
      'export const a = ({ b, c }) => 1',
      'export const a = ({ b }) => 1',
      ['a parameter 1 is {b} instead of {b; c}'],
    ],
    [
      'a class that is a type now',
      'export class A {}',
      'export interface A {}',
      ['A is a type instead of a class'],
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

describe('compatible changes', () => {
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
      'a parameter that is optional now now',
      'export function a(b: string) {}',
      "export function a(b = 'x') {}",
    ],
    ['another name of a parameter', 'export function a(b: string) {}', 'export function a(text: string) {}'],
    ['a type that takes more', 'export function a(b: string) {}', 'export function a(b: string | number) {}'],
    ['a type that takes anything', 'export function a(b: string) {}', 'export function a(b: unknown) {}'],
    ['a result that is less', 'export function a(): string | null {}', 'export function a(): string {}'],
    ['a type that is declared now', 'export function a(b) {}', 'export function a(b: string): void {}'],
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

test('a change has its place and both signatures', () => {
  expect(changes('export function a(b: string) {}', '\n\nexport function a(b: number) {}')).toEqual([
    {
      kind: 'changed',
      name: 'a',
      file: 'a.ts',
      line: 3,
      before: 'a(b: string)',
      after: 'a(b: number)',
      why: 'b is number instead of string',
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
