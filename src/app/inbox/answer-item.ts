/** Answers an inbox item in a person's name; the caller has the user's token. */
import { Refusal } from '../../lib/refusal.ts'
import type { AnsweredAnswer } from '../../protocol/answers.ts'
import type { AnswerRequest as AnswerBody } from '../../protocol/requests.ts'
import type { Host } from '../host/host.ts'
import { answerConflict } from './answer-conflict.ts'
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
  const { choice, feedback, by = null, scope, diff_opened: diffOpened } = request
  const yours = { choice, feedback, ...(by === null ? {} : { by }) }
  const { plan, id } = findItem(host, request.id, {
    repository: request.repository,
    plan: request.plan,
    yours,
  })
  const given = { id, choice, feedback, by, scope, diffOpened, calledAs: request.id }
  const done = await plan.answer({ ...given, proof: 'token' })
  if (done.ok) return { id: request.id, plan: plan.id, choice }
  const { kind, why, remedy } = done.refusal
  if (kind === 'over') throw answerConflict(done.refusal, yours)
  throw new Refusal({ code: 'usage', message: why, remedy })
}
