/** Tasks that Bosun adds: one to diagnose failing integration tests, one per failed check of the release gate. */
import type { Verdict } from '../event-schemas/schemas.ts'
import { RELEASE_GATES } from '../planning/gates.ts'
import type { IntegrationTest, CustomGate, TaskSpec, Tier } from '../planning/plan.ts'
import type { LayerState, PlanState } from '../state/state.ts'

const DEFAULT_BUDGET_MS = 3_600_000

/** A task with these fields, and the usual ones otherwise. */
export function extraTask(
  fields: Pick<TaskSpec, 'id' | 'title' | 'description' | 'acceptanceCriteria'> & Partial<TaskSpec>,
): TaskSpec {
  return {
    phase: null,
    line: 0,
    tier: 'normal',
    tierReasons: ['unplanned work'],
    securityFlags: [],
    ownership: '.',
    layer: null,
    dependsOn: [],
    files: { create: [], modify: [], delete: [] },
    nonGoals: ['anything but the failure named here'],
    testsToAdd: [],
    testsToRun: [],
    heldOut: [],
    gates: ['unit', 'lint'],
    interfaces: [],
    breakingChange: false,
    timeBudgetMs: DEFAULT_BUDGET_MS,
    commitSubject: null,
    inferred: [],
    ...fields,
  }
}

/** One task for all failing tests of a layer. It belongs to the layer, so the tests run again after it. */
export function diagnosticTask(state: PlanState, name: string, layer: LayerState): TaskSpec {
  const bad = layer.results.filter((result) => result.outcome !== 'passed')
  const tests = layer.tests.filter((test) => bad.some((result) => result.id === test.id))
  const suspects = [...new Set(tests.flatMap((test) => test.tasksCovered))]
  return extraTask({
    id: `diagnose-${name}-${layer.diagnoses + 1}`,
    title: `Find and fix why ${tests.map((test) => test.id).join(', ')} fails`,
    description: bad.map((result) => describeFailure(result, layer)).join('\n\n'),
    acceptanceCriteria: tests.map((test) => `${test.id} passes: ${test.description}`),
    type: 'bug_fix',
    tier: highestTier(state, suspects),
    layer: name,
    dependsOn: suspects.filter((id) => state.tasks.get(id)?.step === 'completed'),
    ownGates: tests.map(gateOf),
  })
}

/** Includes every probe, so that the worker need not repeat the search. */
function describeFailure(result: LayerState['results'][number], layer: LayerState): string {
  const diagnosis = layer.diagnosis?.find(({ test }) => test === result.id)
  const probes = (diagnosis?.probes ?? []).map(
    ({ task, sha, outcome, output }) => `- ${task ?? 'start'} ${sha.slice(0, 12)}: ${outcome}, ${output}`,
  )
  const known = diagnosis === undefined ? [] : [`Diagnosis: ${diagnosis.words}`, ...probes]
  return [`${result.id}: ${result.outcome}`, result.output, ...known].join('\n')
}

/** The failed milestone tests must pass before the fix lands. */
function gateOf({ id, command, reference }: IntegrationTest): CustomGate {
  return Object.keys(reference).length === 0
    ? { kind: 'command', name: id, command }
    : { kind: 'numeric', name: id, command, reference }
}

function highestTier(state: PlanState, ids: readonly string[]): Tier {
  return ids.some((id) => state.tasks.get(id)?.tier === 'critical') ? 'critical' : 'normal'
}

export function remediationTasks(state: PlanState, failed: readonly Verdict[]): TaskSpec[] {
  const before = state.release.remediationTasks
  return failed.map((verdict, place) =>
    extraTask({
      id: `remediation-${String(before + place + 1).padStart(2, '0')}`,
      title: `Make ${verdict.gate} pass on the whole tree`,
      description: descriptionOf(verdict),
      acceptanceCriteria: [`${verdict.gate} passes in the release gate`],
      type: 'bug_fix',
      repairs: RELEASE_GATES.find((gate) => gate === verdict.gate),
    }),
  )
}

const MOST_LINES = 30

/** The blocking findings and the key lines of the failed commands. */
function descriptionOf({ summary, evidence }: Verdict): string {
  const found = evidence.findings
    .filter(({ weight }) => weight === 'blocks')
    .map(({ text, file, line }) =>
      file === null ? text : `${file}${line === null ? '' : `:${line}`}: ${text}`,
    )
  const output = evidence.runs
    .filter(({ ending }) => ending.kind !== 'exited' || ending.code !== 0)
    .flatMap(({ command, keyLines }) => [`${command}:`, ...keyLines.map((line) => `  ${line}`)])
  return [summary, ...found.slice(0, MOST_LINES), ...output.slice(0, MOST_LINES)].join('\n')
}
