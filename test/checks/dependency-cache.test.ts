import { appendFileSync, chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Command } from '../../src/core/planning/plan.ts'
import { aSpec, aBench, BASE } from './gate-bench.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

/** An npm that installs one package and counts how often it was asked to. */
function anNpm(): {
  readonly path: string
  readonly installs: () => number
  /** What it was asked to do, in order. */
  readonly calls: () => readonly string[]
  /** It does this too. */
  readonly says: (line: string) => void
} {
  const folder = tempFolder('npm')
  const log = join(folder, 'log')
  const program = `#!/bin/sh\nmkdir -p node_modules/dep packages/a/node_modules/dep\necho fresh > node_modules/dep/index.js\necho "$@" >> ${log}\n`
  writeFileSync(join(folder, 'npm'), program)
  chmodSync(join(folder, 'npm'), 0o755)
  const calls = (): readonly string[] => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [])
  return {
    path: `${folder}:${process.env['PATH'] ?? ''}`,
    says: (line) => appendFileSync(join(folder, 'npm'), `${line}\n`),
    calls,
    installs: () => calls().length,
  }
}

const manifest = (json: object = {}): string => JSON.stringify({ dependencies: { dep: '1' }, ...json })
const repo = (lock: string, json?: object) => ({
  ...BASE,
  'package.json': manifest(json),
  'package-lock.json': lock,
  'packages/a/package.json': '{}',
})

function benchWith(trees: Record<string, Record<string, string>>, npm: string, setup: Command = 'npm ci') {
  const lint =
    'cat node_modules/dep/index.js && test -d packages/a/node_modules/dep && echo spoiled > node_modules/dep/index.js'
  return aBench(trees, { processEnv: { ...process.env, PATH: npm }, environment: { setup, lint } })
}

test('a lock file is installed once, and every checkout has a copy of its own', async () => {
  const npm = anNpm()
  const { gate } = benchWith({ base: repo('1'), tree: repo('1') }, npm.path)
  for (let times = 0; times < 3; times++) {
    const { outcome, evidence } = await gate('lint')
    expect(outcome).toBe('passed')
    expect(evidence.runs[0]?.keyLines).toEqual(['fresh'])
  }
  expect(npm.installs()).toBe(1)
})

test('another lock file is installed anew', async () => {
  const npm = anNpm()
  const { gate } = benchWith({ base: repo('1'), tree: repo('1'), other: repo('2') }, npm.path)
  await gate('lint')
  await gate('lint', { tree: 'other' })
  expect(npm.installs()).toBe(2)
})

test('a tree that hooks into the install, as its contract allows, has an installation of its own', async () => {
  const npm = anNpm()
  const hooked = { ...repo('1'), '.pnpmfile.cjs': 'module.exports = {}' }
  const { gate } = benchWith({ base: repo('1'), tree: repo('1'), hooked }, npm.path)
  const spec = aSpec({ files: { create: ['.pnpmfile.cjs'], modify: [], delete: [] } })
  await gate('lint', { tree: 'hooked', spec })
  await gate('lint')
  expect(npm.installs()).toBe(2)
})

test('a hook that no contract allows is restored before the install', async () => {
  const npm = anNpm()
  const hooked = { ...repo('1'), '.pnpmfile.cjs': 'module.exports = {}' }
  const { gate } = benchWith({ base: repo('1'), tree: repo('1'), hooked }, npm.path)
  await gate('lint', { tree: 'hooked' })
  await gate('lint')
  expect(npm.installs()).toBe(1)
})

test.each<[string, Record<string, string>]>([
  ['a package that builds itself when it is installed', repo('1', { scripts: { prepare: 'make' } })],
  [
    'a member package that builds itself',
    {
      ...repo('1', { workspaces: ['packages/a'] }),
      'packages/a/package.json': '{"scripts":{"postinstall":"node build.js"}}',
    },
  ],
])('what may depend on the sources is made once for each tree: %s', async (_, tree) => {
  const npm = anNpm()
  const other = { ...tree, 'src/other.mjs': 'export {}\n' }
  const { gate } = benchWith({ base: tree, tree, other }, npm.path)
  for (const outcome of [await gate('lint'), await gate('lint'), await gate('lint')].map(
    (one) => one.outcome,
  ))
    expect(outcome).toBe('passed')
  expect(npm.installs()).toBe(1)
  await gate('lint', { tree: 'other' })
  expect(npm.installs()).toBe(2)
})

test('what may depend on the sources is made anew where files of the base were restored first', async () => {
  const npm = anNpm()
  const hooked = repo('1', { scripts: { prepare: 'make' } })
  const weaker = { ...hooked, '.eslintrc': '{ "root": true }\n' }
  const { gate } = benchWith({ base: hooked, tree: weaker }, npm.path)
  await gate('lint')
  await gate('lint')
  expect(npm.installs()).toBe(2)
})

test('a package that only prepares itself takes its packages from the start commit, and never from a draft', async () => {
  const npm = anNpm()
  const base = repo('1', { scripts: { prepare: 'make' } })
  const other = { ...base, 'package-lock.json': '2' }
  const trees = { base, tree: { ...base, 'src/more.mjs': 'export {}\n' }, other }
  const { gate, runner } = benchWith(trees, npm.path)
  const spec = aSpec({ files: { create: [], modify: ['package-lock.json'], delete: [] } })
  await gate('lint', { tree: 'other', spec })
  await gate('lint', { tree: 'other', spec, attempt: 2 })
  expect(npm.calls()).toEqual(['ci'])
  await runner.takeBaseline(
    { tree: 'base', tasks: [], inTree: () => null, textOf: () => null },
    new AbortController().signal,
  )
  await gate('lint')
  expect(npm.calls()).toEqual(['ci', 'ci', 'run prepare'])
})

test('what names the folder it was made in is not used in another one', async () => {
  const npm = anNpm()
  npm.says('echo "$PWD" > node_modules/place')
  const tree = repo('1', { scripts: { prepare: 'make' } })
  const { gate } = benchWith({ base: tree, tree }, npm.path)
  await gate('lint')
  await gate('lint')
  expect(npm.installs()).toBe(2)
})

test('a set-up that does more than install is made each time', async () => {
  const npm = anNpm()
  const { gate } = benchWith({ base: repo('1'), tree: repo('1') }, npm.path, 'npm ci && echo generate')
  await gate('lint')
  await gate('lint')
  expect(npm.installs()).toBe(2)
})

test('what the baseline installed is offered to workers before anything else runs, without the files of the tree', async () => {
  const npm = anNpm()
  const offered: unknown[] = []
  const lint = 'echo spoiled > node_modules/dep/index.js && echo more > left.txt'
  const { runner } = aBench(
    { base: repo('1') },
    {
      processEnv: { ...process.env, PATH: npm.path },
      environment: { setup: 'npm ci', lint, test: null },
      onInstalled: ({ tree, root, setup, entries }) => {
        offered.push({
          tree,
          setup,
          entries,
          text: readFileSync(join(root, 'node_modules/dep/index.js'), 'utf8'),
        })
        return Promise.resolve()
      },
    },
  )
  await runner.takeBaseline(
    { tree: 'base', tasks: [], inTree: () => null, textOf: () => null },
    new AbortController().signal,
  )
  const entries = ['node_modules', 'packages/a/node_modules']
  expect(offered).toEqual([{ tree: 'base', setup: 'npm ci', entries, text: 'fresh\n' }])
})

test('a set-up that fails is not kept', async () => {
  const npm = anNpm()
  const failing = benchWith({ base: repo('1'), tree: repo('1') }, npm.path, 'npm ci --offline; exit 1')
  expect(await failing.gate('lint')).toMatchObject({ outcome: 'inconclusive' })
  expect(await failing.gate('lint')).toMatchObject({ outcome: 'inconclusive' })
})

const bare = (json?: object) => ({ ...BASE, 'package.json': manifest(json), 'packages/a/package.json': '{}' })

test('without a lock file dependencies are installed once per manifests, and the verdict says so', async () => {
  const npm = anNpm()
  const changed = bare({ dependencies: { dep: '2' } })
  const { gate } = benchWith({ base: bare(), tree: bare(), changed }, npm.path, 'npm install')
  const first = await gate('lint')
  expect(first.evidence.findings).toEqual([])
  const second = await gate('lint')
  expect(second.outcome).toBe('passed')
  expect(second.evidence.runs[0]?.keyLines).toEqual(['fresh'])
  expect(second.evidence.findings.map(({ text }) => text)).toEqual([
    'dependencies reused, keyed by package.json, packages/a/package.json (no lock file)',
  ])
  expect(npm.installs()).toBe(1)
  const spec = aSpec({ files: { create: [], modify: ['package.json'], delete: [] } })
  await gate('lint', { tree: 'changed', spec })
  expect(npm.installs()).toBe(2)
})
