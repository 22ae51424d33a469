/** Reads a worker's report for questions that only a person can settle, and for risks. */
import type { ReportedTests } from '../event-schemas/requests.ts'
import type { Report } from '../event-schemas/schemas.ts'
import type { Tier } from '../planning/plan.ts'

const MOST = 50

const NO_WORRY = /^(?:low|minor|trivial|info(?:rmational)?|none)$/i
const ORDINARY = /^(?:normal|medium|moderate|major)?$/i

/** Reads a risk's severity. An unknown word counts as critical, so that a person looks at it. */
export function severityOf(text: string): Tier {
  const word = text.trim()
  if (NO_WORRY.test(word)) return 'low'
  return ORDINARY.test(word) ? 'normal' : 'critical'
}

/** The worker's open questions, each once, regardless of its self-assessment. */
export function questionsIn(report: Report | null): readonly string[] {
  if (report === null) return []
  const questions = [...report.blockers, ...(report.ambiguities ?? [])].map((text) => text.trim())
  return [...new Set(questions)].filter((text) => text !== '').slice(0, MOST)
}

/** Risks of the report, then those that only its review note names. */
export function risksIn(report: Report | null): Report['risks'] {
  if (report === null) return []
  const known = report.risks.map(({ description }) => plain(description))
  const isKnown = (text: string): boolean =>
    known.some((one) => one.includes(plain(text)) || plain(text).includes(one))
  const noted = (report.reviewNote?.risks ?? [])
    .filter((text) => text.trim() !== '' && !isNone(text) && !isKnown(text))
    .map((description) => ({ description, severity: 'normal' as const }))
  return [...report.risks, ...noted]
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase()

/** An entry such as "none" is not a risk. */
export const isNone = (text: string): boolean =>
  /^(none( known)?|no( known)? (risks?|blockers?|ambiguit(y|ies)|questions?)|n\/a|-)\.?$/i.test(text.trim())

/** The last words of a worker, as the end of a sentence about what it failed to do; empty where it left none. */
export const lastWordsOf = ({ lastWords }: { readonly lastWords?: string | undefined }): string =>
  lastWords === undefined || lastWords === '' ? '' : `; its last words: "${lastWords}"`

/** The start of a worker's report that it is blocked, wherever it is quoted. Logs contain it, so it must not change. */
export const SAYS_BLOCKED = 'it says that it is blocked'

/** "shop: 3 passed, 1 failed: adds an item" */
export function testsText({ outcome, component, passed, failed, failing = [] }: ReportedTests): string {
  const failures = failed ?? (failing.length === 0 ? undefined : failing.length)
  const counts = [
    ...(passed === undefined ? [] : [`${passed} passed`]),
    ...(failures === undefined ? [] : [`${failures} failed`]),
  ]
  const of = component === undefined ? '' : `${component}: `
  const names = failing.length === 0 ? '' : `: ${failing.join(', ')}`
  return `${of}${counts.length === 0 ? outcome : counts.join(', ')}${names}`
}
