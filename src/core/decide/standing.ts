/** A plan's standing, as one word and a reason. "Nothing to start" can mean four different things. */
import { waitsForAnswer } from '../delivery/inbox/plan-questions.ts'
import { formatParked } from '../watch/providers/parking.ts'
import { pickTask } from './pick-task.ts'
import { unfinished, type PlanState, type TaskState } from '../state/state.ts'

export type Standing = 'running' | 'waiting' | 'deadlocked' | 'paused' | 'done'

export interface PlanStanding {
  readonly state: Standing
  readonly why: string
}

export function standing(state: PlanState): PlanStanding {
  if (state.cancelled !== null) {
    return { state: 'done', why: `cancelled by ${state.cancelled.by}: ${state.cancelled.reason}` }
  }
  if (state.release.step === 'prepared') return { state: 'done', why: 'released, waiting for a sign-off' }
  if (state.release.step === 'signed') return { state: 'done', why: 'released and signed off' }
  if (state.paused !== null) return { state: 'paused', why: state.paused.reason }
  const budget = [...state.inbox.values()].find(({ item }) => item.subject === 'budget')
  if (budget !== undefined && [...state.active].every(({ step }) => step === 'deciding')) {
    return { state: 'waiting', why: `${budget.item.id}: ${budget.item.problem}` }
  }
  const held = dispatchBlocker(state)
  if (held !== null && !isBusy(state)) return { state: 'waiting', why: held }
  const isWorking = [...state.holding].some(({ step }) => step !== 'taken_over')
  if (isWorking || pickTask(state) !== undefined) {
    const why = `${state.holding.size} in progress, ${state.ready.size} ready`
    return { state: 'running', why: held === null ? why : `${why}; ${held}` }
  }
  const failed = [...state.blocked].filter((task) => task.step === 'failed')
  if (failed.length > 0 && isBehindFailuresOnly(state)) {
    return { state: 'deadlocked', why: deadlock(state, failed) }
  }
  const heldBack = heldBackForReview(state)
  if (heldBack !== null) return { state: 'waiting', why: heldBack.text }
  const question = blockingItem(state)
  if (question !== null) return { state: 'waiting', why: question }
  return { state: 'running', why: unfinished(state) === 0 ? 'preparing the release' : 'between steps' }
}

export interface HeldBack {
  /** Results that wait for approval. */
  readonly waiting: number
  readonly most: number
  readonly text: string
}

/** Ready tasks do not start while people have too much to review; null where that holds nothing back. */
export function heldBackForReview(state: PlanState): HeldBack | null {
  const { waitingForReview: waiting, settings, paused, cancelled } = state
  const most = settings.maxWaitingForReview
  if (waiting < most || state.ready.size === 0 || paused !== null || cancelled !== null) return null
  const results = waiting === 1 ? '1 result is waiting' : `${waiting} results are waiting`
  const text = `${results} for approval; no new task starts until one is decided (scheduling.max_waiting_for_review: ${most})`
  return { waiting, most, text }
}

/** What prevents all dispatches. */
function dispatchBlocker(state: PlanState): string | null {
  const open = [...state.inbox.values()].find(
    ({ item: { subject } }) => subject === 'breaker' || subject === 'checks' || subject === 'plan_proposal',
  )
  return open === undefined ? formatParked(state) : `${open.item.id}: ${open.item.problem}`
}

/** Whether a step is in progress that needs no further worker. */
function isBusy(state: PlanState): boolean {
  for (const { live, step } of state.holding)
    if (live !== null || (step !== 'deciding' && step !== 'reviewing' && step !== 'taken_over')) return true
  return false
}

function blockingItem(state: PlanState): string | null {
  const open = [...state.inbox.values()].find(({ item }) => item.blocking)
  return open === undefined ? null : `${open.item.id}: ${open.item.problem}`
}

/** Only failed tasks wait for a person, and everything left depends on them. */
function isBehindFailuresOnly(state: PlanState): boolean {
  const isAsked = [...state.unsettled].some(waitsForAnswer)
  return state.counts.escalated === 0 && state.active.size === 0 && state.counts.ready === 0 && !isAsked
}

function deadlock(state: PlanState, failed: readonly TaskState[]): string {
  const ids = failed.map((task) => task.spec.id)
  const behind = state.counts.pending
  const rest =
    behind === 0
      ? 'no other tasks are left'
      : `${behind} more ${behind === 1 ? 'depends' : 'depend'} on ${ids.length === 1 ? 'it' : 'them'}`
  return `${ids.length === 1 ? 'task' : 'tasks'} ${ids.join(', ')} failed and ${rest}`
}
