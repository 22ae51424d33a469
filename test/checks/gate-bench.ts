/** A gate runner over trees in memory, with its folders cleared away after each test. */
import { join } from 'node:path'
import { tempFolder } from '../helpers/temp-folder.ts'
import { CommandGateRunner } from '../../src/checks/runner/command-gate-runner.ts'
import type { GateOptions } from '../../src/checks/runner/commands.ts'
import type { RunGates } from '../../src/core/decide/effects.ts'
import type { GateName, Verdict } from '../../src/core/event-schemas/schemas.ts'
import type { TaskSpec } from '../../src/core/planning/plan.ts'
import { sourceParser } from '../helpers/child-parser.ts'
import { aTask } from '../helpers/plan-builder.ts'
import { MemoryTrees, type Tree } from './memory-trees.ts'

export const SLUG_TEST = `import assert from 'node:assert'
import { test } from 'node:test'
import { slugify } from '../src/slug.mjs'
test('joins words with a dash', () => assert.equal(slugify('A b'), 'a-b'))
`
export const OLD_TEST = `import { test } from 'node:test'
test('old one', () => undefined)
test('old two', () => undefined)
`
export const SLUG = `export const slugify = (text) => text.toLowerCase().replaceAll(' ', '-')
`

export const NODE_TEST = [process.execPath, '--test', '--test-reporter=tap'] as const
const nodeTest = (...paths: readonly string[]): readonly string[] => [...NODE_TEST, ...paths]

export const BASE: Tree = { 'src/index.mjs': 'export {}\n', 'test/old.test.mjs': OLD_TEST }
export const WORK: Tree = { ...BASE, 'src/slug.mjs': SLUG, 'test/slug.test.mjs': SLUG_TEST }

export function aSpec(overrides: Partial<TaskSpec> = {}): TaskSpec {
  return aTask('1', {
    title: 'Add slugify',
    acceptanceCriteria: ["slugify('A b') is 'a-b'"],
    files: { create: ['src/slug.mjs'], modify: [], delete: [] },
    testsToAdd: ['test/slug.test.mjs'],
    ...overrides,
  })
}

export interface Bench {
  readonly runner: CommandGateRunner
  readonly trees: MemoryTrees
  readonly evidenceDir: string
  /** One gate on `tree`. */
  readonly gate: (gate: GateName, overrides?: Partial<RunGates>) => Promise<Verdict>
}

/** Shared, since each would be a process of its own. */
const parser = sourceParser()

export function aBench(
  trees: Readonly<Record<string, Tree>> = { base: BASE, tree: WORK },
  overrides: Partial<GateOptions> = {},
): Bench {
  const folder = tempFolder('checks')
  const memory = new MemoryTrees(trees)
  const evidenceDir = join(folder, 'evidence')
  const runner = new CommandGateRunner({
    checkouts: memory,
    changes: memory,
    parser,
    evidenceDir,
    cacheDir: join(folder, 'cache'),
    envFilesFrom: null,
    processEnv: process.env,
    timeoutMs: 30_000,
    reruns: 1,
    mutation: { of: 'critical', limitMs: 60_000 },
    followUps: () => ['1', '2'],
    ownFolders: ['docs/reviews'],
    ...overrides,
    environment: {
      setup: null,
      test: nodeTest(),
      lint: null,
      typecheck: null,
      build: null,
      ...overrides.environment,
    },
  })
  const gate = async (name: GateName, more: Partial<RunGates> = {}): Promise<Verdict> => {
    const [verdict] = await runner.run(aRequest({ gates: [name], ...more }), new AbortController().signal)
    if (verdict === undefined) throw new Error('there is no verdict')
    return verdict
  }
  return { runner, trees: memory, evidenceDir, gate }
}

export function aRequest(overrides: Partial<RunGates> = {}): RunGates {
  return {
    kind: 'run_gates',
    key: 'gates 1 1 all 0',
    spec: aSpec(),
    tier: overrides.spec?.tier ?? aSpec().tier,
    attempt: 1,
    tree: 'tree',
    scope: 'all',
    gates: ['unit'],
    baselineFailing: [],
    report: null,
    earlierWork: null,
    whole: null,
    ...overrides,
  }
}
