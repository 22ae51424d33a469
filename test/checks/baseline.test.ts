/** The first look at a repository, by commands that really run. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { outlineOf } from '../../src/core/languages/file-outline.ts'
import { aBench, aRequest, aSpec, BASE, NODE_TEST, WORK } from './gate-bench.ts'
import type { Tree } from './memory-trees.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const quiet = new AbortController().signal
const inTree = (tree: Tree) => (path: string) => (path in tree ? outlineOf(path, tree[path] ?? '') : null)
const textOf = (tree: Tree) => (path: string) => tree[path] ?? null
const red = "import { test } from 'node:test'\ntest('always red', () => { throw new Error('no') })\n"

test('the baseline names what fails, tries the rest, and finds what exists', async () => {
  const base: Tree = { ...WORK, 'test/red.test.mjs': red }
  const { runner, trees } = aBench({ base }, { environment: { lint: 'exit 1' } })
  const tasks = [
    aSpec(),
    aSpec({ id: '2', files: { create: ['src/none.mjs'], modify: [], delete: [] }, testsToAdd: [] }),
  ]
  const baseline = await runner.takeBaseline(
    { tree: 'base', tasks, inTree: inTree(base), textOf: textOf(base) },
    quiet,
  )
  expect(baseline.failing).toEqual(['always red'])
  expect(baseline.checks.map(({ gate, outcome }) => `${gate}: ${outcome}`)).toEqual([
    'lint: failed',
    'typecheck: not_applicable',
    'build: not_applicable',
  ])
  expect(baseline.audits.map(({ task, status }) => `${task} ${status}`)).toEqual(['1 EXISTS', '2 MISSING'])
  expect(trees.open.size).toBe(0)
})

test('the baseline says what is there of each task, and the runs that it rests on', async () => {
  const base: Tree = { ...WORK, 'test/red.test.mjs': red }
  const { runner } = aBench({ base }, { environment: { test: [...NODE_TEST] } })
  const tasks = [
    aSpec(),
    aSpec({
      id: '2',
      files: { create: ['src/none.mjs'], modify: ['src/slug.mjs', 'test/red.test.mjs'], delete: [] },
      testsToAdd: ['test/old.test.mjs'],
    }),
  ]
  const { audits, tests } = await runner.takeBaseline(
    { tree: 'base', tasks, inTree: inTree(base), textOf: textOf(base) },
    quiet,
  )
  expect(tests).toEqual({ outcome: 'failed', counts: { run: 4, passed: 3, failed: 1, skipped: 0 } })
  expect(audits[0]?.runs).toMatchObject([
    {
      tree: 'base',
      ending: { kind: 'exited', code: 0 },
      outputSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  ])
  const found = audits.map(({ status, files }) => [
    status,
    ...files.map(({ path, holds, isTest, passes }) => `${path} [${holds.join()}] ${isTest ? passes : '-'}`),
  ])
  expect(found).toEqual([
    ['EXISTS', 'src/slug.mjs [slugify] -', 'test/slug.test.mjs [joins words with a dash] true'],
    [
      'PARTIAL',
      'test/old.test.mjs [old one,old two] true',
      'src/slug.mjs [slugify] -',
      'test/red.test.mjs [always red] false',
    ],
  ])
})

test('files that a command leaves in the checkout are not in the tree', async () => {
  const made = `mkdir -p src && echo 'export {}' > src/slug.mjs`
  const { runner } = aBench({ base: BASE }, { environment: { build: made } })
  const request = { tree: 'base', tasks: [aSpec()], inTree: inTree(BASE), textOf: textOf(BASE) }
  const { audits, checks } = await runner.takeBaseline(request, quiet)
  expect(checks.find(({ gate }) => gate === 'build')?.outcome).toBe('passed')
  expect(audits[0]).toMatchObject({ status: 'MISSING', files: [] })
})

test('a suite that tests its colours is green as in CI, and its report is read without them', async () => {
  const suite = [
    "const isColoured = process.env.CI === 'true' && process.env.NO_COLOR === undefined",
    String.raw`const paint = (text) => (isColoured ? '\u001b[32m' + text + '\u001b[0m' : text)`,
    "console.log('TAP version 13\\n1..1')",
    "console.log(paint(isColoured ? 'ok 1 - is green' : 'not ok 1 - is green'))",
    'process.exit(isColoured ? 0 : 1)',
  ].join('\n')
  const base: Tree = { ...BASE, 'suite.mjs': suite }
  const { runner } = aBench({ base }, { environment: { test: [process.execPath, 'suite.mjs'] } })
  const request = { tree: 'base', tasks: [aSpec()], inTree: inTree(base), textOf: textOf(base) }
  const { tests, failing } = await runner.takeBaseline(request, quiet)
  expect(failing).toEqual([])
  expect(tests).toEqual({ outcome: 'passed', counts: { run: 1, passed: 1, failed: 0, skipped: 0 } })
})

test('the suite runs where the checks have run, and a check does not see what the suite leaves', async () => {
  const environment = {
    setup: null,
    lint: 'test ! -e tested',
    build: 'touch built',
    test: 'test -e built && touch tested && echo "ok 1 - is built" && echo 1..1',
  }
  const { runner } = aBench({ base: BASE }, { environment })
  const request = { tree: 'base', tasks: [], inTree: inTree(BASE), textOf: textOf(BASE) }
  const { tests, checks, trials } = await runner.takeBaseline(request, quiet)
  expect([tests.outcome, trials]).toEqual(['passed', []])
  expect(checks.map(({ gate, outcome }) => `${gate} ${outcome}`)).toEqual([
    'lint passed',
    'typecheck not_applicable',
    'build passed',
  ])
})

test('a set-up runs once for the suite and all checks', async () => {
  const calls = join(tempFolder('set-ups'), 'calls')
  const take = async (lint: string | null) => {
    const { runner } = aBench({ base: BASE }, { environment: { setup: `echo x >> ${calls}`, lint } })
    const request = { tree: 'base', tasks: [aSpec()], inTree: inTree(BASE), textOf: textOf(BASE) }
    const { trials } = await runner.takeBaseline(request, quiet)
    expect(trials).toEqual([])
    const many = readFileSync(calls, 'utf8').split('\n').length - 1
    rmSync(calls)
    return many
  }
  expect(await take(null)).toBe(1)
  expect(await take('true')).toBe(1)
})

test('tests that cannot run have not failed', async () => {
  const { runner } = aBench({ base: BASE }, { environment: { test: 'no-such-program-anywhere' } })
  const request = { tree: 'base', tasks: [], inTree: inTree(BASE), textOf: textOf(BASE) }
  const baseline = await runner.takeBaseline(request, quiet)
  expect([baseline.failing, baseline.tests]).toEqual([[], { outcome: 'not_run', counts: null }])
  expect(baseline.warnings).toContain('no test ran at the start commit')
})

test.each([
  ['names no test', 'true'],
  ['writes no report', { command: 'true', report: 'junit:out.xml' }],
  ['runs no test', { command: 'echo 1..0', report: 'tap' }],
] as const)(
  'a suite that exits with 0 and %s has not passed, and shows no task to be there',
  async (_, test) => {
    const { runner } = aBench({ base: WORK }, { environment: { test } })
    const request = { tree: 'base', tasks: [aSpec()], inTree: inTree(WORK), textOf: textOf(WORK) }
    const { tests, audits, warnings } = await runner.takeBaseline(request, quiet)
    expect([tests.outcome, audits[0]?.status]).toEqual(['not_run', 'PARTIAL'])
    expect(warnings).toContain('no test ran at the start commit')
  },
)

test('a suite judged by exit code is judged so at the baseline too', async () => {
  const { runner } = aBench({ base: WORK }, { environment: { test: { command: 'true', report: 'exit' } } })
  const request = { tree: 'base', tasks: [aSpec()], inTree: inTree(WORK), textOf: textOf(WORK) }
  const { tests, audits } = await runner.takeBaseline(request, quiet)
  expect([tests.outcome, audits[0]?.status]).toEqual(['passed', 'EXISTS'])
})

describe('a test command that was detected and names no test', () => {
  const broken = JSON.stringify({ scripts: { test: 'no-such-linter && node run.mjs' } })
  const workflow = 'jobs:\n  a:\n    steps:\n      - run: no-such-linter\n      - run: node --test\n'
  const base: Tree = { ...WORK, 'package.json': broken, '.github/workflows/ci.yml': workflow }
  const taken = (tree: Tree, environment: Record<string, unknown>) =>
    aBench({ base: tree }, { environment }).runner.takeBaseline(
      { tree: 'base', tasks: [], inTree: inTree(tree), textOf: textOf(tree) },
      quiet,
    )

  test('is replaced by the first one that names tests, as CI runs them', async () => {
    const { testCommand, tests, trials } = await taken(base, { test: undefined })
    expect([testCommand, tests.outcome, trials]).toEqual(['node --test', 'passed', []])
  })

  test('and under which nothing passes is replaced by one that runs as many tests and passes', async () => {
    const tap = (lines: readonly string[]) =>
      lines.map((line) => `console.log(${JSON.stringify(line)})`).join('\n')
    const red = `${tap(['TAP version 13', '1..3', 'not ok 1 - a', 'not ok 2 - b', 'not ok 3 - c'])}\nprocess.exit(1)\n`
    const scripts = JSON.stringify({ scripts: { test: 'node red.mjs' } })
    const tree: Tree = { ...base, 'package.json': scripts, 'red.mjs': red }
    const found = await taken(tree, { test: undefined })
    expect([found.testCommand, found.tests.outcome, found.trials]).toEqual(['node --test', 'passed', []])
    const { 'test/old.test.mjs': _, ...fewer } = tree
    const asked = await taken(fewer, { test: undefined })
    expect([asked.testCommand, asked.trials[0]?.state]).toEqual([null, 'red'])
  })

  test('is asked about with what was tried, where none names a test', async () => {
    const failing = { ...base, '.github/workflows/ci.yml': workflow.replace('--test', '--test no-such-file') }
    const { testCommand, trials } = await taken(failing, { test: undefined })
    expect([testCommand, trials.map(({ check, state }) => `${check} ${state}`)]).toEqual([
      null,
      ['test cannot_run'],
    ])
    expect(trials[0]?.why).toContain('tried as well: node --test no-such-file (')
  })

  test('is never replaced where a person has set it', async () => {
    const { testCommand, trials } = await taken(base, { test: 'npm test' })
    expect([testCommand, trials[0]?.command]).toEqual([null, 'npm test'])
  })

  test('judges the work with the command that was found', async () => {
    const { runner } = aBench({ base, tree: { ...base, ...WORK } }, { environment: { test: undefined } })
    const atStart = { tree: 'base', choices: [], test: 'node --test' }
    const [unit] = await runner.run({ ...aRequest({ spec: aSpec(), gates: ['unit'] }), atStart }, quiet)
    expect([unit?.outcome, unit?.evidence.runs[0]?.command]).toEqual(['passed', 'node --test'])
  })
})
