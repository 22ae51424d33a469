import { describe, expect, test } from 'vitest'
import { loadTestParser } from '../../../../test/helpers/test-parser.ts'
import { readTypeScript } from './typescript.ts'

const parser = await loadTestParser('ts', 'tsx')
/** Where a text has markup, it is TSX. */
const read = (text: string, path = /<p>/.test(text) ? 'a.tsx' : 'a.ts') =>
  readTypeScript(parser.tree(path, text))

const signatures = (text: string): string[] => read(text).symbols.map(({ signature }) => signature)
const names = (text: string): string[] => read(text).symbols.map(({ name }) => name)

describe('exports of a module are read', () => {
  test.each<[string, string, string[]]>([
    ['a function', 'export function a(b: string, c = 1): number { return 1 }', ['a(b: string, c?): number']],
    ['an async function', 'export async function a() {}', ['async a()']],
    ['an async function with its type', 'export async function a(): Promise<X> {}', ['a(): Promise<X>']],
    ['a generator', 'export function* a() {}', ['* a()']],
    [
      'a signature over several lines, with comments',
      'export function a(\n  // one\n  b: string, /* two, */\n  c?: { d: number\n    e: string },\n): Promise<\n  void\n> {\n}',
      ['a(b: string, c?: {d: number; e: string}): Promise<void>'],
    ],
    [
      'overloads without the implementation',
      'export function a(b: string): string\nexport function a(b: number): number\nexport function a(b: any) { return b }',
      ['a(b: string): string', 'a(b: number): number'],
    ],
    [
      'an object as a type before the body',
      'export function a(): { b: number } { return 1 }',
      ['a(): {b: number}'],
    ],
    [
      'generics',
      'export function a<T extends keyof X, K = T>(b: Map<T, K>): T[] {}',
      ['a<T extends keyof X, K = T>(b: Map<T, K>): T[]'],
    ],
    [
      'an arrow function',
      'export const a = async <T,>(b: T, ...c: X[]) => b',
      ['async a<T>(b: T, ...c: X[])'],
    ],
    ['an arrow function of one', 'export const a = b => b\nexport const c = 1', ['a(b)', 'const c']],
    [
      'a constant with a type',
      'export const a: Record<string, \'x\' | "y"> = {}',
      ["const a: Record<string, 'x' | 'y'>"],
    ],
    ['several variables', 'export let a = 1, b: string, c = () => 2', ['let a', 'let b: string', 'c()']],
    ['bound names', 'export const { a, b: c, ...d } = x, [e] = y', ['a', 'c', 'd', 'e']],
    ['a type', 'export type A<T> =\n  | T\n  | string\nconst x = 1', ['type A<T> = T | string']],
    [
      'a conditional type',
      'export type A<T> = T extends string ? 1 : 2',
      ['type A<T> = T extends string? 1: 2'],
    ],
    [
      'a type that is an object',
      'export type A = { b: string; readonly c?: number }',
      ['type A = {…}', 'A.b: string', 'readonly A.c?: number'],
    ],
    ['a mapped type', 'export type A = { [K in B]: string }', ['type A = {[K in B]: string}']],
    [
      'an interface',
      'export interface A<T> extends B, C<T> {\n  d: string\n  e?(f: T): void\n  (g: number): string\n  new (h: string): A\n  [key: string]: unknown\n}',
      [
        'interface A<T> extends B extends C<T>',
        'A.d: string',
        'optional A.e(f: T): void',
        'A.()(g: number): string',
        'A.new(h: string): A',
        'A.[string]: unknown',
      ],
    ],
    [
      'a class without its private members',
      "export abstract class A<T> extends B<T> implements C {\n  static d = 1\n  readonly e: string = 'x'\n  #f = 2\n  private g() {}\n  constructor(public readonly h: string, private i: number) { super() }\n  get j(): number { return 1 }\n  get k() { return 1 }\n  set k(v: string) {}\n  @dec({ a: 1 }) async l(m = { n: 1 }) {}\n  abstract o(): void\n  protected p = () => { return }\n  q = (r: string): void => {}\n}",
      [
        'class A<T> extends B<T> implements C',
        'static A.d',
        'readonly A.e: string',
        'A.constructor(h: string, i: number)',
        'readonly A.h: string',
        'readonly A.j: number',
        'A.k',
        'async A.l(m?)',
        'abstract A.o(): void',
        'A.q(r: string): void',
      ],
    ],
    ['a class without a constructor', 'export class A {}', ['class A', 'A.constructor()']],
    [
      'an enum',
      "export enum A { B, C = 'c', 'D-e' = 1 << 2 }",
      ['enum A', 'A.B', "A.C = 'c'", 'A.D-e = 1<<2'],
    ],
    ['a const enum', 'export const enum A { B }', ['enum A', 'A.B']],
    [
      'a namespace',
      'export namespace A.B { export const c: string; const d = 1 }',
      ['namespace A.B', 'const A.B.c: string'],
    ],
    [
      'a declared namespace shows all',
      'export declare namespace A { function b(): void }',
      ['namespace A', 'A.b(): void'],
    ],
    ['a default function', 'export default function (a: string) {}', ['default(a: string)']],
    [
      'a default function with a name',
      'export default async function b(a: string) {}',
      ['async default(a: string)'],
    ],
    [
      'a default class',
      'export default class A { b() {} }',
      ['class default', 'default.b()', 'default.constructor()'],
    ],
    ['a default name', 'const a = (b: string) => 1\nexport default a', ['default(b: string)']],
    ['a default value', 'export default { a: 1 }', ['default']],
    [
      'a list',
      'function a(b: string) {}\nconst c: number = 1\nexport { a, c as d, type E }\ninterface E { f: string }',
      ['a(b: string)', 'const d: number', 'interface E', 'E.f: string'],
    ],
    [
      'common exports',
      'function a(b) {}\nexports.c = a\nmodule.exports.d = function (e, f) {}\nexports.g = 1',
      ['d(e, f)', 'g', 'c(b)'],
    ],
    [
      'a common object',
      'function a(b) {}\nmodule.exports = { a, c: a, d(e) {}, f: (g) => g, h: 1 }',
      ['d(e)', 'f(g)', 'h', 'a(b)', 'c(b)'],
    ],
    [
      'a pattern of parameters',
      'export const a = ({ b, c = 1, ...d }, [e]: X) => 1',
      ['a({…}: {b; c?}, {…}: X)'],
    ],
    [
      'a declaration file',
      'export declare function a(b: string): void;\nexport declare const c: unique symbol\nexport {}',
      ['a(b: string): void', 'const c: unique symbol'],
    ],
    [
      'a predicate',
      'export function a(this: X, b: unknown): b is string { return true }',
      ['a(b: unknown): b is string'],
    ],
    [
      'an assertion',
      'export function a(b: unknown): asserts b is string {}',
      ['a(b: unknown): asserts b is string'],
    ],
    [
      'a function type',
      'export const a: (b: string) => { c: string } = x',
      ['const a: (b: string) => {c: string}'],
    ],
  ])('%s', (_title, text, expected) => {
    expect(signatures(text)).toEqual(expected)
  })
})

describe('text that only looks like an export is ignored', () => {
  test.each([
    ['a comment', '// export const a = 1\n/* export const b = 2 */'],
    ['a text', "const a = 'export const b = 1'\nconst c = `\nexport const d = ${`${1}`}\n`"],
    ['a regular expression', 'const a = /"export const b = `/\nconst c = 1'],
    ['the body of a function', 'function a() {\n  exports\n}'],
    ['an import', "import { a, type b } from './c'\nimport d, * as e from 'f'\nimport 'g'\nimport('h')"],
    ['a key', 'const a = {\n  export: 1,\n  default: 2,\n}'],
  ])('%s', (_title, text) => {
    expect(names(text)).toEqual([])
  })

  test.each([
    ['markup with an apostrophe', "const a = () => <p>Don't {b}</p>\nexport const c = 1", ['c']],
    [
      'a list of types in an expression',
      'export const a = b as Record<c, d>, e = new Map<f, g>(), h = 1',
      ['a', 'e', 'h'],
    ],
    ['a name that is a word of types', 'export type A = z.infer<typeof b>\nexport const c = 1', ['A', 'c']],
    ['a division', 'const a = b / c; const d = e / f\nexport const g = 1', ['g']],
    ['a comparison in a default', 'export const a = (b = c < d, e = f > g) => 1', ['a']],
    [
      'statements without semicolons',
      'let a = b\n  .c()\n  .d(e => {\n    return e\n  })\nexport const f = 1',
      ['f'],
    ],
  ])('%s does not hide what follows', (_title, text, expected) => {
    expect(names(text)).toEqual(expected)
  })
})

test('re-exports are listed', () => {
  const text =
    "export { a, b as c } from './d'\nexport * from './e.js'\nexport * as f from 'g'\nimport h, { i as j } from './k'\nexport { h, j as l }\nexport type { m } from './n'"
  expect(read(text).passedOn.map(({ name, from, original }) => `${name} = ${original} of ${from}`)).toEqual([
    'a = a of ./d',
    'c = b of ./d',
    '* = * of ./e.js',
    'f = * of g',
    'm = m of ./n',
    'h = default of ./k',
    'l = i of ./k',
  ])
})

test('each symbol has its line', () => {
  const text = '// one\n\nexport const a = `\n\n`\n/*\n*/\nexport class B {\n\n  c() {}\n}\n'
  expect(read(text).symbols.map(({ name, line }) => `${name} ${line}`)).toEqual([
    'a 3',
    'B 8',
    'B.c 10',
    'B.constructor 8',
  ])
})
