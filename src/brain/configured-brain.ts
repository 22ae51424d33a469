/** The brain that the settings name. What a model needs is loaded when the first question is asked. */
import { brainModels, isWithoutBrain } from '../core/settings/brain-settings.ts'
import type { Question } from '../core/thinking/question.ts'
import type { Settings } from '../core/settings/settings.ts'
import {
  ModelError,
  type Brain,
  type BrainServices,
  type ServiceHealth,
  type ThinkCall,
  type Thought,
  type Model,
} from '../ports/brain.ts'
import type { Clock } from '../ports/clock.ts'
import type { KeySource } from './read-key.ts'
import { NoBrain } from './no-brain.ts'

export interface BrainOptions {
  readonly settings: Pick<Settings, 'brain' | 'prices'>
  /** Read when a key is needed: the user may have brought another one. */
  readonly env: KeySource['env']
  /** Of the repository. */
  readonly folder: string
  readonly clock: Clock
  /** Where calls about neither a plan nor an interview are counted. */
  readonly usageFile: string
  /** The model behind an installed agent, for `provider: agent`. Rejects with `ModelError` where there is none. */
  readonly agent: () => Promise<Model>
}

export function configuredBrain(options: BrainOptions): Brain & BrainServices {
  return isWithoutBrain(options.settings) ? new NoBrain() : new LazyBrain(options)
}

class LazyBrain implements Brain, BrainServices {
  readonly #options: BrainOptions
  #made: Promise<Brain & BrainServices> | null = null

  constructor(options: BrainOptions) {
    this.#options = options
  }

  async think<Input, Answer>(
    question: Question<Input, Answer>,
    input: Input,
    call: ThinkCall,
  ): Promise<Thought<Answer>> {
    call.signal.throwIfAborted()
    try {
      return await (await this.#brain()).think(question, input, call)
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      return {
        answer: question.unjudged(input),
        by: 'nobody',
        usage: null,
        fallback: error.message,
        cached: false,
      }
    }
  }

  async check(signal: AbortSignal): Promise<readonly ServiceHealth[]> {
    try {
      return await (await this.#brain()).check(signal)
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      return [{ service: this.#options.settings.brain.provider, ok: false, why: error.message }]
    }
  }

  /** Rejects with `ModelError` while there is no model; it is looked for again at the next question. */
  async #brain(): Promise<Brain & BrainServices> {
    this.#made ??= modelBrain(this.#options)
    try {
      return await this.#made
    } catch (error) {
      this.#made = null
      throw error
    }
  }
}

async function modelBrain(options: BrainOptions): Promise<Brain & BrainServices> {
  const { clock, usageFile, settings } = options
  const { brain, prices } = settings
  const [{ ModelBrain }, { BudgetLedger }] = await Promise.all([
    import('./model-brain.ts'),
    import('./budget-ledger.ts'),
  ])
  return new ModelBrain({
    model: brain.provider === 'agent' ? await options.agent() : await sdkModel(options),
    clock,
    timeoutMs: brain.timeout,
    ledger: new BudgetLedger({ budgetUsd: brain.budget_usd, clock, file: usageFile }),
    prices: { ...prices, ...brain.prices },
  })
}

async function sdkModel({ settings: { brain }, env, folder, clock }: BrainOptions): Promise<Model> {
  const { provider, base_url: baseUrl } = brain
  const models = brainModels(brain)
  if (provider === 'none' || provider === 'auto' || provider === 'agent' || models === null)
    throw new Error(`${provider} is not a provider of configured models`)
  const [{ SdkModel }, { keyReader }, { zoneOffsetMs }] = await Promise.all([
    import('./sdk-model.ts'),
    import('./read-key.ts'),
    import('../lib/system/zone-offset.ts'),
  ])
  const key = keyReader({ brain, env, folder }, () => clock.now())
  return new SdkModel({ provider, baseUrl, models, key, clock, timeZoneOffsetMs: zoneOffsetMs })
}
