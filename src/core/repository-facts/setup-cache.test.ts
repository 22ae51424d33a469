import { describe, expect, test } from 'vitest'
import { isReusableSetup, setupInputs } from './setup-cache.ts'

const plain = JSON.stringify({ scripts: { test: 'x' }, dependencies: { dep: '^1' } })

describe('the result of a set-up is reused', () => {
  test.each(['npm ci', 'npm install --no-audit', 'pnpm install --frozen-lockfile', 'yarn', 'bun i'])(
    'after a plain install: %s',
    (setup) => expect(isReusableSetup(setup, [plain])).toBe(true),
  )
  test('also when it is given as a list', () => expect(isReusableSetup(['npm', 'ci'], [plain])).toBe(true))
})

describe('the result of a set-up is not reused', () => {
  test.each(['npm ci && make', 'make', 'npm run build', 'npm ci ./packages/a', 'NODE_ENV=x npm ci'])(
    'after anything more than an install: %s',
    (setup) => expect(isReusableSetup(setup, [plain])).toBe(false),
  )
  test.each([
    ['no manifest', []],
    ['a manifest that cannot be read', [plain, '{']],
    ['a manifest that is missing', [null]],
    ['a package that builds itself', [JSON.stringify({ scripts: { prepare: 'make' } })]],
    [
      'a member package that builds itself',
      [plain, JSON.stringify({ scripts: { postinstall: 'node b.js' } })],
    ],
    ['a package made from a folder', [JSON.stringify({ devDependencies: { a: 'file:../a' } })]],
  ])('with %s', (_, manifests) => expect(isReusableSetup('npm ci', manifests)).toBe(false))
})

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
