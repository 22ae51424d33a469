/** A person's answer to something that waits for one. */
import { answerWords } from '../engine/outside-words.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Host } from './host/host.ts'
import { findItem } from './inbox.ts'

export interface AnswerRequest {
  readonly id: string
  readonly choice: string
  readonly feedback: string
  readonly by: string
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
  const { plan, id } = findItem(host, request.id, request.repository)
  const options = plan.state.inbox.get(id)?.item.options ?? []
  const isOption = request.choice === 'pause' || options.some(({ key }) => key === request.choice)
  if (!isOption) {
    throw new Refusal({
      code: 'usage',
      message: `${request.id} cannot be answered with ${request.choice}`,
      remedy: `Choose one of: ${options.map(({ key, label }) => `${key} (${label})`).join(', ')}, pause.`,
    })
  }
  const { choice, feedback, by } = request
  const words = answerWords(plan.state, { id, choice, feedback, by })
  if (typeof words === 'string') throw over(words)
  for (const event of words) {
    const done = await plan.propose(event)
    if (!done.ok) throw over(done.why)
  }
  return { id: request.id, plan: plan.id, choice }
}

const over = (why: string): Refusal =>
  new Refusal({ code: 'conflict', message: why, remedy: 'See what is open: bosun inbox' })
