/** What a release has no proof of: gates that did not apply, and tests judged by their exit code alone. */
import type { RunEvidence } from '../../event-schemas/evidence.ts'
import type { Verdict } from '../../event-schemas/schemas.ts'
import type { PlanState, TaskState } from '../../state/state.ts'
import type { ReleaseManifest } from './manifest-schema.ts'

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
