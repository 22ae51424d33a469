/** What a worker's report asks of people: questions that only a person can settle, and risks to keep account of. */
import type { Report } from './events/parts.ts'

const MOST = 50

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
const isNone = (text: string): boolean => /^(none( known)?|no( known)? risks?|n\/a|-)\.?$/i.test(text.trim())
