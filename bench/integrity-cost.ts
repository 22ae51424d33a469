/**
 * What it costs that gates cannot be cheated, check by check, beside a suite of 30 seconds: the same suite alone, then all
 * gates of a task on the same tree. The suite of the base is known by then, as it is for every task but the first.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandGateRunner } from '../src/checks/runner/command-gate-runner.ts'
import type { RunGates } from '../src/core/decide/effects.ts'
import type { Verdict } from '../src/core/event-schemas/schemas.ts'
import { MemoryTrees, type Tree } from '../test/checks/memory-trees.ts'
import { sourceParser } from '../test/helpers/child-parser.ts'
import { aTask } from '../test/helpers/plan-builder.ts'
import { report, round, timeMs } from './lib/measure.ts'

const MARK = 0.5
const SUITE_SECONDS = 30
const FILES = 3
const COMMAND = [process.execPath, '--test', '--test-concurrency=1'] as const

const slow = (file: number): string =>
  [
    "import { test } from 'node:test'",
    "import { setTimeout as wait } from 'node:timers/promises'",
    "import '../src/index.mjs'",
    ...Array.from(
      { length: SUITE_SECONDS / FILES },
      (_, at) => `test('takes a second ${file} ${at}', () => wait(1_000))`,
    ),
    '',
  ].join('\n')
const base: Tree = {
  'src/index.mjs': 'export {}\n',
  ...Object.fromEntries(
    Array.from({ length: FILES }, (_, file) => [`test/slow-${file}.test.mjs`, slow(file)]),
  ),
}
const work: Tree = {
  ...base,
  'src/slug.mjs': "export const slugify = (text) => text.toLowerCase().replaceAll(' ', '-')\n",
  'test/slug.test.mjs': `import assert from 'node:assert'
import { test } from 'node:test'
import { slugify } from '../src/slug.mjs'
test('joins words', () => assert.equal(slugify('A b'), 'a-b'))
`,
}

const folder = mkdtempSync(join(tmpdir(), 'bosun-bench-'))
const trees = new MemoryTrees({ base, tree: work })
const runner = new CommandGateRunner({
  checkouts: trees,
  changes: trees,
  parser: sourceParser(),
  environment: { setup: null, test: COMMAND, lint: null, typecheck: null, build: null },
  evidenceDir: join(folder, 'evidence'),
  cacheDir: join(folder, 'cache'),
  envFilesFrom: null,
  processEnv: process.env,
  timeoutMs: 10 * 60_000,
  reruns: 1,
  mutation: { of: 'off', limitMs: 0 },
  followUps: () => [],
  ownFolders: [],
})
const quiet = new AbortController().signal
const request = (gates: RunGates['gates']): RunGates => ({
  kind: 'run_gates',
  tier: 'normal',
  key: 'gates 1 1 all 0',
  spec: aTask('1', {
    files: { create: ['src/slug.mjs'], modify: [], delete: [] },
    testsToAdd: ['test/slug.test.mjs'],
    heldOut: [`${process.execPath} --input-type=module -e "await import('./src/slug.mjs')"`],
  }),
  attempt: 1,
  tree: 'tree',
  scope: 'all',
  gates,
  baselineFailing: [],
  report: null,
  earlierWork: null,
  whole: null,
})

// The suite of the base is run here, once for all tasks that start from it.
await runner.takeBaseline({ tree: 'base', tasks: [], inTree: () => null, textOf: () => null }, quiet)
const verdicts: Verdict[] = []
const wholeMs = await timeMs(async () => {
  const asked = request(['integrity', 'unit', 'tests_to_add', 'held_out'])
  verdicts.push(...(await runner.run(asked, quiet)))
})
rmSync(folder, { recursive: true })

const found = (gate: string): Verdict | undefined => verdicts.find((one) => one.gate === gate)
const spent = (gate: string, at: number): number => found(gate)?.evidence.runs[at]?.durationMs ?? 0
const suiteMs = spent('unit', 0)
const checks = {
  canary: spent('unit', 1),
  new_tests: spent('tests_to_add', 0),
  new_tests_again: spent('tests_to_add', 1),
  new_tests_on_base: spent('tests_to_add', 2),
  held_out: spent('held_out', 0),
}
const runs = Object.values(checks).reduce((sum, ms) => sum + ms, 0)
const costs = { ...checks, all_else: wholeMs - suiteMs - runs }
const rows = Object.entries(costs).map(([check, ms]) => {
  return { check, ms: round(ms, 0), of_suite: round(ms / suiteMs, 3) }
})
const ratio = round((wholeMs - suiteMs) / suiteMs, 3)
const isGreen = verdicts.every(({ outcome }) => outcome === 'passed')
const isKept = isGreen && ratio <= MARK && suiteMs >= SUITE_SECONDS * 1_000
report('integrity-cost', rows, { ok: isKept, suite_ms: suiteMs, of_suite: ratio, mark: MARK, green: isGreen })
if (!isKept) process.exitCode = 1
