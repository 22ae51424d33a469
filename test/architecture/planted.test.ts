/** Shows that the checker catches what it is there for: one planted violation of each kind. */
import { expect, test } from 'vitest'
import { checkArchitecture, importsOnCircles, type Violation } from './check.ts'
import { CORE, MAX_FILES, MAX_LINES, PARTS } from './table.ts'

/** A tree in which every file is used by a test, so that only what is planted is wrong. */
function plant(files: Readonly<Record<string, string>>): readonly Violation[] {
  const uses = Object.keys(files).map((path) => `import '../${path}'`)
  return checkArchitecture(new Map([...Object.entries(files), ['test/uses.test.ts', uses.join('\n')]]))
}

function places(violations: readonly Violation[]): readonly string[] {
  return violations.map((one) => `${one.file}:${one.line} ${one.rule}`)
}

const IMPORT_FORMS = [
  ['a static import', "import { x } from '../store/x.ts'"],
  ['an import for its effect', "import '../store/x.ts'"],
  ['a type import', "import type { x } from '../store/x.ts'"],
  ['an inline type import', "import { type x } from '../store/x.ts'"],
  ['a dynamic import', "export const load = () => import('../store/x.ts')"],
  ['a dynamic import of a template', 'export const load = () => import(`../store/x.ts`)'],
  ['a computed import', 'export const load = (name: string) => import(name)'],
  ['a re-export', "export { x } from '../store/x.ts'"],
  ['a re-export of everything', "export * from '../store/x.ts'"],
  ['a type re-export', "export type { x } from '../store/x.ts'"],
  ['an import type', "export type X = import('../store/x.ts').X"],
  ['a require', "export const x = require('../store/x.ts')"],
  ['an import over several lines', "import {\n  x,\n} from '../store/x.ts'"],
] as const

test.each(IMPORT_FORMS)('%s of an adapter by the engine is found', (_, line) => {
  const found = plant({
    'src/engine/loop.ts': `/* import '../store/y.ts' */ // a comment\n${line}\nexport {}`,
    'src/store/x.ts': '',
  })
  expect(places(found.filter((one) => one.rule === 'import'))).toEqual(['src/engine/loop.ts:2 import'])
})

test('an import in a comment, a string or a template is none', () => {
  const found = plant({
    'src/engine/loop.ts': [
      "// import '../store/x.ts'",
      "/* export * from '../store/x.ts' */",
      'export const a = "import \'../store/x.ts\'"',
      "export const b = `import('../store/x.ts')`",
      'export const c = /import "..\\/store\\/x.ts"/',
    ].join('\n'),
    'src/store/x.ts': '',
  })
  expect(found).toEqual([])
})

test.each([
  ['lib', 'core'],
  ['core', 'lib'],
  ['core', 'lib/process'],
  ['core', 'ports'],
  ['ports', 'engine'],
  ['ports', 'lib'],
  ['engine', 'store'],
  ['engine', 'app'],
  ['store', 'workspaces'],
  ['store', 'engine'],
  ['agents', 'checks'],
  ['brain', 'agents'],
  ['simulation', 'store'],
  ['app', 'store'],
  ['app', 'cli'],
  ['config', 'app'],
  ['cli', 'store'],
  ['cli', 'engine'],
  ['cli', 'server'],
  ['server', 'core'],
  ['mcp', 'cli'],
  ['protocol', 'app'],
])('%s may not import %s', (from, to) => {
  const found = plant({ [`src/${from}/a.ts`]: `\nimport '../${to}/b.ts'`, [`src/${to}/b.ts`]: '' })
  expect(places(found)).toEqual([`src/${from}/a.ts:2 import`])
})

test.each(Object.entries(PARTS))('%s may import what the table says', (from, part) => {
  for (const to of part.imports) {
    expect(plant({ [`src/${from}/a.ts`]: `import '../${to}/b.ts'`, [`src/${to}/b.ts`]: '' })).toEqual([])
  }
})

test('a part within a part has its own row', () => {
  const text = { 'src/lib/text/b.ts': '' }
  expect(plant({ ...text, 'src/core/a.ts': "import '../lib/text/b.ts'" })).toEqual([])
  expect(plant({ ...text, 'src/app/a.ts': "import '../lib/text/b.ts'" })).toEqual([])
  const lib = { 'src/lib/a.ts': '', 'src/lib/text/b.ts': "import '../a.ts'\nexport const x = Date.now()" }
  expect(places(plant(lib))).toEqual(['src/lib/text/b.ts:1 import', 'src/lib/text/b.ts:2 purity'])
})

test('a door may import types of the core, not its code', () => {
  const core = { 'src/core/plan.ts': 'export interface Plan {}' }
  const types = "import type { Plan } from '../core/plan.ts'\nexport type P = Plan"
  expect(plant({ ...core, 'src/cli/a.ts': types })).toEqual([])
  const code = "import { Plan } from '../core/plan.ts'"
  expect(places(plant({ ...core, 'src/cli/a.ts': code }))).toEqual(['src/cli/a.ts:1 import'])
})

test('nothing imports main.ts, or what lies outside src', () => {
  const found = plant({
    'src/main.ts': '',
    'src/cli/a.ts': "import '../main.ts'\nimport '../../test/help.ts'",
    'test/help.ts': '',
  })
  expect(places(found)).toEqual(['src/cli/a.ts:1 import', 'src/cli/a.ts:2 import'])
})

test('the page imports types of the protocol and nothing else of src/', () => {
  const found = plant({
    'src/protocol/a.ts': '',
    'src/core/a.ts': '',
    'web/src/main.tsx':
      "import type { A } from '../../src/protocol/a.ts'\nimport '../../src/protocol/a.ts'\nimport type { B } from '../../src/core/a.ts'\nimport 'node:fs'\nimport 'react'",
  })
  expect(places(found).filter((place) => place.startsWith('web/'))).toEqual([
    'web/src/main.tsx:2 import',
    'web/src/main.tsx:3 import',
    'web/src/main.tsx:4 package',
  ])
})

test('composition imports every part, and an entry point only what it starts', () => {
  const all = Object.keys(PARTS).filter((part) => !['entry', 'mcp', 'web'].includes(part))
  const files = Object.fromEntries(all.map((part) => [`src/${part}/a.ts`, '']))
  const imports = all.filter((part) => part !== 'composition').map((part) => `import '../${part}/a.ts'`)
  expect(plant({ ...files, 'src/composition/all.ts': imports.join('\n') })).toEqual([])
  const entry = { 'src/main.ts': "import './composition/a.ts'\nimport './store/a.ts'" }
  expect(places(plant({ ...files, ...entry }))).toEqual(['src/main.ts:2 import'])
})

test('a folder of the core imports code only of those in its row, and types of all', () => {
  const [from = ''] = Object.entries(CORE).find(([, row]) => !row.includes('decide')) ?? []
  const decide = { 'src/core/decide/b.ts': 'export interface B {}' }
  const code = plant({ ...decide, [`src/core/${from}/a.ts`]: "\nimport '../decide/b.ts'" })
  expect(places(code)).toEqual([`src/core/${from}/a.ts:2 core-folder`])
  const type = "import type { B } from '../decide/b.ts'\nexport type A = B"
  expect(plant({ ...decide, [`src/core/${from}/a.ts`]: type })).toEqual([])
  expect(places(plant({ 'src/core/cellar/a.ts': '' }))).toEqual(['src/core/cellar/a.ts:1 core-folder'])
})

test('a folder of too many files is found; tests beside them do not count', () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`src/lib/box/a${at}.ts`, '']))
  expect(plant({ ...many(MAX_FILES), 'src/lib/box/a1.test.ts': '' })).toEqual([])
  expect(places(plant(many(MAX_FILES + 1)))).toEqual(['src/lib/box:1 folder'])
})

test.each([
  ['core', 'node:fs'],
  ['core', 'yaml'],
  ['ports', 'zod'],
  ['engine', 'node:crypto'],
  ['engine', '@clack/prompts'],
  ['simulation', 'node:timers'],
  ['app', 'kysely'],
])('%s may not import the package %s', (part, name) => {
  const found = plant({ [`src/${part}/a.ts`]: `\n\nimport '${name}'` })
  expect(places(found)).toEqual([`src/${part}/a.ts:3 package`])
})

test('a folder that is not in the table is found', () => {
  expect(places(plant({ 'src/utils/a.ts': '' }))).toEqual(['src/utils/a.ts:1 unknown-part'])
})

const IMPURE = [
  'Date.now()',
  'new Date()',
  'Date(1)',
  'new Date(...[])',
  'new Date(2026, 0, 5)',
  "new Date('2026-01-05T10:00')",
  'new Date(`2026-01-05T10:00`)',
  'new Date(1).getHours()',
  'new Date(1).toDateString()',
  '[Date]',
  'Math.random()',
  "Math['random']()",
  'setTimeout(() => 1, 1)',
  'setInterval(() => 1, 1)',
  'process.env',
  'crypto.randomUUID()',
  "fetch('x')",
  'performance.now()',
  'globalThis.x',
  'new Intl.Collator()',
  "'a'.localeCompare('b')",
  '(1).toLocaleString()',
  "'a'.toLocaleUpperCase()",
  'import.meta.url',
  'console.log(1)',
  'new Function()',
  'Promise.resolve()',
  'async () => 1',
  '{ process }',
  'new WeakRef({})',
] as const

test.each(IMPURE)('%s has no place in the core', (code) => {
  const found = plant({ 'src/core/a.ts': `// a comment with Date.now()\nexport const x = ${code}` })
  expect(places(found)).toContain('src/core/a.ts:2 purity')
})

test.each([
  ['taking random out of Math', 'const { random } = Math\nexport { random }'],
  ['await', 'export async function f() {\n  await g()\n}'],
  ['for await', 'export async function f() {\n  for await (const x of y) x()\n}'],
  ['an async method', 'export const o = { async f() {} }'],
])('%s has no place in the core', (_, code) => {
  expect(plant({ 'src/core/a.ts': code }).map((one) => one.rule)).toContain('purity')
})

test('the engine may wait, but not look at the clock', () => {
  const wait = 'export async function f(g: () => Promise<void>) {\n  await g()\n}'
  expect(plant({ 'src/engine/a.ts': wait })).toEqual([])
  expect(places(plant({ 'src/engine/a.ts': '\nexport const x = Date.now()' }))).toEqual([
    'src/engine/a.ts:2 purity',
  ])
})

test('names, types, strings and comments are no use of what they name', () => {
  const found = plant({
    'src/core/a.ts': [
      '// Date.now(), await',
      "export const text = 'Math.random()'",
      'export interface Date2 { readonly process: Date; done(): Promise<void> }',
      'export const floor = (x: { Date: number; process: number }) => Math.floor(x.Date + x.process)',
      'export const start = Date.UTC(2026, 0, 5)',
      'export const day = (at: number) => new Date(at).toISOString()',
      'export const table = { Date: 1, process: 2, fetch: 3 } as const',
    ].join('\n'),
  })
  expect(found).toEqual([])
})

test('a name of its own hides the global only where it is declared', () => {
  const found = plant({
    'src/core/a.ts': [
      'export const f = (performance: number) => performance + 1',
      'export function g({ process }: { process: number }) { return [1].map((x) => x + process) }',
      'export const h = () => performance.now()',
      'export const k = () => { const fetch = 1; return () => fetch }',
      'export const m = () => fetch',
    ].join('\n'),
  })
  expect(places(found)).toEqual(['src/core/a.ts:3 purity', 'src/core/a.ts:5 purity'])
})

test('tests of the core may do what they like', () => {
  expect(plant({ 'src/core/a.ts': '', 'src/core/a.test.ts': "import 'node:fs'\nDate.now()" })).toEqual([])
})

test('a file that is too long is found', () => {
  const lines = (count: number) => '// line\n'.repeat(count)
  expect(plant({ 'src/lib/a.ts': lines(MAX_LINES) })).toEqual([])
  const found = plant({ 'src/lib/a.ts': lines(MAX_LINES + 1), 'bench/b.ts': lines(MAX_LINES + 1) })
  expect(places(found)).toEqual([
    `src/lib/a.ts:${MAX_LINES + 1} length`,
    `bench/b.ts:${MAX_LINES + 1} length`,
  ])
})

test('files that import each other are found', () => {
  const files = plant({ 'src/lib/a.ts': "import './b.ts'", 'src/lib/b.ts': "\nimport './a.ts'" })
  expect(places(files)).toEqual(['src/lib/b.ts:2 cycle'])
})

test('folders that import each other are counted, types too, unless one is inside the other', () => {
  const count = (files: Readonly<Record<string, string>>) => importsOnCircles(new Map(Object.entries(files)))
  const circle = count({
    'src/core/one/a.ts': "import '../two/a.ts'",
    'src/core/two/a.ts': "import type { C } from '../three/a.ts'",
    'src/core/three/a.ts': "import '../one/b.ts'",
    'src/core/one/b.ts': '',
  })
  expect(circle).toEqual([
    'src/core/one → src/core/two',
    'src/core/three → src/core/one',
    'src/core/two → src/core/three',
  ])
  expect(count({ 'src/lib/a.ts': "import './in/b.ts'", 'src/lib/in/b.ts': "import '../c.ts'" })).toEqual([])
})

test('a type, or an import at a later time, closes no circle of files', () => {
  const a = "import './b.ts'"
  const type = "import type { A } from './a.ts'\nexport type B = A"
  const later = "export const b = () => import('./a.ts')"
  for (const b of [type, later]) expect(plant({ 'src/lib/a.ts': a, 'src/lib/b.ts': b })).toEqual([])
})

test('a file that nothing uses is found', () => {
  const tree = new Map([
    ['src/main.ts', "import './composition/all.ts'"],
    [
      'src/composition/all.ts',
      "import '../cli/used.ts'\nexport const later = () => import('../cli/later.ts')",
    ],
    ['src/cli/used.ts', "export * from './deep.ts'"],
    ['src/cli/deep.ts', ''],
    ['src/cli/later.ts', ''],
    ['src/cli/unused.ts', "import './deep.ts'"],
  ])
  expect(places(checkArchitecture(tree))).toEqual(['src/cli/unused.ts:1 unreachable'])
})

test('a test that stands beside nothing is found', () => {
  const found = plant({ 'src/lib/a.ts': '', 'src/lib/a.crash.test.ts': '', 'src/lib/gone.test.ts': '' })
  expect(places(found)).toEqual(['src/lib/gone.test.ts:1 test-place'])
})
