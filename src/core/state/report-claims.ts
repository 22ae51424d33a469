/** What a worker's report asks of people: questions that only a person can settle, and risks to keep account of. */
import type { Report } from '../event-schemas/schemas.ts'
import type { Tier } from '../planning/plan.ts'

const MOST = 50

const NO_WORRY = /^(?:low|minor|trivial|info(?:rmational)?|none)$/i
const ORDINARY = /^(?:normal|medium|moderate|major)?$/i

/** How grave a risk is, in a worker's words. A word that is not known is for a person to weigh, so it counts as the gravest. */
export function severityOf(word: string): Tier {
  const said = word.trim()
  if (NO_WORRY.test(said)) return 'low'
  return ORDINARY.test(said) ? 'normal' : 'critical'
}

/** What it could not decide for itself, whatever it thinks of its work; each once. */
export function questionsIn(report: Report | null): readonly string[] {
  if (report === null) return []
  const said = [...report.blockers, ...(report.ambiguities ?? [])].map((text) => text.trim())
  return [...new Set(said)].filter((text) => text !== '').slice(0, MOST)
}

/** Risks of the report, then those that only its review note names. What both name is one risk. */
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

/** A list that says there are none names none. */
export const isNone = (text: string): boolean =>
  /^(none( known)?|no( known)? (risks?|blockers?|ambiguit(y|ies)|questions?)|n\/a|-)\.?$/i.test(text.trim())
