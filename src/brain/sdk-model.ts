/** The models of a provider, through the AI SDK. This file is loaded when a model is first asked. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, jsonSchema, NoObjectGeneratedError, Output, type LanguageModel } from 'ai'
import type { ModelSize } from '../core/thinking/question.ts'
import {
  ModelError,
  type ServiceHealth,
  type Model,
  type ModelReply,
  type ModelRequest,
} from '../ports/brain.ts'
import type { Clock } from '../ports/clock.ts'
import { modelError } from './model-error.ts'
import { DEFAULT_URLS, type ModelProvider } from './providers.ts'

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
