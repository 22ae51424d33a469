import { expect, test } from 'vitest'
import { draftFiles, isPathLike, isPathsAlone, pathsIn, readFileItem } from './file-list.ts'

test.each([
  ['`a/b.ts`', ['a/b.ts']],
  ['`a/b.ts:12-40` (the parser)', ['a/b.ts']],
  ['`a/b.ts:12`, `c/d.ts#L3-L9`', ['a/b.ts', 'c/d.ts']],
  ['`x/y.svg` + `y-white.svg` — icons', ['x/y.svg', 'x/y-white.svg']],
  ['`x/y.ts`, `z.ts`', ['x/y.ts', 'x/z.ts']],
  ['`src/a.ts`, `README.md`', ['src/a.ts', 'README.md']],
  ['`src/a.ts`, `package.json`', ['src/a.ts', 'package.json']],
  ['root `AGENTS.md`', ['AGENTS.md']],
  ['`a.go` — add `b.go`, `c.go`', ['a.go']],
  ['`a/c.ts` (+ `p/v.svg`), `d/m.mdx` + `t.mdx`', ['a/c.ts', 'd/m.mdx', 'd/t.mdx', 'p/v.svg']],
  ['`a.ts` (insert after the `copilot` entry, ~line 126)', ['a.ts']],
  ['src/app.js (lines 40-74), `README.md`', ['src/app.js', 'README.md']],
  ['src/a.ts, ./src/b.ts', ['src/a.ts', 'src/b.ts']],
  ['[src/a.ts](src/a.ts)', ['src/a.ts']],
  ['`evals/` (entire tree)', ['evals/']],
  ['none (git only)', []],
  ['None', []],
  ['only those verified', []],
  ['`git status`', []],
])('%s', (text, paths) => {
  expect(pathsIn(text)).toEqual(paths)
})

test.each([
  ['Create: `a.ts`', 'create'],
  ['**Modify:** `a.ts`', 'modify'],
  ['Update `a.ts`', 'modify'],
  ['Test: `a.ts`', 'test'],
  ['Remove: `a.ts`', 'delete'],
  ['Reference: `a.ts`', 'read'],
  ['Keep: `a.ts`', 'read'],
  ['Check if `a.ts` needs it', 'read'],
  ['Create/Modify: `a.ts`', 'modify'],
  ['`a.ts` (new)', 'create'],
  ['`a.ts` (deleted)', 'delete'],
  ['`a.ts`', 'modify'],
])('%s means %s', (text, action) => {
  expect(readFileItem(text, null).entries).toEqual([{ action, path: 'a.ts' }])
})

test('an item without an action has that of the item above it', () => {
  expect(readFileItem('Create:', null)).toMatchObject({ entries: [], action: 'create' })
  expect(readFileItem('`a.ts`', 'create').entries).toEqual([{ action: 'create', path: 'a.ts' }])
})

test('several actions in one line each have their own files', () => {
  const read = (text: string): string[] =>
    readFileItem(text, null).entries.map(({ action, path }) => `${action} ${path}`)
  expect(read('Modify: src/index.js, Test: test/twice.js')).toEqual([
    'modify src/index.js',
    'test test/twice.js',
  ])
  expect(read('Create: `a/b.ts`, `a/c.ts`; **Modify:** `d.ts:3`; Delete: old.ts')).toEqual([
    'create a/b.ts',
    'create a/c.ts',
    'modify d.ts',
    'delete old.ts',
  ])
  expect(read('Modify: `a.ts`, note: `b.ts` follows')).toEqual(['modify a.ts', 'modify b.ts'])
})

test('a name without an ending is a file where it is listed as one', () => {
  const read = (text: string) => readFileItem(text, null).entries
  expect(read('Modify: `lib/a.pm`, `Changes`, `t/a.t`')).toEqual([
    { action: 'modify', path: 'lib/a.pm' },
    { action: 'modify', path: 'Changes' },
    { action: 'modify', path: 't/a.t' },
  ])
  expect(read('Create: `NEWS` and `src/b.c`').map(({ path }) => path)).toEqual(['NEWS', 'src/b.c'])
  expect(read('Modify: `src/a.ts`, the function `slugify`').map(({ path }) => path)).toEqual(['src/a.ts'])
  expect(read('the function `slugify`')).toEqual([])
})

test('a label after the end of a sentence begins another list', () => {
  expect(readFileItem('Modify: `a.pm`, `b.pm`. Create: `t/c.t`', null).entries).toEqual([
    { action: 'modify', path: 'a.pm' },
    { action: 'modify', path: 'b.pm' },
    { action: 'create', path: 't/c.t' },
  ])
})

test('a move deletes one file and creates another', () => {
  expect(readFileItem('Rename: `a.ts` → `b/a.ts`', null).entries).toEqual([
    { action: 'delete', path: 'a.ts' },
    { action: 'create', path: 'b/a.ts' },
  ])
})

test('paths outside the repository are listed separately', () => {
  expect(readFileItem('Create: `~/x.md`, `a/b.md`', null)).toMatchObject({
    entries: [{ path: 'a/b.md' }],
    outside: [{ path: '~/x.md' }],
  })
})

test('paths are distinguished from other text', () => {
  expect(['a/b', 'a.ts', '.env', 'Makefile', 'LICENSE'].every(isPathLike)).toBe(true)
  expect(['word', 'f(x)', 'npm test', '--flag', 'https://x.y/z', '/', '...', ''].some(isPathLike)).toBe(false)
})

test('a text with only file names is recognised', () => {
  const files = ['a/b.ts', '`a/b.ts:12-40` (the parser)', 'a.ts, `b.ts` and c.ts', 'src/a.ts — the parser']
  expect(files.filter((text) => !isPathsAlone(text))).toEqual([])
  const sentences = ['', 'a new user', 'a.ts must say so', '`npm test`', 'a.ts, then the rest']
  expect(sentences.filter(isPathsAlone)).toEqual([])
})

test('each path is listed once', () => {
  const entry = { action: 'create', path: 'a' } as const
  expect(draftFiles([entry, entry]).create).toEqual(['a'])
})
