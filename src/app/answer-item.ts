/** A person's answer to something that waits for one. */
import { needsFeedback, needsReason, saidBefore } from '../core/delivery/answer-rules.ts'
import type { InboxItem } from '../core/events/parts.ts'
import { raiseMisfit } from '../core/spending.ts'
import { answerWords } from '../engine/outside-words.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Host } from './host/host.ts'
import { findItem } from './inbox.ts'
import { answerRestingItem, isRestingItem } from './resting-items.ts'

export interface AnswerRequest {
  readonly id: string
  readonly choice: string
  readonly feedback: string
  /** Whoever has the user's token, where nobody is named. */
  readonly by?: string | undefined
  /** The repository the person stands in: it decides between plans that use the same id. */
  readonly repository?: string | undefined
}

export interface Answered {
  readonly id: string
  readonly plan: string
  readonly choice: string
}

/** It is durable when this resolves. */
export async function answerItem(host: Host, request: AnswerRequest): Promise<Answered> {
  if (isRestingItem(request.id)) return answerRestingItem(host, request)
  const { plan, id } = findItem(host, request.id, request.repository)
  const item = plan.state.inbox.get(id)?.item
  if (item !== undefined) {
    requireFit(item, request, saidBefore(plan.state, item))
    if (item.subject === 'budget' && request.choice === 'raise') {
      requireAmount(request, raiseMisfit(plan.state.spending, request.feedback))
    }
  }
  const { choice, feedback, by = 'user' } = request
  const words = answerWords(plan.state, { id, choice, feedback, by })
  if (typeof words === 'string') throw over(words)
  for (const event of words) {
    const done = await plan.propose(event)
    if (done.ok) continue
    // Where somebody else was quicker, this says who, and what they decided.
    findItem(host, request.id, request.repository)
    throw over(done.why)
  }
  return { id: request.id, plan: plan.id, choice }
}

const over = (why: string): Refusal =>
  new Refusal({ code: 'conflict', message: why, remedy: 'See what is open: bosun inbox' })

const WHY_FEEDBACK: Readonly<Record<string, string>> = {
  answer: 'it is what the worker hears',
  rescope: 'it is the new scope, and nothing was said at the rejection',
  revise: 'the work passed everything, and only you know what is to change',
}

/** Refuses what could never be an answer to this item, and says what could. */
function requireFit({ kind, options }: InboxItem, request: AnswerRequest, said: string | null): void {
  const { id, choice, feedback, by } = request
  if (choice !== 'pause' && !options.some(({ key }) => key === choice)) {
    throw new Refusal({
      code: 'usage',
      message: `${id} cannot be answered with ${choice}`,
      remedy: `Choose one of: ${options.map(({ key, label }) => `${key} (${label})`).join(', ')}, pause.`,
    })
  }
  if (needsFeedback({ kind }, choice, said) && feedback.trim() === '') {
    throw new Refusal({
      code: 'usage',
      message: `${choice} on ${id} needs your feedback: ${WHY_FEEDBACK[choice] ?? 'only you know it'}`,
      remedy: `Say it: bosun answer ${id} ${choice} --feedback "…"`,
    })
  }
  if (!needsReason({ kind }, choice)) return
  if (feedback.trim() === '') {
    throw new Refusal({
      code: 'usage',
      message: `${choice} on ${id} is recorded in your name and needs a reason`,
      remedy: `Say why: bosun answer ${id} ${choice} --reason "…"`,
    })
  }
  if (by === undefined || by.trim() === '') {
    throw new Refusal({
      code: 'usage',
      message: `${choice} on ${id} is recorded in somebody's name, and none was given`,
      remedy: 'Say who decides: `by` in the request, --by on the command line.',
    })
  }
}

/** Money is not guessed at. */
function requireAmount({ id, choice }: AnswerRequest, why: string | null): void {
  if (why === null) return
  throw new Refusal({
    code: 'usage',
    message: `${choice} on ${id}: ${why}`,
    remedy: `Say how much in all: bosun answer ${id} ${choice} --feedback "usd=20 tokens=2000000"; without an amount it is half as much again.`,
  })
}
