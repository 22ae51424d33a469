/**
 * The brain that asks a model. Each question is one request; a reply that is no answer is sent back once with what is
 * wrong, then nobody has judged, and the thought says why.
 */
import { createHash } from 'node:crypto'
import { answerSchema, type AnswerSchema } from '../core/thinking/answer-schema.ts'
import type { QuestionName } from '../core/thinking/question-names.ts'
import type { ModelSize, Question } from '../core/thinking/question.ts'
import { readAnswer } from '../core/thinking/read-answer.ts'
import { renderPrompt } from '../core/thinking/render-prompt.ts'
import {
  ServiceUnavailable,
  ModelError,
  type Brain,
  type ServiceHealth,
  type ThinkCall,
  type ThinkSubject,
  type Thought,
  type ThoughtUsage,
  type Model,
  type ModelReply,
  type ModelRequest,
} from '../ports/brain.ts'
import type { Clock } from '../ports/clock.ts'
import { addUsage, costOf, NO_USAGE, type BudgetLedger, type Prices } from './budget-ledger.ts'

export interface ModelBrainOptions {
  readonly model: Model
  readonly clock: Clock
  /** For one request. */
  readonly timeoutMs: number
  /** Of plans, interviews and repositories, each for itself; null: no limit. */
  readonly ledger: BudgetLedger
  readonly prices: Prices
}

/** One retry with what was wrong. */
const ATTEMPTS = 2

export class ModelBrain implements Brain {
  readonly #options: ModelBrainOptions
  readonly #cache = new AnswerCache()
  /** Making one takes longer than all the rest. */
  readonly #schemas = new Map<QuestionName, AnswerSchema>()

  /** Until then the service is not asked again. */
  #limit: { readonly until: number; readonly error: ModelError } | null = null

  constructor(options: ModelBrainOptions) {
    this.#options = options
  }

  async think<Input, Answer>(
    question: Question<Input, Answer>,
    input: Input,
    call: ThinkCall,
  ): Promise<Thought<Answer>> {
    call.signal.throwIfAborted()
    const size = largerOf(question.size, call.size ?? 'small')
    const key = this.#cache.keyOf(call, [question.name, size, input])
    const known = this.#cache.get(key)
    if (known !== undefined) {
      const read = readAnswer(question, input, { text: known.text, isWrapped: false })
      if (read.ok) return { answer: read.answer, by: known.by, usage: null, fallback: null, cached: true }
    }
    const over = this.#options.ledger.overrun(call)
    if (over !== null) return this.#unjudged(question, input, { why: over, usage: null })
    const thought = await this.#ask(question, input, { ...call, size })
    if (thought.fallback === null)
      this.#cache.put(key, { text: JSON.stringify(thought.answer), by: thought.by })
    return thought
  }

  check(signal: AbortSignal): Promise<ServiceHealth> {
    return this.#options.model.check(signal)
  }

  async #ask<Input, Answer>(
    question: Question<Input, Answer>,
    input: Input,
    call: ThinkCall & { readonly size: ModelSize },
  ): Promise<Thought<Answer>> {
    const schema = this.#schemaOf(question)
    const prompt = question.prompt(input)
    let usage: ThoughtUsage = NO_USAGE
    let mistake: string | null = null
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { instructions, text } = renderPrompt(prompt, { schema: schema.whole, mistake })
      const { size } = call
      const subject = subjectOf(call.about)
      const { name, tools = null } = question
      const request = { size, instructions, text, schema: schema.strict, name, subject, tools }
      const asked = await this.#reply(request, call)
      if (asked.kind === 'gave_up') {
        const usd = asked.requests === 0 ? 0 : this.#options.model.usdOfFailure
        usage = addUsage(usage, { ...NO_USAGE, usd, requests: asked.requests })
        return this.#givenUp(question, input, { call, usage, error: asked.error })
      }
      const { reply, requests } = asked
      const { model, prices } = this.#options
      const cost = costOf(reply, { prices, asked: model.nameOf(call.size) })
      this.#options.ledger.add(call, cost)
      usage = addUsage(usage, { ...cost, requests })
      const read = readAnswer(question, input, { text: reply.text, isWrapped: schema.isWrapped })
      if (read.ok) {
        const by = `${this.#options.model.service}/${reply.model}`
        return { answer: read.answer, by, usage, fallback: null, cached: false }
      }
      mistake = read.mistake
    }
    const why = `${this.#options.model.service} gave no valid answer twice (${mistake ?? 'no answer'})`
    return this.#unjudged(question, input, { why, usage })
  }

  #schemaOf<Input, Answer>({ name, answer }: Question<Input, Answer>): AnswerSchema {
    const known = this.#schemas.get(name)
    if (known !== undefined) return known
    const made = answerSchema(answer)
    this.#schemas.set(name, made)
    return made
  }

  async #reply(request: ModelRequest, call: ThinkCall): Promise<Asked> {
    const { model, clock, timeoutMs } = this.#options
    const known = this.#limit
    if (known !== null && known.until > clock.now())
      return { kind: 'gave_up', error: known.error, requests: 0 }
    const asked = await askPatiently({ model, clock, timeoutMs }, request, call.signal)
    if (asked.kind === 'gave_up') {
      const { failure } = asked.error
      const until = failure.kind === 'limited' ? failure.until : null
      this.#limit = until === null ? null : { until, error: asked.error }
    }
    return asked
  }

  /** A key that is refused is no outage: waiting does not help. */
  #givenUp<Input, Answer>(
    question: Question<Input, Answer>,
    input: Input,
    { call, usage, error }: { call: ThinkCall; usage: ThoughtUsage; error: ModelError },
  ): Thought<Answer> {
    const { failure, message } = error
    const isOutage = failure.kind === 'limited' || failure.kind === 'unavailable'
    if (isOutage && call.outage === 'throw') {
      const retryAt = failure.kind === 'limited' ? failure.until : null
      throw new ServiceUnavailable(this.#options.model.service, { why: message, retryAt })
    }
    return this.#unjudged(question, input, { why: message, usage })
  }

  #unjudged<Input, Answer>(
    question: Question<Input, Answer>,
    input: Input,
    { why, usage }: { readonly why: string; readonly usage: ThoughtUsage | null },
  ): Thought<Answer> {
    return { answer: question.unjudged(input), by: 'nobody', usage, fallback: why, cached: false }
  }
}

type Asked =
  | { readonly kind: 'replied'; readonly reply: ModelReply; readonly requests: number }
  | { readonly kind: 'gave_up'; readonly error: ModelError; readonly requests: number }

/** Questions about one of these belong together: an interview and its spec go on with the request that they began with. */
const subjectOf = ({ interview, plan, request }: ThinkSubject): string | null => {
  if (request !== undefined) return `request ${request}`
  if (interview !== undefined) return `interview ${interview}`
  return plan === undefined ? null : `plan ${plan}`
}

const largerOf = (one: ModelSize, other: ModelSize): ModelSize =>
  one === 'large' || other === 'large' ? 'large' : 'small'

/** Answers of models to questions of one plan or interview. An identical question is not paid for twice. */
interface KnownAnswer {
  /** The answer as JSON: each caller gets a value of its own. */
  readonly text: string
  readonly by: string
}

const MAX_ANSWERS = 500

class AnswerCache {
  readonly #known = new Map<string, KnownAnswer>()

  /** Null for a call about neither a plan nor an interview. */
  keyOf({ about, occasion }: ThinkCall, question: readonly unknown[]): string | null {
    const subject = about.plan ?? about.interview
    if (subject === undefined) return null
    return createHash('sha256')
      .update(JSON.stringify([subject, occasion ?? null, question]))
      .digest('hex')
  }

  get(key: string | null): KnownAnswer | undefined {
    return key === null ? undefined : this.#known.get(key)
  }

  put(key: string | null, answer: KnownAnswer): void {
    if (key === null) return
    const [oldest] = this.#known.keys()
    if (this.#known.size >= MAX_ANSWERS && oldest !== undefined) this.#known.delete(oldest)
    this.#known.set(key, answer)
  }
}

interface Patience {
  readonly model: Model
  readonly clock: Clock
  readonly timeoutMs: number
}

/** How long to wait before each retry. */
const RETRY_DELAYS_MS: readonly number[] = [1000, 4000]
/** A service that answers again within this time is waited for; one that does not is given up at once. */
const LONGEST_WAIT_MS = 10_000

/**
 * Asks a model, and again after a while where that can help. The retries are ours: those of a library hide why. Rejects
 * with the reason of the signal only.
 */
async function askPatiently(patience: Patience, request: ModelRequest, signal: AbortSignal): Promise<Asked> {
  for (let requests = 1; ; requests++) {
    try {
      return { kind: 'replied', reply: await askOnce(patience, request, signal), requests }
    } catch (error) {
      signal.throwIfAborted()
      const failed = error instanceof ModelError ? error : unexpected(patience.model, error)
      const retry = { retry: requests, now: patience.clock.now() }
      const delayMs = patience.model.isRetried ? delayBefore(failed, retry) : null
      if (delayMs === null) return { kind: 'gave_up', error: failed, requests }
      await wait(patience.clock, delayMs, signal)
    }
  }
}

/** Null where no further attempt is due. */
function delayBefore(
  { failure }: ModelError,
  { retry, now }: { readonly retry: number; readonly now: number },
): number | null {
  if (failure.kind === 'unauthorized' || failure.kind === 'refused') return null
  const delayMs = RETRY_DELAYS_MS[retry - 1]
  if (delayMs === undefined) return null
  if (failure.kind !== 'limited' || failure.until === null) return delayMs
  const untilResetMs = failure.until - now
  return untilResetMs > LONGEST_WAIT_MS ? null : Math.max(0, untilResetMs)
}

async function askOnce(
  { model, clock, timeoutMs }: Patience,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<ModelReply> {
  const late = new AbortController()
  const error = new ModelError(`${model.service} did not answer within ${timeoutMs / 1000} s`, {
    kind: 'unavailable',
  })
  const disarm = clock.wake(timeoutMs, () => late.abort(error))
  try {
    return await model.ask(request, AbortSignal.any([signal, late.signal]))
  } catch (thrown) {
    throw late.signal.aborted && !signal.aborted ? error : thrown
  } finally {
    disarm()
  }
}

const unexpected = (model: Model, error: unknown): ModelError =>
  new ModelError(`${model.service} failed: ${error instanceof Error ? error.name : 'unknown error'}`, {
    kind: 'unavailable',
  })

function wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.wake(ms, () => {
      signal.removeEventListener('abort', stop)
      resolve()
    })
    const stop = (): void => {
      cancel()
      reject(signal.reason as Error)
    }
    signal.addEventListener('abort', stop, { once: true })
  })
}
