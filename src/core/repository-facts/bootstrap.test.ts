import { expect, test } from 'vitest'
import { bootstrapFacts } from './bootstrap.ts'

const facts = (files: Record<string, string>, hasGit = true) =>
  bootstrapFacts({ files: new Set(Object.keys(files)), read: (path) => files[path] ?? null, hasGit })

test('an empty repository needs everything but git', () => {
  expect(facts({})).toEqual({
    needed: true,
    missing: ['manifest', 'test', 'lint', 'build', 'ignore_file'],
    language: null,
  })
})

test('a repository with documents alone needs a set-up', () => {
  expect(facts({ 'README.md': '# Shop', LICENSE: '', '.gitignore': 'dist' })).toMatchObject({
    needed: true,
    missing: ['manifest', 'test', 'lint', 'build'],
    language: null,
  })
})

test('sources without manifest and tests need a set-up in their language', () => {
  const files = { 'main.py': '', 'shop/cart.py': '', 'run.sh': '', 'data.json': '' }
  expect(facts(files)).toMatchObject({ needed: true, language: 'python' })
})

test('a folder without git needs a set-up, whatever is in it', () => {
  const found = facts({ 'package.json': '{"scripts":{"test":"node --test"}}' }, false)
  expect(found.needed).toBe(true)
  expect(found.missing).toContain('git')
})

test.each([
  ['a manifest', { 'Cargo.toml': '' }],
  ['a manifest in a folder', { 'server/pyproject.toml': '' }],
  ['tests that node runs', { 'a.test.mjs': '' }],
  ['a project file', { 'src/Shop.csproj': '' }],
])('a repository with %s needs no set-up', (_, files) => {
  expect(facts(files).needed).toBe(false)
})

test('a manifest deep inside the tree does not count', () => {
  expect(facts({ 'examples/a/b/c/package.json': '{}' }).needed).toBe(true)
})

test('a finished project lacks nothing', () => {
  const scripts = { test: 'node --test', lint: 'eslint .', build: 'tsc' }
  const files = { 'package.json': JSON.stringify({ scripts }), '.gitignore': '', 'src/a.ts': '' }
  expect(facts(files)).toEqual({ needed: false, missing: [], language: 'typescript' })
})
