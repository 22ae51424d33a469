/**
 * The contract gate's findings about breaks, as they are written and read back. Apart from the gate, so that a daemon that
 * only lists them does not load the readers of languages (bench/idle-memory).
 */
import type { Finding } from '../event-schemas/evidence.ts'
import type { Verdict } from '../event-schemas/schemas.ts'
import { blocking, forReview, note } from './verdicts.ts'
import type { ApiChange } from './contract/compare.ts'

const BREAK = /^(?:breaks|may break): /

export function breakFinding(one: ApiChange, isAllowed: boolean): Finding {
  const forms = one.after === null ? (one.before ?? one.name) : `${one.before ?? ''} → ${one.after}`
  const isUnclear = one.kind === 'unclear'
  const text = `${isUnclear ? 'may break' : 'breaks'}: ${one.name} ${one.why}: ${forms}`
  const weigh = isAllowed ? note : isUnclear ? forReview : blocking
  return weigh(text, one.file, one.line)
}

/** The breaks that gates found, for release notes. */
export function breaksIn(verdicts: readonly Verdict[]): readonly Pick<Finding, 'text' | 'file' | 'line'>[] {
  return verdicts
    .filter(({ gate }) => gate === 'contract')
    .flatMap(({ evidence }) => evidence.findings)
    .filter(({ text, weight }) => BREAK.test(text) && weight !== 'review')
    .map(({ text, file, line }) => ({ text: text.replace(/^breaks: /, ''), file, line }))
}
