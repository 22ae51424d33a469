import { describe, expect, test } from 'vitest'
import { aChange, type BeforeAfter } from '../../../../test/helpers/a-change.ts'
import { loadTestParser } from '../../../../test/helpers/test-parser.ts'
import { parseYamlText } from '../../../lib/files/yaml-text.ts'
import type { Change } from '../change.ts'
import { breaksIn } from '../written-findings.ts'
import { contractGate, promisedName } from './contract-gate.ts'

const parser = await loadTestParser('ts', 'tsx', 'py', 'go', 'rs', 'hpp')

interface Input {
  readonly files?: Readonly<Record<string, BeforeAfter>>
  /** Unchanged files. */
  readonly rest?: Readonly<Record<string, string>>
  readonly interfaces?: readonly string[]
  readonly breakingChange?: boolean
  readonly change?: Change
}

function judge({ files = {}, rest = {}, interfaces = [], breakingChange = false, change }: Input) {
  const now: Record<string, string> = { ...rest }
  for (const [path, [, after]] of Object.entries(files)) if (after !== null) now[path] = after
  return contractGate({
    spec: { interfaces, breakingChange },
    change: change ?? aChange(files),
    tree: { has: (path) => path in now, text: (path) => now[path] ?? null },
    allPaths: () => Object.keys(now),
    parsed: parser.parsed,
    parseDocument: parseYamlText,
  })
}

const BROKEN: BeforeAfter = ['export function a(b: string) {}\n', '\nexport function a(b: number) {}\n']
const texts = (verdict: ReturnType<typeof judge>): string[] =>
  verdict.evidence.findings.map(({ text }) => text)

describe('a break needs the plan to allow it', () => {
  test('without that it fails, and names symbol, place and both forms', () => {
    const verdict = judge({ files: { 'src/a.ts': BROKEN } })
    expect(verdict).toMatchObject({
      outcome: 'failed',
      summary: 'a b is number instead of string; set breaking_change: true if the task may break callers',
    })
    expect(verdict.evidence.findings[0]).toEqual({
      weight: 'blocks',
      text: 'breaks: a b is number instead of string: function a(b: string) → function a(b: number)',
      file: 'src/a.ts',
      line: 2,
    })
  })

  test('with it the break is a note, for release notes to be made from', () => {
    const verdict = judge({ files: { 'src/a.ts': BROKEN }, breakingChange: true })
    expect([verdict.outcome, verdict.summary]).toEqual(['passed', '1 break, which the plan allows'])
    expect(breaksIn([verdict])).toEqual([
      {
        text: 'a b is number instead of string: function a(b: string) → function a(b: number)',
        file: 'src/a.ts',
        line: 2,
      },
    ])
    expect(breaksIn([{ ...verdict, gate: 'lint' }])).toEqual([])
  })

  test('what the text does not decide passes for review', () => {
    const files: Input['files'] = {
      'src/a.ts': ['export function a(b: string) {}', 'export function a(b: string | null) {}'],
    }
    const verdict = judge({ files })
    expect([verdict.outcome, verdict.summary]).toEqual([
      'passed',
      '1 public name may have changed for callers',
    ])
    expect(verdict.evidence.findings[0]).toMatchObject({
      weight: 'review',
      text: expect.stringMatching(/^may break: a b is string \| null instead of string: /),
      file: 'src/a.ts',
    })
    expect(breaksIn([verdict])).toEqual([])
    const allowed = judge({ files, breakingChange: true })
    expect(breaksIn([allowed])).toMatchObject([{ text: expect.stringMatching(/^may break: a b is/) }])
  })

  test('new names pass', () => {
    const verdict = judge({
      files: { 'src/a.ts': [null, 'export const a = 1'], 'src/b.py': ['', 'def c(): ...'] },
    })
    expect(verdict.outcome).toBe('passed')
    expect(texts(verdict)).toEqual(expect.arrayContaining(['new: a', 'new: def c()']))
    expect(breaksIn([verdict])).toEqual([])
  })

  test.each([
    ['src/a.py', 'def a(b): ...', 'def a(b, c): ...'],
    ['pkg/a.go', 'package a\nfunc B() {}', 'package a\n'],
    ['src/lib.rs', 'pub fn a() {}', 'fn a() {}'],
    ['include/a.hpp', 'int a(int);', 'int a(long);'],
    ['src/a.jsx', 'export const A = () => <p/>', ''],
    ['api.yaml', 'openapi: 3.0.0\npaths: { /a: { get: {} } }', 'openapi: 3.0.0\npaths: {}'],
    ['api.json', '{"openapi": "3.0.0", "paths": {"/a": {"get": {}}}}', '{"openapi": "3.0.0", "paths": {}}'],
  ])('%s is held against what it was', (path, before, after) => {
    expect(judge({ files: { [path]: [before, after] } }).outcome).toBe('failed')
    expect(judge({ files: { [path]: [before, `${before}\n`] } }).outcome).toBe('passed')
  })
})

describe('a regular expression with a bracket hides no export', () => {
  const LINE = 'if (x) /[{]/.test(x)\n'
  const EXPORTS = 'export const a = 1\nexport const b = 2\n'

  test('adding the line breaks nothing', () => {
    expect(judge({ files: { 'src/a.ts': [EXPORTS, LINE + EXPORTS] } }).outcome).toBe('passed')
  })

  test('an export that goes from below it was removed', () => {
    const after = `${LINE}export const a = 1\n`
    expect(judge({ files: { 'src/a.ts': [LINE + EXPORTS, after] } })).toMatchObject({
      outcome: 'failed',
      summary: expect.stringContaining('b was removed'),
    })
  })
})

describe('non-public names do not count', () => {
  test.each([
    'test/a.test.ts',
    'src/a_test.go',
    'examples/a.ts',
    'scripts/a.mjs',
    'vite.config.ts',
    'internal/a.go',
    'a.md',
    'src/a.c',
    'package.json',
  ])('%s', (path) => {
    const before = path.endsWith('.go') ? 'package a\nfunc A() {}' : 'export const a = 1'
    expect(judge({ files: { [path]: [before, ''] } }).outcome).toBe('not_applicable')
  })
})

describe('names move with what knows them', () => {
  test('a function of Go may move within its package', () => {
    const files: Input['files'] = {
      'shop/a.go': ['package shop\nfunc A() {}\n', 'package shop\n'],
      'shop/b.go': [null, 'package shop\nfunc A() {}\n'],
    }
    expect(judge({ files }).outcome).toBe('passed')
  })

  test('a declaration may move to another header', () => {
    const files: Input['files'] = { 'a.h': ['int a(int);', ''], 'b.h': [null, 'int a(int);'] }
    expect(judge({ files }).outcome).toBe('passed')
  })

  test('a module of Python may not', () => {
    const files: Input['files'] = { 'a.py': ['def c(): ...', ''], 'b.py': [null, 'def c(): ...'] }
    expect(judge({ files }).outcome).toBe('failed')
  })
})

describe('of a package only what its entries export is public', () => {
  const manifest = (fields: object) => JSON.stringify({ name: 'shop', ...fields })
  const PACKAGE = manifest({ exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } } })
  const index = "export * from './shop.js'\nexport { cart as basket } from './cart'\n"

  test('unreachable names may change', () => {
    const rest = {
      'package.json': PACKAGE,
      'src/index.ts': index,
      'src/shop.ts': '',
      'src/cart.ts': 'export const cart = 1',
    }
    expect(judge({ rest, files: { 'src/deep.ts': ['export const a = 1', ''] } }).outcome).toBe('passed')
  })

  test('re-exported names may not break, and are listed under their exported name', () => {
    const rest = { 'package.json': PACKAGE, 'src/index.ts': index, 'src/shop.ts': '' }
    const files: Input['files'] = {
      'src/cart.ts': ['export function cart(a?: string) {}', 'export function cart() {}'],
    }
    expect(judge({ rest, files })).toMatchObject({
      outcome: 'failed',
      summary: expect.stringContaining('basket no longer takes a'),
    })
  })

  test('a module may move behind its entry', () => {
    const files: Input['files'] = {
      'src/index.ts': ["export * from './a'", "export * from './b'"],
      'src/a.ts': ['export const x: string = y', null],
      'src/b.ts': [null, 'export const x: string = y'],
    }
    expect(judge({ rest: { 'package.json': PACKAGE }, files }).outcome).toBe('passed')
  })

  test('an entry that is gone takes its names along', () => {
    const files: Input['files'] = {
      'package.json': [
        manifest({ exports: { '.': './a.js', './b': './b.js' } }),
        manifest({ exports: { '.': './a.js' } }),
      ],
    }
    const rest = { 'a.js': 'export const a = 1', 'b.js': 'export const b = 1' }
    expect(judge({ rest, files })).toMatchObject({
      outcome: 'failed',
      summary: expect.stringContaining('b was removed'),
    })
  })

  test('without an entry every exported name counts, and the verdict says so', () => {
    const rest = { 'package.json': manifest({ main: './made/somewhere.js' }) }
    const verdict = judge({ rest, files: { 'src/a.ts': ['export const a = 1', ''] } })
    expect(verdict.outcome).toBe('failed')
    expect(texts(verdict)).toContain('compared: all exported names except those of tests')
  })
})

describe('unreadable files do not pass', () => {
  test('a file that is no text', () => {
    const change: Change = {
      base: 'base',
      files: [{ path: 'a.ts', kind: 'modified', added: [], removed: [], lines: null, isBinary: true }],
    }
    expect(judge({ change, rest: {} })).toMatchObject({ outcome: 'inconclusive' })
  })

  test('a document that is broken', () => {
    const files: Input['files'] = { 'api.yaml': ['openapi: 3.0.0\npaths: {}', 'openapi: 3.0.0\npaths: ['] }
    expect(judge({ files }).outcome).toBe('inconclusive')
  })
})

describe('parse errors make a verdict inconclusive only if they matter', () => {
  const EXPORTS = 'export function a(b: string) {}\nexport const c = 1\n'

  test('a name that is missing where a text is not closed may stand in it', () => {
    const after = "export function a(b: string) {}\nconst x = 'oops\nexport const c = 1\n"
    expect(judge({ files: { 'src/a.ts': [EXPORTS, after] } })).toMatchObject({
      outcome: 'inconclusive',
      summary: 'c was removed, unless it is in a part of src/a.ts that could not be parsed',
    })
  })

  test('a signature that is broken is not compared', () => {
    const after = EXPORTS.replace('b: string', 'b: ][ string')
    expect(judge({ files: { 'src/a.ts': [EXPORTS, after] } }).outcome).toBe('inconclusive')
  })

  test('a parse error in a function body does not matter', () => {
    const after = EXPORTS.replace('{}', '{ let = = 1 }')
    expect(judge({ files: { 'src/a.ts': [EXPORTS, after] } }).outcome).toBe('passed')
  })

  test('the same parse error on both sides does not matter', () => {
    const broken = `@@@ [\n${EXPORTS}`
    const after = broken.replace('c = 1', 'c = 2')
    expect(judge({ files: { 'src/a.ts': [broken, after] } }).outcome).toBe('passed')
  })

  test.each([
    ['src/a.ts', 'export namespace a {', '}'],
    ['src/lib.rs', 'pub mod a {', '}'],
    ['include/a.hpp', 'namespace a {', '}'],
  ])('%s: what is nested without end is not passed', (path, open, close) => {
    const text = open.repeat(4_000) + close.repeat(4_000)
    const verdict = judge({ files: { [path]: [text, `${text}\n`] } })
    expect(verdict.outcome).toBe('inconclusive')
  })

  test('a file that the parser gave up on is not passed', () => {
    const facts = {
      spec: { interfaces: [], breakingChange: false },
      change: aChange({ 'src/a.ts': [EXPORTS, ''] }),
      tree: { has: () => true, text: () => '' },
      allPaths: () => [],
      parseDocument: parseYamlText,
    }
    const verdict = contractGate({ ...facts, parsed: () => ({ unread: 'timed_out' }) })
    expect([verdict.outcome, verdict.summary]).toEqual([
      'inconclusive',
      'src/a.ts: it could not be parsed: the parser took too long',
    ])
  })
})

describe('interfaces that a task promises must exist', () => {
  const files: Input['files'] = {
    'src/a.ts': [null, 'export class Shop { open(): void {} }\nexport function slugify(a: string) {}'],
  }
  test.each([
    ['slugify(text: string): string'],
    ['`slugify`'],
    ['export function slugify(text)'],
    ['Shop.open()'],
    ['Produces: Shop#open'],
    ['class Shop'],
  ])('%s', (text) => {
    expect(judge({ files, interfaces: [text] }).outcome).toBe('passed')
  })

  test('a missing name fails', () => {
    const verdict = judge({ files, interfaces: ['`close(): void`'] })
    expect([verdict.outcome, verdict.summary]).toEqual([
      'failed',
      'the task promises close, but there is no public symbol of that name: `close(): void`',
    ])
  })

  test('an existing name fulfils the promise', () => {
    expect(judge({ files, rest: { 'lib/b.py': 'def close(): ...' }, interfaces: ['close()'] }).outcome).toBe(
      'passed',
    )
  })

  test('words that name nothing are for review', () => {
    const verdict = judge({ files, interfaces: ['Users can filter the list', 'GET /todos'] })
    expect(verdict.outcome).toBe('passed')
    expect(texts(verdict).filter((text) => text.startsWith('review must confirm'))).toHaveLength(2)
  })

  test.each([
    ['GET /todos/:id returns one', 'GET /todos/{}'],
    ['def parse(text) -> Plan', 'parse'],
    ['`std::open`', 'std.open'],
    ['A list of things', null],
    ['TodoStore', 'TodoStore'],
  ])('%s names %s', (text, expected) => {
    expect(promisedName(text)).toBe(expected)
  })
})

test('five thousand files that did not change cost nothing', () => {
  const rest = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, n) => [`src/m${n}.ts`, `export const a${n} = 1`]),
  )
  let read = 0
  const change = aChange({ 'src/x.ts': ['export const x = 1', 'export const x = 2'] })
  contractGate({
    spec: { interfaces: [], breakingChange: false },
    change,
    tree: { has: (path) => path in rest || path === 'src/x.ts', text: () => (read++, 'export const x = 2') },
    allPaths: () => Object.keys(rest),
    parsed: parser.parsed,
    parseDocument: parseYamlText,
  })
  expect(read).toBe(1)
})
