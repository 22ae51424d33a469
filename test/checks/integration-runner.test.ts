import { expect, test } from 'vitest'
import { CommandIntegrationRunner } from '../../src/checks/runner/command-integration-runner.ts'
import type { DiagnoseLayer } from '../../src/core/decide/effects.ts'
import type { IntegrationTest } from '../../src/core/planning/plan.ts'
import { describeIntegrationRunner } from '../conformance/integration-runner.conformance.ts'
import type { IntegrationRunner } from '../../src/ports/gate-runner.ts'
import { anIntegrationTest } from '../helpers/plan-builder.ts'
import { someIntegration } from '../helpers/requests.ts'
import { aBench } from './gate-bench.ts'
import type { Tree } from './memory-trees.ts'

function runnerOf(
  trees: Readonly<Record<string, Tree>>,
  environment: { readonly setup?: string } = {},
): { readonly integration: IntegrationRunner; readonly looks: () => readonly string[] } {
  const { runner, trees: memory } = aBench(trees)
  const integration = new CommandIntegrationRunner(
    { changes: memory, environment: { setup: null, test: null, ...environment } },
    runner.parts,
  )
  return { integration, looks: () => memory.given.map(({ tree }) => tree) }
}

describeIntegrationRunner('the runner of integration commands', () => {
  const broken = new Set<string>()
  const { integration } = runnerOf({ base: {}, tree: {} })
  const withCommands = <R extends { readonly tests: readonly IntegrationTest[] }>(request: R): R => ({
    ...request,
    tests: request.tests.map((one) => ({
      ...one,
      command: broken.has(one.id) ? 'no-such-command-here' : 'true',
      reference: {},
    })),
  })
  return {
    integration: {
      run: (request, signal) => integration.run(withCommands(request), signal),
      diagnose: (request, signal) => integration.diagnose(withCommands(request), signal),
    },
    break: (id) => broken.add(id),
    during: (work) => work,
  }
})

const energy: IntegrationTest = {
  ...anIntegrationTest('it-1', 'core', ['1', '2', '3', '4']),
  command: 'sh energy.sh',
  reference: { energy: { value: -1.17, abs: 0.001 } },
}
const request = { ...someIntegration, tests: [energy] }
const signal = new AbortController().signal
const prints = (text: string): Tree => ({ 'energy.sh': `echo '${text}'\n` })

test('values within their tolerance pass, and are kept with the run that printed them', async () => {
  const { integration } = runnerOf({ base: {}, tree: prints('energy = -1.1702') })
  const { tree, results } = await integration.run(request, signal)
  expect(tree).toBe('tree')
  expect(results).toMatchObject([
    {
      id: 'it-1',
      outcome: 'passed',
      values: { energy: -1.1702 },
      run: { tree: 'tree', command: 'sh energy.sh' },
    },
  ])
})

test.each([
  ['a value out of tolerance', prints('energy = -1.19'), 'failed', { energy: -1.19 }],
  ['a value that is missing', prints('entropy = 1'), 'failed', { energy: null }],
  [
    'a command that fails, whatever it prints',
    { 'energy.sh': 'echo energy = -1.17; exit 3\n' },
    'failed',
    { energy: -1.17 },
  ],
] as const)('%s does not pass', async (_, tree, outcome, values) => {
  const { integration } = runnerOf({ base: {}, tree })
  expect((await integration.run(request, signal)).results).toMatchObject([{ outcome, values }])
})

test('a failed setup makes an integration test inconclusive', async () => {
  const { integration } = runnerOf({ base: {}, tree: prints('energy = -1.17') }, { setup: 'exit 7' })
  const [result] = (await integration.run(request, signal)).results
  expect(result).toMatchObject({ outcome: 'inconclusive', output: expect.stringContaining('setup failed') })
})

const commits = ['1', '2', '3', '4'].map((task) => ({ task, sha: task === '4' ? 'tree' : `t${task}` }))

async function diagnosed(
  trees: Readonly<Record<string, Tree>>,
  tests: readonly IntegrationTest[] = [energy],
) {
  const { integration, looks } = runnerOf(trees)
  const { tree, results } = await integration.run({ ...request, tests }, signal)
  const asked: DiagnoseLayer = {
    kind: 'diagnose_layer',
    key: 'diagnose core 1',
    layer: 'core',
    round: 1,
    tests,
    results,
    tree,
    commits,
  }
  return { diagnoses: await integration.diagnose(asked, signal), looks: looks().slice(1) }
}

test('the task that moved a value is found, and where it failed is not run again', async () => {
  const { diagnoses, looks } = await diagnosed({
    base: {},
    t1: prints('energy = -1.17'),
    t2: prints('energy = -1.17'),
    t3: prints('energy = -1.19'),
    tree: prints('energy = -1.19'),
  })
  expect(diagnoses).toMatchObject([
    {
      test: 'it-1',
      culprit: '3',
      words: 'passes at task 2 (t2) and fails since task 3 (t3): energy -1.17 → -1.19',
    },
  ])
  expect(looks).not.toContain('tree')
  expect(looks.length).toBeLessThanOrEqual(3)
})

test('a test without values is searched by its exit code', async () => {
  const [byExit] = [{ ...energy, reference: {} }]
  const { diagnoses } = await diagnosed(
    {
      base: { 'energy.sh': 'exit 0\n' },
      t1: { 'energy.sh': 'exit 0\n' },
      t2: { 'energy.sh': 'exit 1\n' },
      t3: { 'energy.sh': 'exit 1\n' },
      tree: { 'energy.sh': 'exit 1\n' },
    },
    [byExit],
  )
  expect(diagnoses).toMatchObject([{ culprit: '2' }])
})

test('an aborted search has no result', async () => {
  const { integration } = runnerOf({ base: {}, tree: prints('energy = -1.19') })
  const { tree, results } = await integration.run(request, signal)
  const asked: DiagnoseLayer = {
    kind: 'diagnose_layer',
    key: 'diagnose core 1',
    layer: 'core',
    round: 1,
    tests: [energy],
    results,
    tree,
    commits: [{ task: '1', sha: 'tree' }],
  }
  await expect(integration.diagnose(asked, AbortSignal.abort())).rejects.toThrow()
})
