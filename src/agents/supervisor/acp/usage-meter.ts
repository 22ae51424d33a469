/** Adds up what a session used: from what its agent reports, and estimated as far as it does not. */
import { TokenEstimate } from '../../../core/crew/token-estimate.ts'
import type { SessionUsage, TurnUsage } from '../../../ports/agent.ts'
import type { AcpJob } from '../../worker-folder.ts'
import { isNews, NO_AMOUNTS, plus, sum, type Amounts } from '../../command/reported-amounts.ts'
import { stepUsage, type PromptResponse, type StepUsage } from './updates.ts'

/** The last ones are kept one by one. */
const MOST_TURNS = 100

interface Metered {
  readonly tokens: Amounts
  readonly isEstimated: boolean
}

const UNUSED: Metered = { tokens: NO_AMOUNTS, isEstimated: false }

export class UsageMeter {
  readonly #kind: AcpJob['usage']
  readonly #onNews: (usage: SessionUsage) => void
  readonly #onUsed: (usage: SessionUsage) => void
  readonly #estimate = new TokenEstimate()
  /** Of the turns that are over. */
  #tokens = NO_AMOUNTS
  #isEstimated = false
  readonly #turns: TurnUsage[] = []
  /** Of the turn that runs: what the agent reported of its steps. */
  #steps = NO_AMOUNTS
  #isRunning = false
  #hasBegun = false
  #model: string | null = null
  /** Of the whole session: of earlier workers too, where it was loaded. */
  #cost: number | null = null
  #costBefore: number
  #costOfTurns: number
  #noted: SessionUsage | null = null

  /** `onUsed` gets the sum at every update, so that a budget can end a turn in the middle; `onNews` at significant ones. */
  constructor(
    { usage, usdBefore = 0 }: Pick<AcpJob, 'usage' | 'usdBefore'>,
    onNews: (usage: SessionUsage) => void = () => undefined,
    onUsed: (usage: SessionUsage) => void = () => undefined,
  ) {
    this.#kind = usage
    this.#onNews = onNews
    this.#onUsed = onUsed
    this.#costBefore = usdBefore
    this.#costOfTurns = usdBefore
  }

  /** Whether no tokens at the end of a turn mean that no model answered. */
  get isReliable(): boolean {
    return this.#kind !== 'none'
  }

  model(name: string): void {
    this.#model = name
  }

  /** A turn begins with a prompt of so many characters. */
  begin(characters: number): void {
    this.#estimate.beginTurn()
    this.#estimate.reads(characters)
    this.#steps = NO_AMOUNTS
    this.#isRunning = true
    this.#hasBegun = true
  }

  /** The model wrote this. Beside it may stand what one of its steps used, where the agent reports each. */
  text(text: string, update: unknown): void {
    if (!this.#isRunning) return
    if (text !== '') this.#estimate.writes(text.length)
    const step = stepUsage(update)
    if (step !== null) this.#steps = plus(this.#steps, amountsOf(step))
    this.#tell()
  }

  /** A tool was called, or has answered. */
  tool(change: 'began' | 'ended' | null, update: Readonly<Record<string, unknown>>): void {
    if (!this.#isRunning || change === null) return
    if (change === 'began') this.#estimate.writes(sizeOf(update['rawInput']))
    else this.#estimate.reads(sizeOf(update['rawOutput'] ?? update['content']))
    this.#tell()
  }

  /**
   * The tokens in the context of its model now, and the cost of the session so far; before the first prompt that is the
   * cost of earlier workers.
   */
  reading({ used, usd }: { readonly used: number | null; readonly usd: number | null }): void {
    if (used !== null && this.#isRunning) this.#estimate.contextIs(used)
    if (usd !== null && !this.#hasBegun) {
      this.#costBefore = Math.max(this.#costBefore, usd)
      this.#costOfTurns = this.#costBefore
    } else if (usd !== null) this.#paid(usd)
    this.#tell()
  }

  #paid(usd: number): void {
    // An agent that counts from nothing again does not count the work of earlier workers.
    if (this.#cost === null && usd < this.#costBefore) {
      this.#costBefore = 0
      this.#costOfTurns = 0
    }
    this.#cost = Math.max(usd, this.#cost ?? 0)
  }

  #tell(): void {
    if (!this.#hasBegun || !this.isKnown) return
    const { total } = this
    this.#onUsed(total)
    if (!isNews(this.#noted, total)) return
    this.#noted = total
    this.#onNews(total)
  }

  get isKnown(): boolean {
    const { tokensIn, tokensOut, usd } = this.total
    return tokensIn !== null || tokensOut !== null || usd !== null
  }

  /** Takes the end of a turn. The tokens of it that were reported; null where none were. */
  turn({ usage, stopReason, _meta: meta }: PromptResponse): number | null {
    const quota = meta?.quota
    const [used] = quota?.model_usage ?? []
    if (used !== undefined) this.#model = used.model
    const own = higher(amountsOf(usage ?? {}), amountsOf(quota?.token_count ?? {}))
    // Sub-agents are counted here, and not in the usage of the turn.
    const ofModels = (quota?.model_usage ?? []).map((model) => amountsOf(model.token_count ?? {}))
    const counted = higher(higher(own, ofModels.reduce(plus, NO_AMOUNTS)), this.#steps)
    this.#close(this.#whole(counted, { wasCancelled: stopReason === 'cancelled' }))
    return sum(counted.in, counted.out)
  }

  /** The turn ended without an answer to its prompt. */
  abandon(): void {
    if (!this.#isRunning) return
    this.#close(this.#running)
  }

  get total(): SessionUsage {
    const running = this.#running
    const tokens = plus(this.#tokens, running.tokens)
    return {
      tokensIn: tokens.in,
      tokensOut: tokens.out,
      tokensCached: tokens.cached,
      usd: this.#cost === null ? null : Math.max(0, this.#cost - this.#costBefore),
      model: this.#model,
      ...(this.#isEstimated || running.isEstimated ? { isEstimated: true } : {}),
    }
  }

  /** With its turns one by one. */
  get all(): SessionUsage {
    const session = this.#cost === null ? {} : { sessionUsd: this.#cost }
    return { ...this.total, turns: this.#turns, ...session }
  }

  /** Of the turn that runs: what the agent reported of its steps, else an estimate. */
  get #running(): Metered {
    if (!this.#isRunning) return UNUSED
    if (this.#steps !== NO_AMOUNTS) return { tokens: this.#steps, isEstimated: false }
    if (this.#estimate.steps === 0) return UNUSED
    return { tokens: { ...NO_AMOUNTS, ...this.#estimate.tokens }, isEstimated: true }
  }

  /** A count of the last step alone is raised to an estimate of the whole turn. */
  #whole(counted: Amounts, { wasCancelled }: { readonly wasCancelled: boolean }): Metered {
    const reported = sum(counted.in, counted.out)
    // No count of an agent that always counts means that no model answered, and so does zero; but not in a cancelled turn.
    if (wasCancelled && (reported ?? 0) === 0) return this.#running
    if (reported === null) return this.isReliable ? UNUSED : this.#running
    const isWhole = this.#kind !== 'last_step' || this.#estimate.steps <= 1 || reported === 0
    if (isWhole) return { tokens: counted, isEstimated: false }
    this.#estimate.contextIs(reported)
    const { in: read, out } = this.#estimate.tokens
    const least = { in: Math.max(read, counted.in ?? 0), out: Math.max(out, counted.out ?? 0) }
    return { tokens: { ...counted, ...least }, isEstimated: true }
  }

  #close({ tokens, isEstimated }: Metered): void {
    this.#tokens = plus(this.#tokens, tokens)
    this.#isEstimated ||= isEstimated
    this.#isRunning = false
    const usd = this.#cost === null ? null : Math.max(0, this.#cost - this.#costOfTurns)
    this.#costOfTurns = this.#cost ?? this.#costOfTurns
    this.#turns.push({
      tokensIn: tokens.in,
      tokensOut: tokens.out,
      tokensCached: tokens.cached,
      usd,
      ...(isEstimated ? { isEstimated } : {}),
    })
    if (this.#turns.length > MOST_TURNS) this.#turns.shift()
    if (this.isKnown) this.#onUsed(this.total)
  }
}

const sizeOf = (value: unknown): number =>
  typeof value === 'string' ? value.length : (JSON.stringify(value ?? '')?.length ?? 0)

/** Some agents count cached tokens and thoughts apart, some within the others; the total tells. */
function amountsOf(usage: StepUsage): Amounts {
  const { inputTokens = null, outputTokens = null, cachedReadTokens = null } = usage
  const cached = sum(cachedReadTokens, usage.cachedWriteTokens ?? null)
  const thought = usage.thoughtTokens ?? null
  const all = sum(sum(inputTokens, outputTokens), sum(cached, thought))
  const total = usage.totalTokens ?? null
  const isApart = total === null || total >= (all ?? 0)
  return {
    in: isApart ? sum(inputTokens, cached) : inputTokens,
    out: isApart ? sum(outputTokens, thought) : outputTokens,
    cached: cachedReadTokens,
    usd: null,
  }
}

/** The one with more tokens. */
const higher = (a: Amounts, b: Amounts): Amounts => {
  const [one, other] = [sum(a.in, a.out), sum(b.in, b.out)]
  return other === null || (one !== null && one >= other) ? a : b
}
