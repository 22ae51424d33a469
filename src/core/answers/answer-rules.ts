/**
 * Checks whether an answer counts. Every interface submits answers here; refusals and their remedies are created here.
 */
import { originOf } from '../../lib/text/decision-origin.ts'
import type { InboxItem } from '../event-schemas/schemas.ts'
import type { EventOf, PlanEvent } from '../events/plan-events.ts'
import type { PlanState } from '../state/state.ts'
import { equalItems, scopesOf } from '../watch/requests/permissions.ts'
import { EXTENSION_MINUTES, parseMinutes } from '../watch/requests/extension.ts'
import { amountRefusal } from './answer-amounts.ts'
import { calledIn, type AnswerRefusal, type PersonAnswer } from './person-answer.ts'
import { FILE_CHOICES } from '../watch/checkins/coordination-files.ts'
import { MOST_MINUTES_BY_RULE } from '../watch/requests/request-answers.ts'
import { closest } from '../../lib/text/closest.ts'

/** The author of an answer that needs no name. */
const UNNAMED = 'user'

export type AnswerEvents =
  | { readonly ok: true; readonly events: readonly PlanEvent[] }
  | { readonly ok: false; readonly refusal: AnswerRefusal }

/** The events of an answer, or its refusal. */
export function answerEvents(state: PlanState, given: PersonAnswer): AnswerEvents {
  const answer = byKey(state, given)
  const refusal = answerRefusal(state, answer)
  if (refusal !== null) return { ok: false, refusal }
  const { choice, feedback } = answer
  const by = named(answer.by) ?? UNNAMED
  const open = state.inbox.get(answer.id)
  const isAnswer = choice !== 'pause' && choice !== 'cancel' && open !== undefined
  const ids = isAnswer ? equalItems(state, open).map(({ item }) => item.id) : [answer.id]
  const more = { ...scopeOf(answer), ...diffOpenedIn(state, answer), ...originOf(answer.origin ?? {}) }
  // The one that was answered comes first.
  const ordered = [answer.id, ...ids.filter((id) => id !== answer.id)]
  if (open?.item.subject === 'paused' && choice === 'resume')
    return { ok: true, events: [{ type: 'plan.resumed', v: 1, by }] }
  return { ok: true, events: ordered.map((id) => eventOf({ id, choice, feedback, by, ...more })) }
}

const scopeOf = ({ scope }: PersonAnswer): Pick<EventOf<'inbox.answered'>, 'scope'> =>
  scope === undefined || scope === 'once' ? {} : { scope }

/** Recorded with an approval of critical work, and with nothing else. */
function diffOpenedIn(
  state: PlanState,
  { id, choice, diffOpened }: PersonAnswer,
): Pick<EventOf<'inbox.answered'>, 'diffOpened'> {
  const item = state.inbox.get(id)?.item
  const isCritical = item?.subject === 'task' && state.tasks.get(item.task ?? '')?.tier === 'critical'
  return diffOpened === undefined || choice !== 'approve' || !isCritical ? {} : { diffOpened }
}

/** `pause` is accepted for every open item and leaves it open; `cancel` ends the plan where an item offers it. */
function eventOf(answer: Omit<EventOf<'inbox.answered'>, 'type' | 'v'>): PlanEvent {
  const { id, choice, feedback, by } = answer
  const reasonFor = (done: string): string =>
    feedback === '' ? `${done} by ${by} in answer to ${id}` : feedback
  if (choice === 'pause')
    return { type: 'plan.paused', v: 1, by, reason: reasonFor('paused'), stopWorkers: false }
  if (choice === 'cancel') return { type: 'plan.cancelled', v: 1, by, reason: reasonFor('cancelled') }
  return { type: 'inbox.answered', v: 1, ...answer }
}

/** Why a choice is not recorded as an answer; null where it is. */
export function noAnswer({ id, choice }: EventOf<'inbox.answered'>): string | null {
  if (choice === 'pause') return `pause is not an answer: the plan is paused and ${id} stays open`
  if (choice === 'cancel') return `cancel is not an answer: the plan is cancelled and ${id} closes with it`
  return null
}

/** Why an answer does not count, and the remedy; null where it counts. */
export function answerRefusal(state: PlanState, answer: PersonAnswer): AnswerRefusal | null {
  const item = state.cancelled === null ? state.inbox.get(answer.id)?.item : undefined
  if (item === undefined) return whyNotOpen(state, answer.id, answer.calledAs)
  return (
    unfitChoice(item, answer) ??
    (answer.proof === 'file' ? fileAnswerRefusal(state, item, answer) : null) ??
    (answer.choice === 'pause' ? pauseRefusal(state) : null) ??
    scopeRefusal(state, item, answer) ??
    rejectMissingText(state, item, answer) ??
    amountRefusal(state, item, answer)
  )
}

const named = (by: string | null): string | null => (by === null || by.trim() === '' ? null : by)

/** Another person may have answered first: the refusal names them and their choice. */
export function whyNotOpen(state: PlanState, id: string, calledAs = id): AnswerRefusal {
  const answered = state.humanDecisions.findLast((decision) => decision.item === id)
  const remedy = 'List the open items: bosun inbox'
  if (answered === undefined) return { kind: 'over', why: `${calledAs} is not open`, remedy }
  const { by, at, choice, feedback } = answered
  const why = `${calledAs} was already answered: ${by} chose ${choice}`
  return { kind: 'over', why, remedy, theirs: { by, at, choice, feedback } }
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

function scopeRefusal(state: PlanState, item: InboxItem, answer: PersonAnswer): AnswerRefusal | null {
  const { scope = 'once' } = answer
  if (scope === 'once' || scopesOf(state, item).includes(scope)) return null
  const why =
    item.kind === 'permission'
      ? `${calledIn(answer)} does not state everything it would do, so it can be answered only this once`
      : `${calledIn(answer)} asks for no permission, so its answer has no scope`
  return { kind: 'incomplete', why, remedy: 'Answer it without a scope.' }
}

function pauseRefusal({ paused, plan }: PlanState): AnswerRefusal | null {
  if (paused === null) return null
  return { kind: 'over', why: 'the plan is already paused', remedy: `Resume it: bosun resume ${plan.id}` }
}

const WHY_FEEDBACK: Readonly<Record<string, string>> = {
  answer: 'it is sent to the worker as your answer',
  rescope: 'it becomes the new scope, and the rejection had no feedback',
  revise: 'the worker needs to know what to change',
}

function rejectMissingText(state: PlanState, item: InboxItem, answer: PersonAnswer): AnswerRefusal | null {
  const { choice, feedback } = answer
  const called = calledIn(answer)
  const isSilent = saysNothing(feedback)
  if (isSilent && needsFeedback(item, choice, earlierFeedback(state, item))) {
    return {
      kind: 'incomplete',
      why: `${choice} on ${called} needs your feedback: ${WHY_FEEDBACK[choice] ?? 'it is passed on'}`,
      remedy: `Add it: bosun answer ${called} ${choice} --feedback "…"`,
    }
  }
  if (!needsReason(item, choice)) return null
  if (isSilent) {
    return {
      kind: 'incomplete',
      why: `${choice} on ${called} is recorded in your name and needs a reason`,
      remedy: `Add one: bosun answer ${called} ${choice} --reason "…"`,
    }
  }
  return named(answer.by) !== null
    ? null
    : {
        kind: 'incomplete',
        why: `${choice} on ${called} is recorded in your name, and no name was given`,
        remedy: 'Give your name: `by` in the request, --by on the command line.',
      }
}

/** Overrides and accepted risks are recorded with the person's name and reason. */
export function needsReason(item: Pick<InboxItem, 'kind'>, choice: string): boolean {
  return (
    ['accept', 'mitigate', 'release'].includes(choice) || (choice === 'approve' && item.kind === 'escalation')
  )
}

/**
 * Revising work that passed everything, building a rejected task in another scope, and answering a worker's question
 * are meaningless without a text.
 */
export function needsFeedback(
  item: Pick<InboxItem, 'kind'>,
  choice: string,
  earlier: string | null,
): boolean {
  if (choice === 'rescope') return earlier === null
  return (
    choice === 'answer' || (choice === 'revise' && (item.kind === 'approval' || item.kind === 'question'))
  )
}

/** The feedback given when the task was rejected; null where there was none. */
export function earlierFeedback(
  state: PlanState,
  { subject, task }: Pick<InboxItem, 'subject' | 'task'>,
): string | null {
  return subject === 'rejection' ? (state.tasks.get(task ?? '')?.feedback ?? null) : null
}

/** Of answers that come as files, which carry no proof of identity; null where this one counts. */
function fileAnswerRefusal(
  state: PlanState,
  item: Pick<InboxItem, 'task'>,
  answer: PersonAnswer,
): AnswerRefusal | null {
  const { choice, feedback } = answer
  if (!FILE_CHOICES.some((key) => key === choice)) return needsToken(choice, answer)
  if (choice !== 'extend') return null
  const live = state.tasks.get(item.task ?? '')?.live ?? null
  const minutes = parseMinutes(feedback) ?? EXTENSION_MINUTES
  const given = (live?.watch.extraMs ?? 0) / 60_000 + minutes
  return given > MOST_MINUTES_BY_RULE
    ? needsToken(`more than ${MOST_MINUTES_BY_RULE} min on top of its limit`, answer)
    : null
}

const needsToken = (what: string, answer: PersonAnswer): AnswerRefusal => ({
  kind: 'incomplete',
  why: `${what} needs the user's token`,
  remedy: `Answer it on the command line: bosun answer ${calledIn(answer)} ${answer.choice}`,
})

/** The answer by the key of its option, which a person may leave out where it is in words. What looks like a key, of this or another open item, is never taken for a text. */
function byKey(state: PlanState, answer: PersonAnswer): PersonAnswer {
  const item = state.inbox.get(answer.id)?.item
  const { choice, feedback } = answer
  if (item === undefined || choice === 'pause') return answer
  const named = item.options.find(({ key, label }) => [key, label].some((one) => isSame(one, choice)))
  if (named !== undefined) return { ...answer, choice: named.key }
  const textKey = keyOfText(item)
  const keys = [...state.inbox.values()].flatMap((open) => open.item.options.map(({ key }) => key))
  if (textKey === null || closest(choice, [...keys, 'pause', 'cancel']) !== null) return answer
  return { ...answer, choice: textKey, feedback: [choice, feedback].filter((text) => text !== '').join('\n') }
}

const isSame = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase()

/** The option that passes on what a person writes; null where no option is an answer in words. */
function keyOfText({ kind, subject, options }: InboxItem): string | null {
  const offered = (key: string): boolean => options.some((option) => option.key === key)
  if (offered('answer')) return 'answer'
  return kind === 'question' && subject === 'task' && offered('revise') ? 'revise' : null
}

/** Such as the placeholder of a printed command. */
const saysNothing = (text: string): boolean => !/[\p{Letter}\p{Number}]/u.test(text)
