/** The models of a provider, through the AI SDK. This file is loaded when a model is first asked. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import {
  generateText,
  jsonSchema,
  NoObjectGeneratedError,
  Output,
  APICallError,
  type LanguageModel,
} from 'ai'
import type { ModelSize } from '../core/thinking/question.ts'
import {
  ModelError,
  type ServiceHealth,
  type Model,
  type ModelReply,
  type ModelRequest,
  type ModelFailure,
} from '../ports/brain.ts'
import type { Clock } from '../ports/clock.ts'
import { plainLine } from '../lib/text/quoted.ts'
import { resetTime, type ReadAt } from '../core/watch/providers/reset-times.ts'
import type { ModelProvider } from './read-key.ts'

/** The base URLs, with the version in the path; null where the settings must name one. */
const DEFAULT_URLS: Readonly<Record<ModelProvider, string | null>> = {
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  compatible: null,
}

// It would print warnings about settings that a model ignores.
globalThis.AI_SDK_LOG_WARNINGS = false

export interface SdkModelOptions {
  readonly provider: ModelProvider
  readonly baseUrl: string | null
  readonly models: Readonly<Record<ModelSize, string>>
  /** Null where the provider needs none. It is asked for each request, since keys expire. */
  readonly key: () => Promise<string | null>
  readonly clock: Clock
  readonly timeZoneOffsetMs: (zone: string | null, at: number) => number | null
}

const MAX_OUTPUT_TOKENS: Readonly<Record<ModelSize, number>> = { small: 8000, large: 16_000 }

const CHECK_MS = 20_000
/** The least that every provider takes. */
const CHECK_TOKENS = 16

/** How an answer of a schema is asked for. Not every compatible server knows every form; the prompt always says it. */
const FORMS = ['schema', 'json', 'text'] as const
type Form = (typeof FORMS)[number]

export class SdkModel implements Model {
  readonly service: string
  readonly isRetried = true
  readonly usdOfFailure = 0
  readonly #options: SdkModelOptions
  #form: Form = 'schema'

  constructor(options: SdkModelOptions) {
    this.#options = options
    this.service = options.provider
  }

  nameOf(size: ModelSize): string {
    return this.#options.models[size]
  }

  async ask(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    const key = await this.#key(signal)
    for (;;) {
      const form = this.#form
      try {
        return await this.#send(request, { key, form, signal })
      } catch (error) {
        signal.throwIfAborted()
        const failed = this.#failure(error, key)
        const simpler = this.#simplerForm(form, failed)
        if (simpler === null) throw failed
        this.#form = simpler
      }
    }
  }

  /**
   * Asks for a word. A list of its models would cost nothing, but a provider that is overloaded or limits requests still
   * gives that.
   */
  async check(signal: AbortSignal): Promise<ServiceHealth> {
    const { service } = this
    const within = AbortSignal.any([signal, AbortSignal.timeout(CHECK_MS)])
    let key: string | null = null
    try {
      key = await this.#key(within)
      const model = this.#languageModel('small', key, 'text')
      const call = { model, prompt: 'Answer with ok.', maxOutputTokens: CHECK_TOKENS }
      await generateText({ ...call, maxRetries: 0, abortSignal: within })
      return { service, ok: true, why: null }
    } catch (error) {
      if (within.aborted) return { service, ok: false, why: `${service} did not answer in time` }
      const { failure, message } = this.#failure(error, key)
      // It answers; that it wants the request in another form does not matter here.
      return failure.kind === 'refused'
        ? { service, ok: true, why: null }
        : { service, ok: false, why: message }
    }
  }

  get #baseUrl(): string {
    const { baseUrl, provider } = this.#options
    return (baseUrl ?? DEFAULT_URLS[provider] ?? '').replace(/\/+$/, '')
  }

  async #key(signal: AbortSignal): Promise<string | null> {
    const key = await this.#options.key()
    signal.throwIfAborted()
    return key
  }

  async #send(
    { size, instructions, text, schema, name }: ModelRequest,
    { key, form, signal }: { readonly key: string | null; readonly form: Form; readonly signal: AbortSignal },
  ): Promise<ModelReply> {
    const call = {
      model: this.#languageModel(size, key, form),
      instructions,
      prompt: text,
      // The caller retries: retries here would hide the status and the reset time.
      maxRetries: 0,
      maxOutputTokens: MAX_OUTPUT_TOKENS[size],
      abortSignal: signal,
    }
    const output = form === 'text' ? {} : { output: Output.object({ schema: jsonSchema(schema), name }) }
    try {
      const result = await generateText({ ...call, ...output })
      return replyOf(result.text, result.response.modelId, result.usage)
    } catch (error) {
      // Whether the text is an answer is judged by the caller.
      if (!NoObjectGeneratedError.isInstance(error)) throw error
      const { text: written = '', response, usage } = error
      return replyOf(written, response?.modelId ?? this.nameOf(size), usage)
    }
  }

  #languageModel(size: ModelSize, key: string | null, form: Form): Exclude<LanguageModel, string> {
    const { provider, models } = this.#options
    const baseURL = this.#baseUrl
    const apiKey = key ?? ''
    switch (provider) {
      case 'anthropic':
        return createAnthropic({ baseURL, apiKey })(models[size])
      case 'openai':
        return createOpenAI({ baseURL, apiKey })(models[size])
      case 'google':
        return createGoogle({ baseURL, apiKey })(models[size])
      case 'compatible':
        return createOpenAICompatible({
          name: 'compatible',
          baseURL,
          ...(key === null ? {} : { apiKey: key }),
          supportsStructuredOutputs: form === 'schema',
        })(models[size])
    }
  }

  #failure(error: unknown, key: string | null): ModelError {
    const { clock, timeZoneOffsetMs } = this.#options
    const at = { now: clock.now(), offsetMs: timeZoneOffsetMs }
    return error instanceof ModelError ? error : modelError(error, { service: this.service, key, at })
  }

  /** Null where a simpler form would not help. */
  #simplerForm(form: Form, { failure }: ModelError): Form | null {
    if (this.#options.provider !== 'compatible' || failure.kind !== 'refused') return null
    return FORMS[FORMS.indexOf(form) + 1] ?? null
  }
}

interface SdkUsage {
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
  readonly inputTokenDetails: { readonly cacheReadTokens: number | undefined }
}

const replyOf = (text: string, model: string, usage: SdkUsage | undefined): ModelReply => ({
  text,
  model,
  tokensIn: usage?.inputTokens ?? 0,
  tokensOut: usage?.outputTokens ?? 0,
  tokensCached: usage?.inputTokenDetails.cacheReadTokens ?? 0,
})

interface ErrorContext {
  readonly service: string
  readonly key: string | null
  readonly at: ReadAt
}

const MAX_DETAIL = 200
/** They say when to come back: too many requests, unavailable, overloaded. */
const LIMITING = new Set([429, 503, 529])

/** Why a request to a model failed, by the error of the AI SDK. No message of it holds the key or the prompt. */
function modelError(error: unknown, { service, key, at }: ErrorContext): ModelError {
  if (!APICallError.isInstance(error) || error.statusCode === undefined) {
    // Of a network error the code says enough; its message may hold an address with a key in it.
    const code = codeOf(error)
    return new ModelError(`${service} cannot be reached${code === null ? '' : ` (${code})`}`, {
      kind: 'unavailable',
    })
  }
  const { statusCode: status, message } = error
  const failure = failureOf(error, at)
  const detail = plainLine(withoutKey(message, key), MAX_DETAIL)
  return new ModelError(
    `${service} ${meaning(failure, status)}${detail === '' ? '' : `: ${detail}`}`,
    failure,
  )
}

function failureOf(error: APICallError, at: ReadAt): ModelFailure {
  const { statusCode: status } = error
  if (status === 401 || status === 403) return { kind: 'unauthorized' }
  if (status === 429) return { kind: 'limited', until: resetOf(error, at) }
  if (status === undefined || status >= 500 || status === 408 || status === 409) {
    const until = LIMITING.has(status ?? 0) ? resetOf(error, at) : null
    return until === null ? { kind: 'unavailable' } : { kind: 'limited', until }
  }
  // A reply that was cut or garbled arrives with a status of success.
  return status >= 400 ? { kind: 'refused' } : { kind: 'unavailable' }
}

function meaning({ kind }: ModelFailure, status: number | undefined): string {
  const code = status === undefined ? '' : ` (${status})`
  switch (kind) {
    case 'unauthorized':
      return `refused the key${code}`
    case 'limited':
      return `limits requests${code}`
    case 'unavailable':
      return `is unavailable${code}`
    case 'refused':
      return `refused the request${code}`
  }
}

/** The headers of a wait come first: others name the reset of each rate. */
function resetOf({ responseHeaders = {}, responseBody = '' }: APICallError, at: ReadAt): number | null {
  const wait = Number(responseHeaders['retry-after-ms'])
  if (Number.isFinite(wait) && wait > 0) return at.now + Math.ceil(wait)
  const lines = Object.entries(responseHeaders).map(([name, value]) => `${name}: ${value}`)
  const first = lines.filter((line) => line.toLowerCase().startsWith('retry-after:'))
  const texts = [...first, responseBody.slice(0, 20_000), ...lines.filter((line) => /reset/i.test(line))]
  return texts.map((text) => resetTime(text, at)).find((until) => until !== null) ?? null
}

function codeOf(error: unknown): string | null {
  for (
    let inner: unknown = error, depth = 0;
    inner instanceof Error && depth < 5;
    inner = inner.cause, depth++
  ) {
    if ('code' in inner && typeof inner.code === 'string') return plainLine(inner.code, 40)
  }
  return null
}

const SHORTEST_KEY_PART = 8

/** Without the key, also where only its beginning or its end is quoted. */
function withoutKey(text: string, key: string | null): string {
  const hidden = text.replace(/\b(?:sk|key|AIza)[-_A-Za-z0-9*.]{12,}/g, '[key]')
  if (key === null || key.length < SHORTEST_KEY_PART)
    return key === null || key === '' ? hidden : hidden.replaceAll(key, '[key]')
  const parts = [key, key.slice(0, SHORTEST_KEY_PART), key.slice(-SHORTEST_KEY_PART)]
  return parts.reduce((shown, part) => shown.replaceAll(part, '[key]'), hidden)
}
