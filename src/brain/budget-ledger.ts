/**
 * What each plan, interview and repository has spent on thinking, and whether its budget allows more. Plans and
 * interviews keep their sums in the log, and each call brings them along; what else is spent is in a file.
 */
import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { readIfExists } from '../lib/files/read-if-exists.ts'
import { jsonIn } from '../lib/text/json.ts'
import type { Clock } from '../ports/clock.ts'
import type { ThinkCall, ThinkSubject, ThoughtUsage, ModelReply } from '../ports/brain.ts'
import { tokensFrom, usdFrom } from '../core/event-schemas/amounts.ts'
import { priceUsage } from '../core/crew/price-usage.ts'
import type { Price } from '../core/event-schemas/plan-settings.ts'

export interface LedgerOptions {
  /** Null: no limit. */
  readonly budgetUsd: number | null
  readonly clock: Clock
  /** Where calls about neither a plan nor an interview are written. */
  readonly file: string
}

const lineSchema = z.object({ at: z.number(), repository: z.string(), usd: z.number().nullable() })
const DAY_MS = 24 * 3_600_000

export class BudgetLedger {
  readonly #options: LedgerOptions
  readonly #spent = new Map<string, number>()

  constructor(options: LedgerOptions) {
    this.#options = options
  }

  /** Why no model may be asked; null where one may. */
  overrun({ about, spentUsd = 0 }: ThinkCall): string | null {
    const { budgetUsd } = this.#options
    if (budgetUsd === null) return null
    const here = this.#spent.get(subjectOf(about)) ?? 0
    const spent = Math.max(spentUsd, here) + (isLogged(about) ? 0 : this.#spentToday(about.repository ?? ''))
    if (spent < budgetUsd) return null
    return `brain.budget_usd is used up ($${spent.toFixed(4)} of $${budgetUsd})`
  }

  add({ about, spentUsd = 0 }: ThinkCall, { usd, tokensIn, tokensOut }: Cost): void {
    if (!isLogged(about)) {
      const { file, clock } = this.#options
      const line = { at: clock.now(), repository: about.repository ?? '', tokensIn, tokensOut, usd }
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 })
      return
    }
    const subject = subjectOf(about)
    this.#spent.set(subject, Math.max(spentUsd, this.#spent.get(subject) ?? 0) + (usd ?? 0))
  }

  /** Calls about neither a plan nor an interview share a budget for each day. A line that a crash cut short does not count. */
  #spentToday(repository: string): number {
    const since = this.#options.clock.now() - DAY_MS
    const lines = (readIfExists(this.#options.file) ?? '').split('\n')
    return lines
      .map((line) => lineSchema.safeParse(jsonIn(line)))
      .filter((read) => read.success && read.data.repository === repository && read.data.at > since)
      .reduce((sum, read) => sum + (read.data?.usd ?? 0), 0)
  }
}

const isLogged = ({ plan, interview }: ThinkSubject): boolean => plan !== undefined || interview !== undefined

const subjectOf = ({ plan, interview }: ThinkSubject): string =>
  plan === undefined ? `interview ${interview ?? ''}` : `plan ${plan}`

/** By the name of the model. The providers name no prices, so without the user's the cost is unknown. */
export type Prices = Readonly<Record<string, Price>>

export const NO_USAGE: ThoughtUsage = { tokensIn: 0, tokensOut: 0, tokensCached: 0, usd: 0, requests: 0 }

type Cost = Omit<ThoughtUsage, 'requests'>

/** `asked`: the name in the settings. Providers answer with that of a version (`gpt-5.5-2026-10-01`), which is priced if it is there. */
export function costOf(
  reply: ModelReply,
  { prices, asked }: { readonly prices: Prices; readonly asked: string },
): Cost {
  const { model } = reply
  const [tokensIn, tokensOut, tokensCached] = [reply.tokensIn, reply.tokensOut, reply.tokensCached].map(
    (tokens) => Math.round(tokensFrom(tokens) ?? 0),
  ) as [number, number, number]
  const usd = usdFrom(reply.usd)
  const priced = priceUsage({ tokensIn, tokensOut, tokensCached, usd, model }, { prices, agent: asked })
  // What an agent does not count is no price of zero.
  const isCounted = tokensIn + tokensOut > 0
  return { tokensIn, tokensOut, tokensCached, usd: isCounted ? priced.usd : usd }
}

/** A sum with an unknown cost in it is unknown. */
export const addUsage = (one: ThoughtUsage, other: ThoughtUsage): ThoughtUsage => ({
  tokensIn: one.tokensIn + other.tokensIn,
  tokensOut: one.tokensOut + other.tokensOut,
  tokensCached: one.tokensCached + other.tokensCached,
  usd: one.usd === null || other.usd === null ? null : one.usd + other.usd,
  requests: one.requests + other.requests,
})
