/** Adds up what a plain command used, from the lines it prints; estimated where they do not say. */
import { TokenEstimate } from '../../core/crew/token-estimate.ts'
import type { SessionUsage } from '../../ports/agent.ts'
import { NO_AMOUNTS, plus, tokensOf, type Amounts, type OutputLine } from '../command/output-formats.ts'

/** Answers whose usage may still be corrected by a later line. */
const MOST_ANSWERS = 50

export class CommandUsage {
  readonly #estimate = new TokenEstimate()
  /** Of answers that are settled. */
  #settled = NO_AMOUNTS
  /** Of the last answers, by their id. */
  readonly #answers = new Map<string, Amounts>()
  #unnamed = 0
  #total: Amounts | null = null
  #model: string | null = null

  constructor(brief: string) {
    this.#estimate.beginTurn()
    this.#estimate.reads(brief.length)
  }

  /** It printed so many characters that no reader understands. */
  printed(characters: number): void {
    this.#estimate.writes(characters)
  }

  take({ step, total, model }: OutputLine): void {
    if (model !== undefined) this.#model = model
    if (total !== undefined) this.#total = total
    if (step === undefined) return
    const id = step.id ?? `#${++this.#unnamed}`
    this.#answers.set(id, step.used)
    const [oldest] = this.#answers
    if (this.#answers.size <= MOST_ANSWERS || oldest === undefined) return
    this.#settled = plus(this.#settled, oldest[1])
    this.#answers.delete(oldest[0])
  }

  /** Null before it has printed anything. */
  get used(): SessionUsage | null {
    const steps = [...this.#answers.values()].reduce(plus, this.#settled)
    const counted = this.#total !== null && tokensOf(this.#total) >= tokensOf(steps) ? this.#total : steps
    const usd = this.#total?.usd ?? steps.usd
    if (tokensOf(counted) > 0 || usd !== null)
      return {
        tokensIn: counted.in,
        tokensOut: counted.out,
        tokensCached: counted.cached,
        usd,
        model: this.#model,
        of: 'turns',
      }
    const { in: tokensIn, out } = this.#estimate.tokens
    if (this.#estimate.steps === 0) return null
    const unknown = { tokensCached: null, usd: null, model: this.#model, of: 'turns' } as const
    return { tokensIn, tokensOut: out, ...unknown, isEstimated: true }
  }
}
