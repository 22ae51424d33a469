/** What an interview does by itself: think, ask the architect, register the plan, look whether services are back. */
import { NO_CONTEXT, type ProjectContext } from '../../core/intake/project-context.ts'
import type { InterviewEvent } from '../../core/interview/events/interview-events.ts'
import { askAfterFailure, goesByForm } from '../../core/interview/read-reply.ts'
import { sessionOf, type Machine } from '../../core/interview/machine.ts'
import type { ToolCall, TurnInput } from '../../core/interview/turn.ts'
import { SERVICE_CHECK_MS } from '../../core/interview/owed.ts'
import { Refusal } from '../../lib/refusal.ts'
import { ServiceUnavailable, type ThinkCall, type Thought } from '../../ports/brain.ts'
import type { Repository } from '../../ports/repositories.ts'
import type { InterviewParts } from './interview-parts.ts'
import { refusalText } from './interview-refusals.ts'
import { performCall, turnInput } from './tools.ts'

export type HandlerName = 'append' | 'think' | 'review' | 'register_plan' | 'check_services'

const MAX_WHY = 2000

const nobody = (answer: ToolCall): Thought<ToolCall> => ({
  answer,
  by: 'nobody',
  usage: null,
  fallback: null,
  cached: false,
})

export class Handlers {
  readonly #parts: InterviewParts
  readonly #repository: Repository
  #gathered: Promise<ProjectContext> | null = null

  constructor(parts: InterviewParts, repository: Repository) {
    this.#parts = parts
    this.#repository = repository
  }

  /** One turn: exactly one tool call. */
  async think(machine: Machine, signal: AbortSignal): Promise<readonly InterviewEvent[]> {
    const { turn, checkSpec } = this.#parts
    const input = { ...turnInput(machine), context: await this.#context(this.#call(machine, signal)) }
    const thought = goesByForm(input.conversation)
      ? nobody(turn.unjudged(input))
      : await this.#ask(input, this.#call(machine, signal))
    signal.throwIfAborted()
    const readUpTo = input.conversation.length
    const committed = () => this.#parts.committedIn(this.#repository)
    const called = await performCall(thought, { committed, readUpTo, checkSpec })
    if (thought.fallback === null) return [called]
    return [called, { type: 'interview.user_awaited', v: 1, why: 'tool', readUpTo, thought: null }]
  }

  /** A model that fails is not replaced without a word: the person decides how to go on. */
  async #ask(input: TurnInput, call: ThinkCall): Promise<Thought<ToolCall>> {
    const { brain } = await this.#parts.thinking(this.#repository)
    const thought = await brain.think(this.#parts.turn, input, call)
    return thought.fallback === null ? thought : { ...thought, answer: askAfterFailure(thought.fallback) }
  }

  async review(machine: Machine, signal: AbortSignal): Promise<readonly InterviewEvent[]> {
    const { review, rounds: round, request: begun } = sessionOf(machine)
    if (review === null) throw new Error('nothing was submitted to the architect')
    const { key, request } = review
    // Who submits a spec again wants another review, also of the same text.
    const call = { ...this.#call(machine, signal), occasion: key }
    const { result, stories, planText, judgedBy, spentUsd } = await this.#parts.review({
      repository: this.#repository,
      request,
      begun,
      round,
      call,
    })
    // Through JSON, as the log keeps it.
    const kept = JSON.parse(JSON.stringify(stories)) as Record<string, never>[]
    return [
      { type: 'interview.review_answered', v: 1, key, result, stories: kept, planText, judgedBy, spentUsd },
    ]
  }

  async registerPlan(machine: Machine): Promise<readonly InterviewEvent[]> {
    const text = sessionOf(machine).review?.planText ?? null
    if (text === null) throw new Error('the architect approved the spec without a plan')
    const plan = await this.#parts.registerPlan(this.#repository, text)
    return [{ type: 'interview.approved', v: 1, plan }]
  }

  /** All must be healthy; a check that fails says nothing about the services, so they count as unavailable. */
  async checkServices(machine: Machine, signal: AbortSignal): Promise<readonly InterviewEvent[]> {
    try {
      const { services } = await this.#parts.thinking(this.#repository)
      const found = await this.#inTime(services.check(signal))
      if (found === null || !found.every(({ ok }) => ok)) return []
      return [{ type: 'interview.resumed', v: 1, services: found.map(({ service }) => service) }]
    } catch (error) {
      if (!signal.aborted) this.#parts.onError(`checking services for interview ${machine.number}`, error)
      return []
    }
  }

  /** Null where it takes until the next check: an outage that is not noticed to last would never end in an error. */
  async #inTime<T>(work: Promise<T>): Promise<T | null> {
    const late = Promise.withResolvers<null>()
    const cancel = this.#parts.clock.wake(SERVICE_CHECK_MS, () => late.resolve(null))
    try {
      return await Promise.race([work, late.promise])
    } finally {
      cancel()
    }
  }

  /** What a handler that threw comes to. */
  failure(error: unknown): readonly InterviewEvent[] {
    if (error instanceof ServiceUnavailable) {
      const { service, retryAt, message } = error
      // A limit with a known end is no outage: the work waits until then.
      return retryAt !== null && retryAt > this.#parts.clock.now()
        ? [{ type: 'interview.parked', v: 1, service, until: retryAt }]
        : [{ type: 'interview.suspended', v: 1, service, why: message.slice(0, MAX_WHY) }]
    }
    const why =
      error instanceof Refusal ? refusalText(error) : error instanceof Error ? error.message : String(error)
    return [{ type: 'interview.failed', v: 1, cause: 'error', why: why.slice(0, MAX_WHY) }]
  }

  /** Gathered once a run of the daemon; a turn that was given up or suspended leaves it to the next. */
  async #context(call: ThinkCall): Promise<ProjectContext> {
    for (;;) {
      const gathering = (this.#gathered ??= this.#gather(call))
      try {
        return await gathering
      } catch (error) {
        if (this.#gathered === gathering) this.#gathered = null
        call.signal.throwIfAborted()
        if (error instanceof ServiceUnavailable) throw error
      }
    }
  }

  /** A project whose files cannot be read has none. Rejects in an outage, and when the turn is given up. */
  async #gather(call: ThinkCall): Promise<ProjectContext> {
    try {
      return await this.#parts.contextOf(this.#repository, call)
    } catch (error) {
      if (call.signal.aborted || error instanceof ServiceUnavailable) throw error
      this.#parts.onError(`reading the context of ${this.#repository.path}`, error)
      return NO_CONTEXT
    }
  }

  #call(machine: Machine, signal: AbortSignal): ThinkCall {
    const { id, spentUsd, startText } = sessionOf(machine)
    const { id: repository } = this.#repository
    // It goes on where `start` has read the code.
    const request = startText === null ? {} : { request: startText.trim() }
    return { about: { interview: id, repository, ...request }, spentUsd, signal, outage: 'throw' }
  }
}
