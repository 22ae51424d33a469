/** What a person's answer changes. Reject and revise always take effect; neither can end as done. */
import { MAX_REVISIONS } from './budgets.ts'
import type { EventOf } from './events/plan-events.ts'
import { decided, moveTask, taskIn } from './fold-moves.ts'
import { afterOverride, afterReview } from './fold-proof.ts'
import { TIERS } from './planning/plan.ts'
import { atLeast, estimate, NO_LIMIT, plus, raised } from './spending.ts'
import { index, unindex } from './indexes.ts'
import {
  askedAbout,
  type Instant,
  type OpenItem,
  type Override,
  type PlanState,
  type TaskState,
} from './state.ts'

type Answer = EventOf<'inbox.answered'>

export function answerItem(state: PlanState, answer: Answer, at: Instant): void {
  const open = state.inbox.get(answer.id)
  if (open === undefined) throw new Error(`there is no open item ${answer.id}`)
  const { id, choice, feedback, by } = answer
  close(state, open)
  state.humanDecisions.push({ at, item: id, task: open.item.task, choice, feedback, by })
  if (open.item.kind === 'escalation') {
    state.progress.due = `escalation ${id} was answered`
  }
  if (open.item.task !== null) {
    decided(
      taskIn(state, open.item.task),
      at,
      `${by} answered ${id}: ${choice}${feedback && ` (${feedback})`}`,
    )
  }
  settle(state, { open, answer, at })
}

/** Nobody needs to answer it any more. */
export function withdrawItem(state: PlanState, event: EventOf<'inbox.withdrawn'>): void {
  const open = state.inbox.get(event.id)
  if (open === undefined) throw new Error(`there is no open item ${event.id}`)
  close(state, open)
  if (open.item.subject === 'effect') state.trouble.delete(open.item.about ?? '')
}

/** Signed, through the inbox or past it: nobody is asked for it any more. */
export function signOff(state: PlanState): void {
  state.release = { ...state.release, step: 'signed' }
  for (const open of state.inbox.values()) if (open.item.subject === 'sign_off') close(state, open)
}

function close(state: PlanState, { item }: OpenItem): void {
  state.inbox.delete(item.id)
  state.asked.delete(askedAbout(item))
  state.unpresented.delete(item.id)
}

interface Settled {
  readonly open: OpenItem
  readonly answer: Answer
  readonly at: Instant
}

function settle(state: PlanState, settled: Settled): void {
  const { open, answer, at } = settled
  switch (open.item.subject) {
    case 'task':
      settleTask(state, taskIn(state, open.item.task ?? ''), settled)
      return
    case 'rejection': {
      const task = taskIn(state, open.item.task ?? '')
      state.rejected.delete(task.spec.id)
      task.proposal = null
      if (answer.choice === 'drop') dropWithDependents(state, task, settled)
      else requeue(state, task, { ...settled, as: 'retry' })
      return
    }
    case 'risk':
      for (const risk of state.risks.values()) {
        if (risk.status !== 'open' || state.tasks.get(risk.sourceTask)?.tier !== 'critical') continue
        const accepted = { acceptedBy: answer.by, acceptedAt: at, reason: answer.feedback }
        state.risks.set(risk.id, { ...risk, status: 'accepted', ...accepted })
      }
      return
    case 'release_gate':
      settleReleaseGate(state, settled)
      return
    case 'budget': {
      const { limit, total, costs } = state.spending
      const one = TIERS.map((tier) => estimate(costs, tier)).reduce(atLeast)
      const known = { spent: total, expected: plus(total, one) }
      state.spending.limit = answer.choice === 'raise' ? raised(limit, known, answer.feedback) : NO_LIMIT
      return
    }
    case 'effect':
      state.trouble.delete(open.item.about ?? '')
      return
    case 'sign_off':
      signOff(state)
  }
}

function settleTask(state: PlanState, task: TaskState, settled: Settled): void {
  const { answer, at } = settled
  switch (answer.choice) {
    case 'approve': {
      if (task.step === 'escalated') task.overrides = [...task.overrides, ...overridesOf(task, settled)]
      const isBeforeReview = task.cause?.kind.startsWith('gates_') === true
      task.cause = null
      if (isBeforeReview) task.recheck = null
      const to =
        task.step === 'awaiting_person'
          ? 'committing'
          : isBeforeReview
            ? afterOverride(task)
            : afterReview(state, task)
      moveTask(state, task, { to, on: answer.type, at })
      return
    }
    case 'revise':
      if (task.counters.revisions < MAX_REVISIONS) {
        requeue(state, task, { ...settled, as: 'revise' })
        return
      }
      state.pauseDue = `task ${task.spec.id} was revised ${MAX_REVISIONS} times and is still not approved`
      if (task.step === 'escalated') state.reask.add(task)
      return
    case 'retry':
      requeue(state, task, { ...settled, as: 'retry' })
      return
    default:
      moveTask(state, task, { to: 'failed', on: answer.type, at })
      task.feedback = answer.feedback || null
      state.rejected.add(task.spec.id)
  }
}

function requeue(
  state: PlanState,
  task: TaskState,
  how: Settled & { readonly as: 'revise' | 'retry' },
): void {
  task.requeued = how.as
  task.forgiven = task.spent
  task.cause = null
  task.feedback = how.answer.feedback || task.feedback
  moveTask(state, task, { to: 'ready', on: how.answer.type, at: how.at })
}

function overridesOf(task: TaskState, { answer, at }: Settled): Override[] {
  const cause = task.cause
  const what =
    cause?.kind === 'gates_failed' || cause?.kind === 'gates_inconclusive' ? cause.gates : ['review']
  const tree = task.draft?.tree ?? null
  return what.map((gate) => ({ what: gate, tree, by: answer.by, at, reason: answer.feedback }))
}

function dropWithDependents(state: PlanState, task: TaskState, { answer, at }: Settled): void {
  const queue = [task]
  for (const next of queue) {
    if (next.dropped || next.step === 'completed') continue
    unindex(state, next)
    next.dropped = true
    index(state, next)
    moveTask(state, next, { to: 'failed', on: answer.type, at })
    state.rejected.delete(next.spec.id)
    const why = next === task ? '' : `, because it depends on ${task.spec.id}`
    decided(next, at, `dropped by ${answer.by}${why}`)
    leaveLayer(state, next)
    queue.push(...state.dependents.of(next))
  }
}

function leaveLayer(state: PlanState, task: TaskState): void {
  const layer = task.spec.layer === null ? undefined : state.layers.get(task.spec.layer)
  if (layer === undefined) return
  layer.left--
  if (layer.left === 0) layer.status = 'due'
}

function settleReleaseGate(state: PlanState, { answer, at }: Settled): void {
  if (answer.choice !== 'approve') {
    state.release = { ...state.release, step: 'open', inconclusive: 0 }
    return
  }
  const waived = (state.release.verdicts ?? [])
    .filter((verdict) => verdict.outcome !== 'passed' && verdict.outcome !== 'not_applicable')
    .map(({ gate }) => {
      const { tree } = state.release
      return { what: gate, tree, by: answer.by, at, reason: answer.feedback }
    })
  const overrides = [...state.release.overrides, ...waived]
  state.release = { ...state.release, step: 'passed', overrides }
}
