import type { BrainDescription } from '../core/settings/brain-description.ts'
import type { JsonSchema } from '../core/thinking/answer-schema.ts'
import type { AnswerTools, ModelSize, Question } from '../core/thinking/question.ts'

export type { BrainDescription } from '../core/settings/brain-description.ts'

/** What a call is about: what it costs is counted there, and identical questions are answered once. */
export interface ThinkSubject {
  readonly plan?: string
  readonly task?: string
  readonly interview?: string
  /** The request that it began with, in the user's words: all questions about it belong together. */
  readonly request?: string
  readonly repository?: string
}

export interface ThinkCall {
  readonly about: ThinkSubject
  /** Raises the size that the question has. */
  readonly size?: ModelSize
  /** What the log says that its plan or interview has spent; the brain counts what it spends itself. */
  readonly spentUsd?: number
  readonly signal: AbortSignal
  /** When a service stays unavailable after the retries: the default without a judgement is taken, or the call rejects. */
  readonly outage: 'unjudged' | 'throw'
  /** An identical question is asked again on another occasion: a person may want a new answer. */
  readonly occasion?: string
}

export interface ThoughtUsage {
  readonly tokensIn: number
  readonly tokensOut: number
  /** The part of `tokensIn` that the provider had cached. */
  readonly tokensCached: number
  /** Null where no price is known. */
  readonly usd: number | null
  /** Requests to the provider, retries included. */
  readonly requests: number
}

export interface Thought<Answer> {
  readonly answer: Answer
  /** `nobody`, or the provider and model, such as `anthropic/claude-sonnet-4-5`. */
  readonly by: string
  /** Null where no model was asked. */
  readonly usage: ThoughtUsage | null
  /** Why nobody judged although a brain is configured; null where they did not. */
  readonly fallback: string | null
  /** Whether an identical question of the same plan or interview was answered before; it cost nothing then. */
  readonly cached: boolean
}

/** A service is still unavailable after the retries. Only a call with `outage: 'throw'` rejects with it. */
export class ServiceUnavailable extends Error {
  override readonly name = 'ServiceUnavailable'
  readonly service: string
  /** When the service says that it is available again; null where it does not. */
  readonly retryAt: number | null

  constructor(service: string, fields: { readonly why: string; readonly retryAt?: number | null }) {
    super(fields.why.startsWith(service) ? fields.why : `${service} is unavailable: ${fields.why}`)
    this.service = service
    this.retryAt = fields.retryAt ?? null
  }
}

/**
 * Answers small typed questions. It proposes; the core decides.
 * - Every question has a safe default that needs no model, and says that nothing was judged.
 * - An answer fits the question's schema, and the question finds no problem with it.
 * - A question holds all that its answer needs: no answer depends on another question that was asked before.
 * - `think` rejects with `ServiceUnavailable` if the call allows it, with the reason of the call's signal once that is
 *   aborted, and with nothing else.
 */
export interface Brain {
  think<Input, Answer>(
    question: Question<Input, Answer>,
    input: Input,
    call: ThinkCall,
  ): Promise<Thought<Answer>>
}

export interface ServiceHealth {
  readonly service: string
  readonly ok: boolean
  /** What is wrong with it; null where nothing is. */
  readonly why: string | null
}

/** The services that thinking depends on. */
export interface BrainServices {
  /** Asks no service. It never rejects. */
  describe(): Promise<BrainDescription>
  /** Asks each configured service for very little. It never rejects; without services the list is empty. */
  check(signal: AbortSignal): Promise<readonly ServiceHealth[]>
}

export interface ModelRequest {
  readonly size: ModelSize
  readonly instructions: string
  readonly text: string
  /** The schema of the answer, for those that can enforce one. */
  readonly schema: JsonSchema
  /** A name for the schema: letters and underscores. */
  readonly name: string
  /** What the request is about: one who keeps sessions may continue the one of that subject. Null: nothing is kept. */
  readonly subject: string | null
  /** By which tools an agent answers; null: it writes the answer as JSON. */
  readonly tools: AnswerTools | null
}

export interface ModelReply {
  /** As the model wrote it; nothing about it is checked. */
  readonly text: string
  /** The model that answered, such as `claude-sonnet-4-5`. */
  readonly model: string
  readonly tokensIn: number
  readonly tokensOut: number
  /** The part of `tokensIn` that the provider had cached. */
  readonly tokensCached: number
  /** Where the service itself says what it cost. */
  readonly usd?: number | null
}

export type ModelFailure =
  /** The service knows neither the key nor the sign-in. */
  | { readonly kind: 'unauthorized' }
  /** It answers again at `until`; null where it does not say when. */
  | { readonly kind: 'limited'; readonly until: number | null }
  /** It cannot be reached, is overloaded, or did not answer in time. */
  | { readonly kind: 'unavailable' }
  /** It refuses the request itself, such as an unknown model. Trying again does not help. */
  | { readonly kind: 'refused' }

/** Why a model gave no reply. Its message holds no key and nothing of the prompt. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly failure: ModelFailure

  constructor(message: string, failure: ModelFailure) {
    super(message)
    this.failure = failure
  }
}

/**
 * One configured service with its models.
 * - `ask` sends one request. Other requests do not change what is asked; without a subject it has a fresh context.
 * - `ask` rejects with a `ModelError`, or with the reason of its signal once that is aborted, and with nothing else.
 */
export interface Model {
  /** Such as `anthropic`, or the name of an agent. */
  readonly service: string
  /** Whether a request is worth repeating after a failure. Agents try again by themselves. */
  readonly isRetried: boolean
  /** What a request without a reply has cost, in US dollars; null where that is unknown. */
  readonly usdOfFailure: 0 | null
  /** The name of the model for a size, as far as it is known before the first answer. */
  nameOf(size: ModelSize): string
  ask(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>
  /** Asks for very little. It never rejects. */
  check(signal: AbortSignal): Promise<ServiceHealth>
}
