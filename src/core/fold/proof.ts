/** The gates due on a task's work, a person's overrides, and the step after a proof. */
import type { GateName, Verdict } from '../event-schemas/schemas.ts'
import { ALWAYS_GATES, HIDDEN_GATES, MANDATORY_GATES } from '../planning/gates.ts'
import type { Step } from '../state/life.ts'
import { migrationsAmong } from '../languages/migrations.ts'
import { leftToRead, needsPerson, reviewTier } from '../review/review-need.ts'
import type { Override, PlanState, TaskState } from '../state/state.ts'
import type { Refusal } from '../state/draft.ts'

/** The gates to run on the current work: those that failed last time, or all. */
export const gatesDue = (task: TaskState): readonly GateName[] => task.recheck ?? allGates(task)

const allGates = (task: TaskState): readonly GateName[] => [
  ...new Set<GateName>([
    ...MANDATORY_GATES,
    ...ALWAYS_GATES,
    ...task.spec.gates,
    ...(task.spec.ownGates ?? []).map((own) => own.name as GateName),
    ...(task.spec.repairs === undefined ? [] : [task.spec.repairs]),
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
export function rememberApproval({ settings }: PlanState, task: TaskState): void {
  const patch = task.draft?.patch ?? null
  const { attempt } = task
  const waived = waivedGates(task)
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

/** The same attempt fails again on another base without a new worker, which repeats nothing. */
export function refusalOf({ refusal, attempt, verdicts }: TaskState, of: Refusal['outcome']): Refusal {
  const reasons = reasonsIn((verdicts ?? []).filter(({ outcome }) => outcome === of))
  const isNext = of === 'failed' ? refusal?.attempt !== attempt : refusal?.attempt === attempt
  const isSame = reasons !== null && refusal?.outcome === of && isEqual(refusal.reasons ?? [], reasons)
  return { attempt, outcome: of, reasons, isRepeated: isNext && isSame }
}

/** Null where a gate does not name its reasons. */
function reasonsIn(verdicts: readonly Verdict[]): readonly string[] | null {
  const all: string[] = []
  for (const { gate, evidence } of verdicts) {
    if (evidence.failures === undefined) return null
    all.push(...evidence.failures.map((failure) => `${gate}: ${failure}`))
  }
  return all.sort()
}

const isEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((item, at) => item === other[at])
