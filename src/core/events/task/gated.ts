/** The gates ran on a task's work. */
import { z } from 'zod'
import { decided, moveTask, taskIn } from '../../fold/moves.ts'
import { gatesDue, isCovered, waivedGates, whatFailed, refusalOf } from '../../fold/proof.ts'
import { areTasksBelowProven, queueOf, tasksBelow } from '../../scheduling/landing-queue.ts'
import { leftToRead, reviewTier } from '../../review/review-need.ts'
import type { Instant, Override, PlanState, TaskState } from '../../state/state.ts'
import { eventShape, type EventDefinition } from '../define.ts'
import { ofAttempt, text, verdictSchema, type GateName, type Verdict } from '../../event-schemas/schemas.ts'
import { rejectUnlessCurrent } from '../rejections.ts'
import { gateFact, gateLine, rejectUnhashed, runsOf } from '../verdicts.ts'
import { aboutTask } from '../rendering.ts'

const shape = eventShape('task.gated', 2, () => ({
  ...ofAttempt,
  tree: text,
  /** `failed` ran only the gates that had failed before; only `all` can be final. */
  scope: z.enum(['all', 'failed']),
  verdicts: z.array(verdictSchema).min(1),
}))

export const taskGated: EventDefinition<typeof shape> = {
  shape,
  rejectionReason: (state, event) =>
    rejectUnlessCurrent(
      state,
      event,
      (task) => event.tree === task.draft?.tree && (event.scope === 'failed') === (task.recheck !== null),
    ) ??
    rejectMissingVerdict(state.tasks.get(event.task), event.verdicts) ??
    rejectUnhashed(runsOf(event.verdicts)),
  apply(state, event, at) {
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
      if (areTasksBelowProven(state, task)) gatesFailed(state, task, at)
      else if (task.draft !== null) task.draft = { ...task.draft, isHeld: true }
    } else if (unknown.length > 0) {
      task.cause = { kind: 'gates_inconclusive', gates: unknown }
      task.refusal = refusalOf(task, 'inconclusive')
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
      if (isApproved) decided(task, at, 'approval kept: the change is the same on top of the landed work')
      moveTask(state, task, { to: isApproved ? 'committing' : 'reviewing', on: event.type, at })
      settleHeld(state, at)
    }
  },
  render: ({ task, attempt, verdicts }) =>
    aboutTask(task, gateLine(verdicts), ...verdicts.map((verdict) => gateFact(verdict, { attempt }))),
}

/** A result proves nothing without a verdict for every gate that was due. */
function rejectMissingVerdict(task: TaskState | undefined, verdicts: readonly Verdict[]): string | null {
  const due = task === undefined ? [] : gatesDue(task)
  const missing = due.find((gate) => verdicts.every((verdict) => verdict.gate !== gate))
  return missing === undefined ? null : `no verdict for ${missing}`
}

const gatesThat = (verdicts: readonly Verdict[], outcome: Verdict['outcome']): GateName[] =>
  verdicts.filter((verdict) => verdict.outcome === outcome).map((verdict) => verdict.gate)

/** An override stays valid where the same change has no new failures on top of the landed work. */
function keepOverrides(task: TaskState, verdicts: readonly Verdict[]): void {
  const tree = task.draft?.tree
  if (tree === undefined || task.overrides.length === 0) return
  // Of verdicts that do not name their failures the whole message has to be the same.
  const known = isSameChange(task) ? (task.approved?.letThrough ?? []) : []
  const isKept = (override: Override): boolean => {
    const verdict = verdicts.find(({ gate }) => gate === override.what)
    if (verdict === undefined) return false
    const isNamed = override.covers !== undefined && verdict.evidence.failures !== undefined
    return isNamed ? isCovered(task, override, verdict) : known.includes(whatFailed(verdict))
  }
  task.overrides = task.overrides.map((one) => (isKept(one) ? { ...one, tree } : one))
}

function gatesFailed(state: PlanState, task: TaskState, at: Instant): void {
  const gates = [...(task.recheck ?? [])]
  const onTopOf = [...tasksBelow(task)]
  const met = onTopOf.length === 0 ? '' : `, on top of ${onTopOf.join(', ')}`
  task.refusal = refusalOf(task, 'failed')
  task.cause = { kind: 'gates_failed', gates, ...(onTopOf.length === 0 ? {} : { onTopOf }) }
  decided(task, at, `gates failed: ${gates.join(', ')}${met}`)
  state.failedProofs++
  moveTask(state, task, { to: 'deciding', on: 'task.gated', at })
}

/** A failure on top of work that has passed since is the task's own. */
function settleHeld(state: PlanState, at: Instant): void {
  for (const task of queueOf(state))
    if (task.draft?.isHeld === true && areTasksBelowProven(state, task)) gatesFailed(state, task, at)
}

/** The same change, by the same attempt, on another base. */
const isSameChange = ({ approved, draft, attempt }: TaskState): boolean =>
  approved !== null && approved.patch === draft?.patch && approved.attempt === attempt

/** Whether the approved change is the current one, with the same required strictness, and with nothing left unread. */
const approvalHolds = ({ settings }: PlanState, task: TaskState): boolean =>
  isSameChange(task) &&
  task.approved?.tier === reviewTier(task, settings) &&
  leftToRead(task).every((found) => task.approved?.read.includes(found))
