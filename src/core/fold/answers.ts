/** Applies a person's answer. Reject and revise always take effect; neither can end as done. */
import { addTasks } from '../state/add-tasks.ts'
import { MAX_REVISIONS } from '../state/budgets.ts'
import type { EventOf } from '../events/plan-events.ts'
import { answerChecks } from '../delivery/inbox/checks-question.ts'
import { closeBreaker, probeNow } from './providers.ts'
import { decided, leaveLayer, moveTask, taskIn } from './moves.ts'
import { settleNothingBuilt } from './nothing-built.ts'
import { answerPlanQuestion } from './plan-answers.ts'
import { answerRequest, answerAlert } from './watch.ts'
import { afterOverride, afterReview, coveredFailures } from './proof.ts'
import { originOf, originText } from '../../lib/text/decision-origin.ts'
import { risksMeant } from '../state/open-risks.ts'
import { outsideContract, widened } from '../delivery/inbox/widen-contract.ts'
import { TIERS, type TaskSpec } from '../planning/plan.ts'
import { atLeast, estimate, NO_LIMIT, plus, raised } from '../state/spending.ts'
import { index, unindex } from '../state/indexes.ts'
import {
  askedAbout,
  type Instant,
  type OpenItem,
  type Override,
  type PlanState,
  type TaskState,
} from '../state/state.ts'

type Answer = EventOf<'inbox.answered'>

export function answerItem(state: PlanState, answer: Answer, at: Instant): void {
  const open = state.inbox.get(answer.id)
  if (open === undefined) throw new Error(`no open item ${answer.id}`)
  const { id, choice, feedback, by, diffOpened } = answer
  const origin = originOf(answer)
  closeItem(state, open)
  const known = diffOpened === undefined ? {} : { diffOpened }
  state.humanDecisions.push({ at, item: id, task: open.item.task, choice, feedback, by, ...known, ...origin })
  if (open.item.kind === 'escalation') state.progress.due = `escalation ${id} was answered`
  if (open.item.task !== null) decided(taskIn(state, open.item.task), at, answerText(answer))
  settle(state, { open, answer, at })
}

export function answerText(answer: Answer): string {
  const { id, choice, feedback, by, scope, diffOpened } = answer
  const reach = scope === undefined || scope === 'once' ? '' : `, for the whole ${scope}`
  const diff = diffOpened === undefined ? '' : `, diff opened: ${diffOpened ? 'yes' : 'no'}`
  return `${by} answered ${id}: ${choice}${feedback && ` (${feedback})`}${reach}${diff}${originText(answer)}`
}

/** Signed, through the inbox or by command: the open item is closed. */
export function signOff(state: PlanState): void {
  state.release = { ...state.release, step: 'signed' }
  for (const open of state.inbox.values()) if (open.item.subject === 'sign_off') closeItem(state, open)
}

export function closeItem(state: PlanState, { item }: OpenItem): void {
  state.inbox.delete(item.id)
  state.asked.delete(askedAbout(item))
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
    case 'worker':
      answerAlert(state, open, settled)
      return
    case 'request':
      answerRequest(state, open, settled)
      return
    case 'rejection': {
      const task = taskIn(state, open.item.task ?? '')
      state.rejected.delete(task.spec.id)
      const { proposal } = task
      task.proposal = null
      if (answer.choice === 'drop') dropWithDependents(state, task, settled)
      else if (answer.choice === 'split') splitTask(state, task, { ...settled, parts: proposal?.parts ?? [] })
      else requeue(state, task, { ...settled, as: 'retry' })
      return
    }
    case 'risk':
      for (const risk of risksMeant(state, answer.feedback)) {
        const status = answer.choice === 'mitigate' ? 'mitigated' : 'accepted'
        const settledBy = { acceptedBy: answer.by, acceptedAt: at, reason: answer.feedback }
        state.risks.set(risk.id, { ...risk, status, ...settledBy })
      }
      return
    case 'release_gate':
      settleReleaseGate(state, settled)
      return
    case 'completeness': {
      const { by, feedback: reason } = answer
      state.release = { ...state.release, unmapped: { by, at, reason } }
      return
    }
    case 'nothing_built':
      settleNothingBuilt(state, answer, at)
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
    case 'provider':
      probeNow(state, open.item.about ?? '', at)
      return
    case 'breaker':
      closeBreaker(state, 'fresh tries')
      return
    case 'checks':
      answerChecks(state, answer, at)
      return
    case 'plan_proposal':
      state.proposal = null
      return
    case 'plan_question':
      answerPlanQuestion(state, open, settled)
      return
    case 'sign_off':
      signOff(state)
      return
    case 'paused':
      // Resuming or cancelling the plan is its answer.
      return
    case 'takeover':
      handBack(state, taskIn(state, open.item.task ?? ''), settled)
  }
}

/** The work of a person goes to the gates as the attempt's own, or the agent goes on with it. */
function handBack(state: PlanState, task: TaskState, { answer, at }: Settled): void {
  const people = [...new Set([...(task.draft?.people ?? []), task.takenOverBy ?? answer.by])]
  if (task.draft !== null) task.draft = { ...task.draft, people }
  task.cause = answer.choice === 'agent' ? { kind: 'restarted' } : null
  if (answer.feedback !== '') task.feedback = answer.feedback
  moveTask(state, task, { to: 'collecting', on: answer.type, at })
}

function settleTask(state: PlanState, task: TaskState, settled: Settled): void {
  const { answer, at } = settled
  switch (answer.choice) {
    case 'approve': {
      const { by, diffOpened } = answer
      const seen = diffOpened === undefined ? {} : { diffOpened }
      if (task.step === 'awaiting_person') task.confirmedBy = { by, attempt: task.attempt, ...seen }
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
    case 'continue':
      settleQuestions(task)
      task.cause = null
      task.verdicts = null
      moveTask(state, task, { to: 'gating', on: answer.type, at })
      return
    case 'revise':
      settleQuestions(task)
      if (task.counters.revisions < MAX_REVISIONS) {
        requeue(state, task, { ...settled, as: 'revise' })
        return
      }
      if (state.paused === null)
        state.pauseDue = `task ${task.spec.id} was revised ${MAX_REVISIONS} times and is still not approved`
      if (task.step === 'escalated') state.reask.add(task)
      return
    case 'retry':
      requeue(state, task, { ...settled, as: 'retry' })
      return
    case 'widen': {
      // The work stays as it is and only its contract changes, so no worker is needed.
      const paths = outsideContract(task)
      task.spec = widened(task.spec, paths)
      task.cause = null
      decided(task, at, `${answer.by} widened the contract to ${paths.join(', ')}`)
      moveTask(state, task, { to: 'gating', on: answer.type, at })
      return
    }
    case 'recheck':
      task.cause = null
      task.counters = { ...task.counters, inconclusive: 0 }
      task.refusal = null
      moveTask(state, task, { to: 'gating', on: answer.type, at })
      return
    default:
      moveTask(state, task, { to: 'failed', on: answer.type, at })
      task.feedback = answer.feedback || null
      state.rejected.add(task.spec.id)
      for (const dependent of state.dependents.of(task)) {
        const text = `its dependency ${task.spec.id} was rejected by ${answer.by} and is being replanned`
        decided(dependent, at, text)
      }
  }
}

function settleQuestions(task: TaskState): void {
  if (task.cause?.kind !== 'unclear') return
  task.settledQuestions = [...task.settledQuestions, ...task.cause.questions]
}

function requeue(
  state: PlanState,
  task: TaskState,
  how: Settled & { readonly as: 'revise' | 'retry' },
): void {
  task.requeued = how.as
  task.refusal = null
  task.forgiven = task.spent
  task.cause = null
  task.feedback = how.answer.feedback || task.feedback
  moveTask(state, task, { to: 'ready', on: how.answer.type, at: how.at })
}

const viaOf = ({ via }: Answer): Pick<Override, 'via'> => (via === undefined ? {} : { via })

function overridesOf(task: TaskState, { answer, at }: Settled): Override[] {
  const cause = task.cause
  const what =
    cause?.kind === 'gates_failed' || cause?.kind === 'gates_inconclusive' ? cause.gates : ['review']
  const tree = task.draft?.tree ?? null
  const taken = { tree, by: answer.by, at, reason: answer.feedback, ...viaOf(answer) }
  return what.map((gate) => ({ what: gate, ...taken, ...coveredFailures(task, gate) }))
}

function drop(state: PlanState, task: TaskState, { answer, at }: Settled): void {
  unindex(state, task)
  task.dropped = true
  index(state, task)
  moveTask(state, task, { to: 'failed', on: answer.type, at })
  leaveLayer(state, task)
}

function dropWithDependents(state: PlanState, task: TaskState, settled: Settled): void {
  const queue = [task]
  for (const next of queue) {
    if (next.dropped || next.step === 'completed') continue
    drop(state, next, settled)
    state.rejected.delete(next.spec.id)
    const why = next === task ? '' : `, because it depends on ${task.spec.id}`
    decided(next, settled.at, `dropped by ${settled.answer.by}${why}`)
    queue.push(...state.dependents.of(next))
  }
}

/** Its parts replace it: tasks that depended on it depend on the last part. */
function splitTask(
  state: PlanState,
  task: TaskState,
  settled: Settled & { readonly parts: readonly TaskSpec[] },
): void {
  const { answer, at, parts } = settled
  const id = task.spec.id
  const names = parts.map((part) => part.id)
  const added = addTasks(state, parts, at, task.planAnswers)
  for (const part of added) {
    part.feedback = answer.feedback || task.feedback
    decided(part, at, `split off from task ${id} by ${answer.by}`)
  }
  const last = added.at(-1)
  if (last === undefined) throw new Error(`task ${id} has no parts to split into`)
  for (const dependent of state.dependents.of(task)) {
    const dependsOn = dependent.spec.dependsOn.map((needed) => (needed === id ? last.spec.id : needed))
    dependent.spec = { ...dependent.spec, dependsOn }
    // It still waits for one task, only another one.
    state.dependents.link(last, dependent)
    decided(dependent, at, `task ${id} was split by ${answer.by}; it now depends on ${last.spec.id}`)
  }
  drop(state, task, settled)
  task.splitInto = names
  decided(task, at, `split by ${answer.by} into ${names.join(', ')}`)
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
      return { what: gate, tree, by: answer.by, at, reason: answer.feedback, ...viaOf(answer) }
    })
  const overrides = [...state.release.overrides, ...waived]
  state.release = { ...state.release, step: 'passed', overrides }
}
