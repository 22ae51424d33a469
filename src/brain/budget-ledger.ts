/**
 * What each plan, interview and repository has spent on thinking, and whether its budget allows more. Plans and
 * interviews keep their sums in the log, and each call brings them along; what else is spent is in a file.
 */
import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { readIfExists } from '../lib/files/read-if-exists.ts'
import type { Clock } from '../ports/clock.ts'
import type { ThinkCall, ThinkSubject } from '../ports/brain.ts'
import type { Cost } from './usage.ts'

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

  /** Calls about neither a plan nor an interview share a budget for each day. */
  #spentToday(repository: string): number {
    const since = this.#options.clock.now() - DAY_MS
    const lines = (readIfExists(this.#options.file) ?? '').split('\n')
    return lines
      .map((line) => lineSchema.safeParse(jsonOf(line)))
      .filter((read) => read.success && read.data.repository === repository && read.data.at > since)
      .reduce((sum, read) => sum + (read.data?.usd ?? 0), 0)
  }
}

const isLogged = ({ plan, interview }: ThinkSubject): boolean => plan !== undefined || interview !== undefined

const subjectOf = ({ plan, interview }: ThinkSubject): string =>
  plan === undefined ? `interview ${interview ?? ''}` : `plan ${plan}`

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // A line that a crash cut short was not counted before either.
    return null
  }
}
