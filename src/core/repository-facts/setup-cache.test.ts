import { describe, expect, test } from 'vitest'
import type { Command } from '../planning/plan.ts'
import { prepareCommand, setupInputs, setupReuse } from './setup-cache.ts'

const plain = JSON.stringify({ scripts: { test: 'x' }, dependencies: { dep: '^1' } })
const building = JSON.stringify({ scripts: { postinstall: 'node build.js' } })

const reuse = (setup: Command, manifests: Readonly<Record<string, string | null>>) =>
  setupReuse(setup, new Set(Object.keys(manifests)), (path) => manifests[path] ?? null)

describe('the result of a set-up serves other trees with the same lock file', () => {
  test.each([
    'npm ci',
    'npm install --no-audit --registry=http://127.0.0.1:4873/',
    'pnpm install --frozen-lockfile',
    'yarn',
    'bun i',
  ])('after a plain install: %s', (setup) => expect(reuse(setup, { 'package.json': plain })).toBe('inputs'))

  test('also when it is given as a list', () =>
    expect(reuse(['npm', 'ci'], { 'package.json': plain })).toBe('inputs'))

  test('whatever the manifests of packages hold that are no members', () =>
    expect(reuse('npm ci', { 'package.json': plain, 'test/fixtures/package.json': building })).toBe('inputs'))
})

describe('the packages of a set-up serve other trees with the same lock file', () => {
  const preparing = JSON.stringify({ scripts: { prepare: 'make' } })

  test('where all that a package runs beside is its prepare script', () => {
    expect(reuse('npm ci', { 'package.json': preparing })).toBe('packages')
    expect(
      reuse('npm ci', { 'package.json': JSON.stringify({ scripts: { prepare: 'x', install: 'y' } }) }),
    ).toBe('tree')
    expect(reuse('npm ci', { 'package.json': preparing, 'lerna.json': '{}' })).toBe('tree')
  })

  test('which its package manager runs alone', () => {
    expect(prepareCommand('pnpm install --frozen-lockfile')).toEqual(['pnpm', 'run', 'prepare'])
    expect(prepareCommand(['npm', 'ci'])).toEqual(['npm', 'run', 'prepare'])
  })
})

describe('the result of a set-up serves the same tree only', () => {
  test.each<[string, Readonly<Record<string, string | null>>]>([
    ['a manifest that cannot be read', { 'package.json': '{' }],
    ['a package that builds itself', { 'package.json': building }],
    [
      'a member package that builds itself',
      { 'package.json': JSON.stringify({ workspaces: ['a'] }), 'a/package.json': building },
    ],
    [
      'a member of a pnpm workspace that builds itself',
      { 'package.json': plain, 'pnpm-workspace.yaml': '', 'a/package.json': building },
    ],
    [
      'a package made from a folder',
      { 'package.json': JSON.stringify({ devDependencies: { a: 'file:../a' } }) },
    ],
  ])('with %s', (_, manifests) => expect(reuse('npm ci', manifests)).toBe('tree'))

  test('where the project itself is installed', () =>
    expect(reuse('uv sync --frozen', { 'pyproject.toml': '' })).toBe('tree'))
})

test.each(['npm ci && make', 'make', 'npm run build', 'npm ci ./packages/a', 'NODE_ENV=x npm ci'])(
  'the result of anything more than an install is not reused: %s',
  (setup) => expect(reuse(setup, { 'package.json': plain })).toBeNull(),
)

test('an installation is identified by lock files, manifests, settings and hooks only', () => {
  const files = ['src/a.ts', 'package.json', 'pkg/package.json', '.npmrc', '.pnpmfile.cjs', 'pnpm-lock.yaml']
  expect(setupInputs([...files, '.yarn/plugins/x.cjs', 'requirements-dev.txt'])?.paths).toEqual([
    '.npmrc',
    '.pnpmfile.cjs',
    '.yarn/plugins/x.cjs',
    'package.json',
    'pkg/package.json',
    'pnpm-lock.yaml',
    'requirements-dev.txt',
  ])
})

test('without a lock file an installation is identified by its manifests', () => {
  expect(setupInputs(['package.json', 'pkg/a/package.json', '.npmrc', 'src/a.ts'])).toEqual({
    paths: ['.npmrc', 'package.json', 'pkg/a/package.json'],
    keyedBy: 'manifests',
    keyFiles: 'package.json, pkg/a/package.json',
  })
  for (const manifest of [
    'pyproject.toml',
    'requirements-dev.txt',
    'setup.py',
    'go.mod',
    'Cargo.toml',
    'Gemfile',
  ])
    expect(setupInputs([manifest])).toMatchObject({ keyedBy: 'manifests', keyFiles: manifest })
  expect(setupInputs(['package.json', 'package-lock.json'])).toMatchObject({
    keyedBy: 'lock',
    keyFiles: 'package-lock.json',
  })
})

test('without a file that names dependencies nothing is reused', () => {
  expect(setupInputs(['src/a.ts', 'Makefile', '.npmrc'])).toBeNull()
})
