/**
 * What an answer needs before it counts. Every door hands answers in here, and the refusal that it shows, with what to
 * do about it, is made here.
 */
import type { InboxItem } from '../event-schemas/schemas.ts'
import type { EventOf, PlanEvent } from '../events/plan-events.ts'
import type { PlanState } from '../state/state.ts'
import { fileAnswerRefusal } from './file-answers.ts'
import { amountRefusal } from './answer-amounts.ts'
import { calledIn, type AnswerRefusal, type PersonAnswer } from './person-answer.ts'

/** Whose name stands beside an answer that needs none. */
const UNNAMED = 'user'

export type AnswerEvents =
  | { readonly ok: true; readonly events: readonly PlanEvent[] }
  | { readonly ok: false; readonly refusal: AnswerRefusal }

/** The events the answer amounts to, or why it amounts to none. */
export function answerEvents(state: PlanState, answer: PersonAnswer): AnswerEvents {
  const refusal = answerRefusal(state, answer)
  if (refusal !== null) return { ok: false, refusal }
  const { id, choice, feedback } = answer
  const by = named(answer.by) ?? UNNAMED
  return { ok: true, events: [eventOf({ id, choice, feedback, by })] }
}

/** `pause` is an answer to every open item, and leaves it open; `cancel` ends the plan where an item offers it. */
function eventOf({ id, choice, feedback, by }: Omit<EventOf<'inbox.answered'>, 'type' | 'v'>): PlanEvent {
  const reasonFor = (done: string): string => (feedback === '' ? `${by} ${done} it at ${id}` : feedback)
  if (choice === 'pause')
    return { type: 'plan.paused', v: 1, by, reason: reasonFor('paused'), stopWorkers: false }
  if (choice === 'cancel') return { type: 'plan.cancelled', v: 1, by, reason: reasonFor('cancelled') }
  return { type: 'inbox.answered', v: 1, id, choice, feedback, by }
}

/** Null when the event is the answer of its item, else what happens instead. */
export function noAnswer({ id, choice }: EventOf<'inbox.answered'>): string | null {
  if (choice === 'pause') return `to pause is no answer: the plan is paused and ${id} stays open`
  if (choice === 'cancel') return `to cancel is not an answer: the plan is cancelled and ${id} closes with it`
  return null
}

/** Null when the answer counts, else why not and what would. */
export function answerRefusal(state: PlanState, answer: PersonAnswer): AnswerRefusal | null {
  const item = state.cancelled === null ? state.inbox.get(answer.id)?.item : undefined
  if (item === undefined) return whyNotOpen(state, answer.id, answer.calledAs)
  return (
    unfitChoice(item, answer) ??
    (answer.proof === 'file' ? fileAnswerRefusal(state, item, answer) : null) ??
    (answer.choice === 'pause' ? pauseRefusal(state) : null) ??
    missingWords(state, item, answer) ??
    amountRefusal(state, item, answer)
  )
}

const named = (by: string | null): string | null => (by === null || by.trim() === '' ? null : by)

/** Somebody else may have been quicker: then it says who, and what they decided. */
export function whyNotOpen(state: PlanState, id: string, calledAs = id): AnswerRefusal {
  const answered = state.humanDecisions.findLast((decision) => decision.item === id)
  const why =
    answered === undefined
      ? `${calledAs} is not open`
      : `${calledAs} was answered already: ${answered.by} said ${answered.choice}`
  return { kind: 'over', why, remedy: 'See what is open: bosun inbox' }
}

function unfitChoice({ options }: InboxItem, answer: PersonAnswer): AnswerRefusal | null {
  const { choice } = answer
  if (choice === 'pause' || options.some(({ key }) => key === choice)) return null
  const offered = options.filter(({ key }) => key !== 'pause').map(({ key, label }) => `${key} (${label})`)
  return {
    kind: 'incomplete',
    why: `${calledIn(answer)} cannot be answered with ${choice}`,
    remedy: `Choose one of: ${[...offered, 'pause'].join(', ')}.`,
  }
}

function pauseRefusal({ paused, plan }: PlanState): AnswerRefusal | null {
  if (paused === null) return null
  return { kind: 'over', why: 'the plan is paused already', remedy: `Go on: bosun resume ${plan.id}` }
}

const WHY_FEEDBACK: Readonly<Record<string, string>> = {
  answer: 'the worker gets it as your answer',
  rescope: 'it is the new scope, and the rejection came without a word',
  revise: 'only you know what is to change',
}

function missingWords(state: PlanState, item: InboxItem, answer: PersonAnswer): AnswerRefusal | null {
  const { choice, feedback } = answer
  const called = calledIn(answer)
  const isSilent = feedback.trim() === ''
  if (isSilent && needsFeedback(item, choice, saidBefore(state, item))) {
    return {
      kind: 'incomplete',
      why: `${choice} on ${called} needs your feedback: ${WHY_FEEDBACK[choice] ?? 'only you know it'}`,
      remedy: `Say it: bosun answer ${called} ${choice} --feedback "…"`,
    }
  }
  if (!needsReason(item, choice)) return null
  if (isSilent) {
    return {
      kind: 'incomplete',
      why: `${choice} on ${called} is recorded in your name and needs a reason`,
      remedy: `Say why: bosun answer ${called} ${choice} --reason "…"`,
    }
  }
  return named(answer.by) !== null
    ? null
    : {
        kind: 'incomplete',
        why: `${choice} on ${called} is recorded in your name, and you gave none`,
        remedy: 'Say who decides: `by` in the request, --by on the command line.',
      }
}

/** What a person lets through or takes on is recorded as theirs, so their reason and their name are part of it. */
export function needsReason(item: Pick<InboxItem, 'kind'>, choice: string): boolean {
  return (
    ['accept', 'mitigate', 'release'].includes(choice) || (choice === 'approve' && item.kind === 'escalation')
  )
}

/**
 * Work that passed everything goes back because a person wants something else, a rejected task is built again in
 * another scope, and what a worker asks is answered in a person's words: without them nobody knows what.
 */
export function needsFeedback(item: Pick<InboxItem, 'kind'>, choice: string, said: string | null): boolean {
  if (choice === 'rescope') return said === null
  return (
    choice === 'answer' || (choice === 'revise' && (item.kind === 'approval' || item.kind === 'question'))
  )
}

/** What a person said when they rejected the task that is asked about; null where they said nothing. */
export function saidBefore(
  state: PlanState,
  { subject, task }: Pick<InboxItem, 'subject' | 'task'>,
): string | null {
  return subject === 'rejection' ? (state.tasks.get(task ?? '')?.feedback ?? null) : null
}
