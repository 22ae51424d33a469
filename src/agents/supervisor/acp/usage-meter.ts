/** Adds up what a session used, from what its agent reports. */
import type { SessionUsage } from '../../../ports/agent.ts'
import type { AcpJob } from '../../worker-folder.ts'
import type { PromptResponse } from './updates.ts'

export class UsageMeter {
  readonly #kind: AcpJob['usage']
  #in: number | null = null
  #out: number | null = null
  #cached: number | null = null
  #model: string | null = null
  /** Of the whole session: of earlier workers too, where it was loaded. */
  #cost: number | null = null
  #costBefore = 0

  constructor(kind: AcpJob['usage']) {
    this.#kind = kind
  }

  /** Whether no tokens at the end of a turn mean that no model answered. */
  get isReliable(): boolean {
    return this.#kind !== 'none'
  }

  model(name: string): void {
    this.#model = name
  }

  /** The cost of the session so far; before the first prompt it is that of earlier workers. True where it is news. */
  cost(usd: number, { isBefore }: { readonly isBefore: boolean }): boolean {
    if (isBefore) this.#costBefore = usd
    if (isBefore || usd <= (this.#cost ?? -1)) return false
    this.#cost = usd
    return true
  }

  get isKnown(): boolean {
    return this.#in !== null || this.#out !== null || this.#cost !== null
  }

  /** Takes the end of a turn. The tokens of it that were reported; null where none were. */
  turn({ usage, _meta: meta }: PromptResponse): number | null {
    const counted = meta?.quota?.token_count
    const [tokensIn, tokensOut] = [
      usage?.inputTokens ?? counted?.input_tokens ?? null,
      usage?.outputTokens ?? counted?.output_tokens ?? null,
    ]
    const [used] = meta?.quota?.model_usage ?? []
    if (used !== undefined) this.#model = used.model
    const cached = sum(usage?.cachedReadTokens ?? null, usage?.cachedWriteTokens ?? null)
    const thought = usage?.thoughtTokens ?? null
    const all = sum(sum(tokensIn, tokensOut), sum(cached, thought))
    const total = usage?.totalTokens ?? null
    // Some agents count cached tokens and thoughts apart, some within the others; the total tells.
    const isApart = total === null || total >= (all ?? 0)
    this.#in = sum(this.#in, isApart ? sum(tokensIn, cached) : tokensIn)
    this.#out = sum(this.#out, isApart ? sum(tokensOut, thought) : tokensOut)
    this.#cached = sum(this.#cached, usage?.cachedReadTokens ?? null)
    return total ?? all
  }

  get total(): SessionUsage {
    return {
      tokensIn: this.#in,
      tokensOut: this.#out,
      tokensCached: this.#cached,
      usd: this.#cost === null ? null : Math.max(0, this.#cost - this.#costBefore),
      model: this.#model,
      of: this.#kind === 'last_step' ? 'last_steps' : 'turns',
    }
  }
}

const sum = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : a + b)
