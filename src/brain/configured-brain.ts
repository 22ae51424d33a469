/** The brain that the settings name. What a model needs is loaded when the first question is asked. */
import { brainModels } from '../core/settings/brain-settings.ts'
import type { Question } from '../core/thinking/question.ts'
import type { Settings } from '../core/settings/settings.ts'
import {
  ModelError,
  type Brain,
  type BrainDescription,
  type BrainServices,
  type ServiceHealth,
  type ThinkCall,
  type Thought,
  type Model,
} from '../ports/brain.ts'
import type { Redactor } from '../lib/text/redactor.ts'
import type { Clock } from '../ports/clock.ts'
import type { ModelBrain } from './model-brain.ts'
import { hidingModel } from './hidden-model.ts'
import type { ModelProvider, KeySource } from './read-key.ts'

/** The agent that would be asked, as far as that is known without starting it. */
export type BrainAgent =
  | {
      readonly name: string
      /** Such as `unknown (its subscription)`. */
      readonly cost: string
      readonly open: () => Promise<Model>
    }
  | { readonly name: null; readonly why: string }

export interface BrainOptions {
  readonly settings: Pick<Settings, 'brain' | 'prices'>
  /** Read when a key is needed: the user may have brought another one. */
  readonly env: KeySource['env']
  /** Of the repository. */
  readonly folder: string
  readonly clock: Clock
  /** Where calls about neither a plan nor an interview are counted. */
  readonly usageFile: string
  /** For `auto` and `agent`. It never rejects. */
  readonly agent: () => Promise<BrainAgent>
  /** Of the secrets that answers could hold; it takes in the key of the provider. None are held if absent. */
  readonly hide?: Redactor | undefined
}

/** For one request: an agent reads files before it answers. */
const MODEL_TIMEOUT_MS = 60_000
const AGENT_TIMEOUT_MS = 5 * 60_000

/** Tokens of a question with the files of the repository, and of its answer. */
const USUAL_IN = 8000
const USUAL_OUT = 2000

export function configuredBrain(options: BrainOptions): Brain & BrainServices {
  const { provider } = options.settings.brain
  if (provider === 'none')
    return new LazyBrain(
      { ...options, agent: async () => ({ name: null, why: 'brain.provider is none' }) },
      null,
    )
  return new LazyBrain(options, provider === 'auto' || provider === 'agent' ? null : provider)
}

/** The safe default of a question; `why` is null where no brain is configured. */
const unjudged = <Input, Answer>(
  question: Question<Input, Answer>,
  input: Input,
  why: string | null,
): Thought<Answer> => ({
  answer: question.unjudged(input),
  by: 'nobody',
  usage: null,
  fallback: why,
  cached: false,
})

class LazyBrain implements Brain, BrainServices {
  readonly #options: BrainOptions
  /** Null where an agent answers. */
  readonly #provider: ModelProvider | null
  #made: { readonly by: string; readonly brain: Promise<ModelBrain> } | null = null

  constructor(options: BrainOptions, provider: ModelProvider | null) {
    this.#options = options
    this.#provider = provider
  }

  async think<Input, Answer>(
    question: Question<Input, Answer>,
    input: Input,
    call: ThinkCall,
  ): Promise<Thought<Answer>> {
    call.signal.throwIfAborted()
    try {
      const found = await this.#brain()
      if (found instanceof Error) return unjudged(question, input, this.#isExpected ? found.message : null)
      return await found.think(question, input, call)
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      return unjudged(question, input, error.message)
    }
  }

  async describe(): Promise<BrainDescription> {
    const { brain, prices } = this.#options.settings
    const models = brainModels(brain)
    if (this.#provider === null) {
      const found = await this.#options.agent()
      if (found.name === null) return { who: null, why: found.why }
      return { who: found.name, models, cost: found.cost, usualTime: '10 to 60 s' }
    }
    const known = { ...prices, ...brain.prices }
    const price = models === null ? undefined : known[models.large]
    const usd = price === undefined ? null : (price.input * USUAL_IN + price.output * USUAL_OUT) / 1_000_000
    const cost =
      usd === null ? 'unknown (no price is set)' : `about $${usd.toFixed(2)} a question by your prices`
    return { who: this.#provider, models, cost, usualTime: '1 to 20 s' }
  }

  async check(signal: AbortSignal): Promise<readonly ServiceHealth[]> {
    const service = this.#provider ?? 'agent'
    try {
      const found = await this.#brain()
      if (!(found instanceof Error)) return [await found.check(signal)]
      return this.#isExpected ? [{ service, ok: false, why: found.message }] : []
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      return [{ service, ok: false, why: error.message }]
    }
  }

  /** With `auto` and `none` it is all right that there is no agent. */
  get #isExpected(): boolean {
    const { provider } = this.#options.settings.brain
    return provider !== 'auto' && provider !== 'none'
  }

  /** A `ModelError` where there is nothing to ask; it is looked for again at the next question. */
  async #brain(): Promise<ModelBrain | ModelError> {
    const provider = this.#provider
    if (provider !== null) return this.#kept(provider, () => sdkModel(this.#options, provider))
    const found = await this.#options.agent()
    if (found.name === null) return new ModelError(found.why, { kind: 'refused' })
    return this.#kept(found.name, found.open)
  }

  async #kept(by: string, open: () => Promise<Model>): Promise<ModelBrain> {
    if (this.#made?.by === by) return this.#made.brain
    const made = { by, brain: open().then((model) => this.#of(model)) }
    this.#made = made
    made.brain.catch(() => {
      if (this.#made === made) this.#made = null
    })
    return made.brain
  }

  async #of(model: Model): Promise<ModelBrain> {
    const { clock, usageFile, settings, hide } = this.#options
    const { brain, prices } = settings
    const [{ ModelBrain: Asked }, { BudgetLedger }] = await Promise.all([
      import('./model-brain.ts'),
      import('./budget-ledger.ts'),
    ])
    return new Asked({
      model: hide === undefined ? model : hidingModel(model, hide),
      clock,
      timeoutMs: brain.timeout ?? (this.#provider === null ? AGENT_TIMEOUT_MS : MODEL_TIMEOUT_MS),
      ledger: new BudgetLedger({ budgetUsd: brain.budget_usd, clock, file: usageFile }),
      prices: { ...prices, ...brain.prices },
    })
  }
}

async function sdkModel(
  { settings: { brain }, env, folder, clock, hide }: BrainOptions,
  provider: ModelProvider,
): Promise<Model> {
  const models = brainModels(brain)
  if (models === null) throw new Error(`brain.provider: ${provider} without a model`)
  const [{ SdkModel }, { keyReader }, { zoneOffsetMs }] = await Promise.all([
    import('./sdk-model.ts'),
    import('./read-key.ts'),
    import('../lib/system/local-time.ts'),
  ])
  const read = keyReader({ brain, env, folder }, () => clock.now())
  const key = async () => {
    const value = await read()
    if (value !== null) hide?.hold([{ name: 'key of the brain', value }])
    return value
  }
  return new SdkModel({
    provider,
    baseUrl: brain.base_url,
    models,
    key,
    clock,
    timeZoneOffsetMs: zoneOffsetMs,
  })
}
