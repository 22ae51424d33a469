/** Answers an inbox item in a person's name; the caller has the user's token. */
import { Refusal } from '../../lib/refusal.ts'
import type { AnsweredAnswer } from '../../protocol/answers.ts'
import type { AnswerRequest as AnswerBody } from '../../protocol/requests.ts'
import type { Host } from '../host/host.ts'
import { findItem } from './inbox.ts'
import { answerUnloadedItem, isUnloadedItem } from './unloaded-items.ts'

export interface AnswerRequest extends Omit<AnswerBody, 'repo'> {
  readonly id: string
  /** The person's repository, to decide between plans with the same id. */
  readonly repository?: string | undefined
}

/** It is durable when this resolves. What an answer needs is decided in core/answers/answer-rules.ts. */
export async function answerItem(host: Host, request: AnswerRequest): Promise<AnsweredAnswer> {
  if (isUnloadedItem(request.id)) return answerUnloadedItem(host, request)
  const { plan, id } = findItem(host, request.id, request.repository)
  const { choice, feedback, by = null } = request
  const done = await plan.answer({ id, choice, feedback, by, proof: 'token', calledAs: request.id })
  if (done.ok) return { id: request.id, plan: plan.id, choice }
  const { kind, why, remedy } = done.refusal
  throw new Refusal({ code: kind === 'over' ? 'conflict' : 'usage', message: why, remedy })
}
