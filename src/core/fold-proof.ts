/** What proof changes: collected work, gates, reviews. */
import type { Draft } from './draft.ts'
import type { GateName, Verdict } from './events/parts.ts'
import type { EventOf } from './events/plan-events.ts'
import { MAX_REPEATS } from './budgets.ts'
import { decided, moveTask, startOver, taskIn } from './fold-moves.ts'
import { isAheadSettled, queueOf, stands, withLostProof } from './landing-queue.ts'
import { ALWAYS_GATES, HIDDEN_GATES, MANDATORY_GATES } from './planning/gate-names.ts'
import type { Step } from './life.ts'
import { isMigrationPath } from './planning/paths.ts'
import { reviewTier } from './review/review-need.ts'
import type { Instant, PlanState, TaskState } from './state.ts'

export function foldCollected(state: PlanState, event: EventOf<'work.collected'>, at: Instant): void {
  const task = taskIn(state, event.task)
  task.repeats = isTheSameAgain(task, event) ? task.repeats + 1 : 0
  task.draft = {
    worker: event.worker,
    tree: event.tree,
    changed: event.changed,
    salvage: event.salvage,
    report: task.draft?.report ?? null,
    patch: event.patch ?? null,
    agents: task.draft?.agents ?? [],
    ...(event.scan === undefined ? {} : { scan: event.scan }),
    ...groundOf(event),
    lostProofs: task.draft?.worker === event.worker ? (task.draft.lostProofs ?? 0) : 0,
  }
  if (task.cause?.kind === 'plan_edited') {
    startOver(state, task, { on: event.type, at })
    return
  }
  if (task.cause === null && event.conflicts === true && stands(task).ahead.length > 0) {
    task.draft = { ...task.draft, waitsFor: stands(task).ahead }
    task.turn = null
    moveTask(state, task, { to: 'collecting', on: event.type, at })
    return
  }
  if ((task.cause === null || task.cause.kind === 'unclear') && event.refused !== undefined) {
    task.cause = { kind: 'refused', reason: event.refused }
  }
  const isNothingDone = event.changed.length === 0 && isToChangeSomething(task)
  if (task.cause === null && isNothingDone) task.cause = { kind: 'nothing_done' }
  if (task.cause === null && task.repeats >= MAX_REPEATS && hasTriesLeft(state, task)) {
    task.cause = { kind: 'looping', reason: `the same change was handed in ${task.repeats + 1} times` }
  }
  // Where nothing new is to be proven, what the gates found before is still to be put right.
  if (task.cause === null) task.verdicts = null
  moveTask(state, task, { to: task.cause === null ? 'gating' : 'deciding', on: event.type, at })
}

/** Logs from before the landing queue say nothing of it. */
function groundOf({ onto, ahead = [], landings = 0 }: EventOf<'work.collected'>): Partial<Draft> {
  return onto === undefined ? {} : { onto, ahead, landings }
}

/** What was turned down before comes to the same end again. */
function isTheSameAgain(task: TaskState, event: EventOf<'work.collected'>): boolean {
  const isTurnedDown = task.recheck !== null || task.review?.verdict === 'changes_requested'
  // On top of something else it is looked at again because of that, not because it was handed in again.
  const isSameGround = event.onto === undefined || event.onto === task.draft?.onto
  return isTurnedDown && isSameGround && event.tree !== '' && event.tree === task.draft?.tree
}

/** Where all tries are used up, it is told what they failed for. */
function hasTriesLeft({ settings }: PlanState, { counters, recheck }: TaskState): boolean {
  return recheck === null ? counters.reworks < settings.reworks : counters.fixes < settings.fixAttempts
}

/** A task that names no files verifies what others made: its gates decide, and there may be nothing to change. */
function isToChangeSomething({ spec, doneBefore }: TaskState): boolean {
  // What was done before an edit may do after it.
  if (doneBefore !== null) return false
  const { create, modify, delete: deleted } = spec.files
  return create.length + modify.length + deleted.length + spec.testsToAdd.length > 0
}

/** The gates to run on the work as it is: those that failed last time, or all. */
export const gatesDue = (task: TaskState): readonly GateName[] => task.recheck ?? allGates(task)

const allGates = (task: TaskState): readonly GateName[] => [
  ...new Set<GateName>([
    ...MANDATORY_GATES,
    ...ALWAYS_GATES,
    ...task.spec.gates,
    ...(task.spec.ownGates ?? []).map((own) => own.name as GateName),
    ...(task.draft?.changed.some(isMigrationPath) === true ? (['migrations'] as const) : []),
    ...(task.spec.heldOut.length > 0 ? HIDDEN_GATES : []),
  ]),
]

/** What a person let through of the work as it is. */
const waivedGates = ({ overrides, draft }: TaskState): ReadonlySet<string> =>
  new Set(overrides.filter(({ tree }) => tree === draft?.tree).map(({ what }) => what))

/** A person lets through what they were shown. What has not passed on the same tree is run before review. */
export function afterOverride(task: TaskState): 'reviewing' | 'gating' {
  const waived = waivedGates(task)
  const isSettled = (gate: GateName): boolean => {
    const outcome = task.verdicts?.find((verdict) => verdict.gate === gate)?.outcome
    return waived.has(gate) || outcome === 'passed' || outcome === 'not_applicable'
  }
  return allGates(task).every(isSettled) ? 'reviewing' : 'gating'
}

const gatesThat = (verdicts: readonly Verdict[], outcome: Verdict['outcome']): GateName[] =>
  verdicts.filter((verdict) => verdict.outcome === outcome).map((verdict) => verdict.gate)

export function foldGated(state: PlanState, event: EventOf<'task.gated'>, at: Instant): void {
  const task = taskIn(state, event.task)
  task.verdicts = event.verdicts
  keepOverrides(task, event.verdicts)
  const isWaived = (gate: GateName): boolean => waivedGates(task).has(gate)
  const failed = gatesThat(event.verdicts, 'failed').filter((gate) => !isWaived(gate))
  const unknown = gatesThat(event.verdicts, 'inconclusive').filter((gate) => !isWaived(gate))
  const inconclusive = failed.length === 0 && unknown.length > 0 ? task.counters.inconclusive + 1 : 0
  if (inconclusive !== task.counters.inconclusive) task.counters = { ...task.counters, inconclusive }
  if (failed.length > 0) {
    task.recheck = failed
    if (isAheadSettled(state, task)) gatesFailed(state, task, at)
    else if (task.draft !== null) task.draft = { ...task.draft, isHeld: true }
  } else if (unknown.length > 0) {
    task.cause = { kind: 'gates_inconclusive', gates: unknown }
    moveTask(state, task, { to: 'gating', on: event.type, at })
  } else if (event.scope === 'failed') {
    task.recheck = null
    task.cause = null
    moveTask(state, task, { to: 'gating', on: event.type, at })
  } else {
    task.recheck = null
    task.cause = null
    task.durationMs = at - (task.dispatchedAt ?? at)
    const isApproved = approvalHolds(state, task)
    if (isApproved) decided(task, at, 'its approval holds: the change is the same on top of what landed')
    moveTask(state, task, { to: isApproved ? 'committing' : 'reviewing', on: event.type, at })
    settleHeld(state, at)
  }
}

function gatesFailed(state: PlanState, task: TaskState, at: Instant): void {
  const gates = [...(task.recheck ?? [])]
  const onTopOf = [...stands(task).ahead]
  const met = onTopOf.length === 0 ? '' : `, on top of ${onTopOf.join(', ')}`
  task.cause = { kind: 'gates_failed', gates, ...(onTopOf.length === 0 ? {} : { onTopOf }) }
  decided(task, at, `gates failed: ${gates.join(', ')}${met}`)
  moveTask(state, task, { to: 'deciding', on: 'task.gated', at })
}

/** What failed on top of work that has passed by now failed by itself. */
function settleHeld(state: PlanState, at: Instant): void {
  for (const task of queueOf(state))
    if (task.draft?.isHeld === true && isAheadSettled(state, task)) gatesFailed(state, task, at)
}

/** What a task was proven on will not be what it lands on: it is put on that, and proven again. */
export function foldProofOutdated(
  state: PlanState,
  event: EventOf<'task.proof_outdated'>,
  at: Instant,
): void {
  const task = taskIn(state, event.task)
  decided(task, at, `proven again: ${event.why}`)
  if (task.step === 'reviewing') {
    // It is reviewed for as long as before, and has no place any more.
    const { stepSince } = task
    moveTask(state, task, { to: 'reviewing', on: event.type, at })
    Object.assign(task, { turn: null, stepSince })
    return
  }
  if (task.step === 'committing') rememberApproval(state, task, { keeps: true })
  // What failed on something else says nothing.
  if (task.draft?.isHeld === true) task.recheck = null
  task.draft = withLostProof(state, task)
  moveTask(state, task, { to: 'collecting', on: event.type, at })
}

/** Something landed before an approved change could: whoever approved it need not do so again for the same change. */
export function rememberApproval(
  { settings }: PlanState,
  task: TaskState,
  { keeps }: { readonly keeps: boolean },
): void {
  const patch = task.draft?.patch ?? null
  const { attempt } = task
  const waived = keeps ? waivedGates(task) : new Set<string>()
  const letThrough = (task.verdicts ?? []).filter(({ gate }) => waived.has(gate)).map(whatFailed)
  task.approved = patch === null ? null : { patch, attempt, tier: reviewTier(task, settings), letThrough }
}

/** The same change, by the same attempt, on top of something else. */
const isSameChange = ({ approved, draft, attempt }: TaskState): boolean =>
  approved !== null && approved.patch === draft?.patch && approved.attempt === attempt

/** Whether what was approved is what there is, and is to be judged as strictly. */
const approvalHolds = ({ settings }: PlanState, task: TaskState): boolean =>
  isSameChange(task) && task.approved?.tier === reviewTier(task, settings)

/** A gate with what speaks against the work, in its own words. */
const whatFailed = ({ gate, outcome, summary, evidence }: Verdict): string =>
  JSON.stringify([gate, outcome, summary, evidence.findings])

/** Whoever let a change through need not do so again where it fails in the same words on top of what landed. */
function keepOverrides(task: TaskState, verdicts: readonly Verdict[]): void {
  const tree = task.draft?.tree
  const known = task.approved?.letThrough ?? []
  if (tree === undefined || known.length === 0 || !isSameChange(task)) return
  const still = new Set<string>(
    verdicts.filter((verdict) => known.includes(whatFailed(verdict))).map(({ gate }) => gate),
  )
  task.overrides = task.overrides.map((one) => (still.has(one.what) ? { ...one, tree } : one))
}

export function foldReviewed(state: PlanState, event: EventOf<'task.reviewed'>, at: Instant): void {
  const task = taskIn(state, event.task)
  const { round, attempt, by, verdict, summary, issues, agent = null, remark = null } = event
  if (task.review !== null) task.pastReviews = [...task.pastReviews, task.review]
  const isOwnAgent = agent !== null && task.draft?.agents?.includes(agent) === true
  task.review = { round, attempt, by, agent, isOwnAgent, verdict, summary, remark, issues }
  task.reviewRound = round
  decided(task, at, `review ${round} by ${by}: ${verdict}`)
  if (verdict === 'approved') {
    task.cause = null
    moveTask(state, task, { to: afterReview(state, task), on: event.type, at })
    return
  }
  task.cause = { kind: 'changes_requested', issues }
  moveTask(state, task, { to: 'deciding', on: event.type, at })
}

/** Where a task goes once its review is settled. */
export function afterReview(state: PlanState, task: TaskState): Step {
  // What only the rules have read is not enough for critical work.
  if (state.settings.reviewByRules === true && reviewTier(task, state.settings) === 'critical')
    return 'awaiting_person'
  switch (state.settings.approval) {
    case 'each_task':
      return 'awaiting_person'
    case 'critical':
      return task.tier === 'critical' ? 'awaiting_person' : 'committing'
    case 'release':
      return 'committing'
  }
}
