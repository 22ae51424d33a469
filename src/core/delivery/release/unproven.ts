/** What a release has no proof of: gates that did not apply, and tests judged by their exit code alone. */
import type { RunEvidence } from '../../event-schemas/evidence.ts'
import type { Verdict } from '../../event-schemas/schemas.ts'
import type { PlanState, TaskState } from '../../state/state.ts'
import type { ReleaseManifest } from './manifest-schema.ts'
import { confirmationOf, criteriaResults } from '../../review/criteria-results.ts'
import { counted, firstFew } from '../../../lib/text/counted.ts'

type NotApplicable = ReleaseManifest['not_applicable']
type ExitCodeAlone = ReleaseManifest['exit_code_alone']

interface Released {
  readonly release: Pick<PlanState['release'], 'verdicts'>
}
type DoneTask = Pick<TaskState, 'commit' | 'verdicts'> & { readonly spec: Pick<TaskState['spec'], 'id'> }

interface Proven {
  /** Null: the release. */
  readonly task: string | null
  readonly verdict: Verdict
}

export function notApplicable(state: Released, tasks: readonly DoneTask[]): NotApplicable {
  const found = provenIn(state, tasks).filter(({ verdict }) => verdict.outcome === 'not_applicable')
  return grouped(found, tasks, ({ verdict }) => [verdict.gate, verdict.summary]).map(
    ({ key: [gate, why], ...of }) => ({ gate, why, ...of }),
  )
}

/** Because of `report: exit`, or because the report was unreadable and a person accepted that. */
export function exitCodeAlone(state: Released, tasks: readonly DoneTask[]): ExitCodeAlone {
  const found = provenIn(state, tasks).flatMap((one) =>
    runsByExitCode(one.verdict).map((run) => ({ ...one, run })),
  )
  return grouped(found, tasks, ({ verdict, run }) => [verdict.gate, run.command]).map(
    ({ key: [gate, command], ...of }) => ({ gate, command, ...of }),
  )
}

const TEST_GATES: ReadonlySet<string> = new Set(['unit', 'tests_to_run', 'tests_to_add'])

function runsByExitCode({ gate, outcome, evidence }: Verdict): readonly RunEvidence[] {
  if (!TEST_GATES.has(gate) || outcome === 'failed') return []
  return evidence.runs.filter(
    ({ on, ending, counts }) =>
      on === 'tree' && ending.kind === 'exited' && ending.code === 0 && counts === null,
  )
}

function provenIn(state: Released, tasks: readonly DoneTask[]): readonly Proven[] {
  const ofTasks = builtOf(tasks).flatMap(({ spec, verdicts }) =>
    (verdicts ?? []).map((verdict) => ({ task: spec.id, verdict })),
  )
  return [...(state.release.verdicts ?? []).map((verdict) => ({ task: null, verdict })), ...ofTasks]
}

const builtOf = (tasks: readonly DoneTask[]): readonly DoneTask[] =>
  tasks.filter(({ commit }) => commit !== null)

/** Groups equal entries of the release and its tasks. */
function grouped<T extends Proven>(
  found: readonly T[],
  tasks: readonly DoneTask[],
  keyOf: (one: T) => readonly [string, string],
) {
  const built = builtOf(tasks).length
  const groups = Map.groupBy(found, (one) => keyOf(one).join('\0'))
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const named = [...new Set(group.flatMap(({ task }) => task ?? []))]
    const release = group.some(({ task }) => task === null)
    return [
      { key: keyOf(first), tasks: built > 0 && named.length === built ? ('all' as const) : named, release },
    ]
  })
}

/** Which acceptance criteria of a release are confirmed. */
export interface OpenCriterion {
  readonly task: string
  readonly criterion: string
  /** `file:line`; null for an unmapped criterion. */
  readonly place: string | null
  readonly why: string
}

/**
 * The number of criteria of all released tasks, how many are confirmed, and the others, including unmapped ones. A task
 * that existed already rests on the evidence of its audit.
 */
export function completenessOf(state: PlanState) {
  const tasks = [...state.tasks.values()].filter(({ dropped }) => !dropped)
  const total = tasks.reduce((sum, { spec }) => sum + spec.acceptanceCriteria.length, 0)
  const open = tasks.flatMap(openCriteria)
  return { total, passed: total - open.length, open }
}

function openCriteria(task: TaskState): readonly OpenCriterion[] {
  if (task.commit === null) return []
  const { spec, verdicts, attempt } = task
  const results = criteriaResults({
    spec,
    verdicts: verdicts ?? [],
    confirmation: confirmationOf(task, attempt),
  })
  return results.flatMap(({ criterion, word, place, why }) =>
    word === 'PASS' ? [] : [{ task: spec.id, criterion, place, why }],
  )
}

/** Criteria without a place, except those of tasks whose plan_alignment a person overrode. */
export function unmappedCriteria(state: PlanState): readonly OpenCriterion[] {
  const isOverridden = (id: string): boolean =>
    state.tasks.get(id)?.overrides.some(({ what }) => what === 'plan_alignment') === true
  return completenessOf(state).open.filter(({ task, place }) => place === null && !isOverridden(task))
}

/** Tests of a release that failed at the start commit and still do. */
const MOST_NAMED = 3

/** The tests that failed at the start commit and in the release, by name. */
export const failedBefore = ({ release }: Pick<PlanState, 'release'>): readonly string[] => [
  ...new Set((release.verdicts ?? []).flatMap(({ evidence }) => evidence.failedBefore ?? [])),
]

/** "3 tests failed before and still do: …"; null where none does. */
export function formatFailedBefore(tests: readonly string[]): string | null {
  if (tests.length === 0) return null
  const still = tests.length === 1 ? 'does' : 'do'
  return `${counted(tests.length, 'test')} failed before and still ${still}: ${firstFew(tests, MOST_NAMED)}`
}
