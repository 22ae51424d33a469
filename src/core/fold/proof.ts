/** The gates due on a task's work, a person's overrides, and the step after a proof. */
import type { GateName, Verdict } from '../event-schemas/schemas.ts'
import { ALWAYS_GATES, HIDDEN_GATES, MANDATORY_GATES } from '../planning/gate-names.ts'
import type { Step } from '../state/life.ts'
import { migrationsAmong } from '../languages/migrations.ts'
import { leftToRead, needsPerson, reviewTier } from '../review/review-need.ts'
import type { Override, PlanState, TaskState } from '../state/state.ts'

/** The gates to run on the current work: those that failed last time, or all. */
export const gatesDue = (task: TaskState): readonly GateName[] => task.recheck ?? allGates(task)

const allGates = (task: TaskState): readonly GateName[] => [
  ...new Set<GateName>([
    ...MANDATORY_GATES,
    ...ALWAYS_GATES,
    ...task.spec.gates,
    ...(task.spec.ownGates ?? []).map((own) => own.name as GateName),
    ...(changedMigrations(task).length > 0 ? (['migrations'] as const) : []),
    ...(task.spec.heldOut.length > 0 ? HIDDEN_GATES : []),
  ]),
]

const changedMigrations = ({ draft }: TaskState): readonly string[] =>
  migrationsAmong(draft?.changed ?? [], draft?.scan?.notMigrations)

/** The gates that a person overrode on the current work. */
export const waivedGates = ({ overrides, draft }: TaskState): ReadonlySet<string> =>
  new Set(overrides.filter(({ tree }) => tree === draft?.tree).map(({ what }) => what))

/** An override covers only the failures a person was shown: gates that have not passed on the same tree run before review. */
export function afterOverride(task: TaskState): 'reviewing' | 'gating' {
  const waived = waivedGates(task)
  const isSettled = (gate: GateName): boolean => {
    const outcome = task.verdicts?.find((verdict) => verdict.gate === gate)?.outcome
    return waived.has(gate) || outcome === 'passed' || outcome === 'not_applicable'
  }
  return allGates(task).every(isSettled) ? 'reviewing' : 'gating'
}

/** Other work landed before an approved change: the approval stays valid for the same change. */
export function rememberApproval(
  { settings }: PlanState,
  task: TaskState,
  { keeps }: { readonly keeps: boolean },
): void {
  const patch = task.draft?.patch ?? null
  const { attempt } = task
  const waived = keeps ? waivedGates(task) : new Set<string>()
  const letThrough = (task.verdicts ?? []).filter(({ gate }) => waived.has(gate)).map(whatFailed)
  const approved = { attempt, tier: reviewTier(task, settings), letThrough, read: leftToRead(task) }
  task.approved = patch === null ? null : { patch, ...approved }
}

/** A failing gate with its message. */
export const whatFailed = ({ gate, outcome, summary, evidence }: Verdict): string =>
  JSON.stringify([gate, outcome, summary, evidence.findings])

/** The failures of a gate that an override of it covers, where the gate names them. */
export function coveredFailures(
  { draft, verdicts, attempt }: TaskState,
  gate: string,
): Pick<Override, 'covers'> {
  const patch = draft?.patch ?? null
  const failures = verdicts?.find((verdict) => verdict.gate === gate)?.evidence.failures
  return patch === null || failures === undefined ? {} : { covers: { patch, attempt, failures } }
}

/** Whether an override covers a verdict on the same change on another base: nothing fails that did not fail then. */
export function isCovered(
  { draft, attempt }: TaskState,
  { what, covers }: Override,
  verdict: Verdict,
): boolean {
  const { failures } = verdict.evidence
  if (covers === undefined || failures === undefined || what !== verdict.gate) return false
  const isSame = covers.patch === draft?.patch && covers.attempt === attempt
  return isSame && failures.every((failure) => covers.failures.includes(failure))
}

/** The step after a finished review. */
export function afterReview(state: PlanState, task: TaskState): Step {
  if (needsPerson(task, state.settings)) return 'awaiting_person'
  switch (state.settings.approval) {
    case 'each_task':
      return 'awaiting_person'
    case 'critical':
      return task.tier === 'critical' ? 'awaiting_person' : 'committing'
    case 'release':
      return 'committing'
  }
}
