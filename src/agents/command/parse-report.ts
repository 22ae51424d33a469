/** Parses a worker's report into the core's types. Never throws. */
import { z } from 'zod'
import { tokensFrom, usdFrom } from '../../core/event-schemas/amounts.ts'
import type { ClaimedRun, Report, ReviewIssue } from '../../core/event-schemas/schemas.ts'
import { isNone, severityOf } from '../../core/state/report-claims.ts'
import type { ReviewReport } from '../../ports/agent.ts'
import { isRecord, LenientRecord } from './lenient.ts'

export interface Parsed<T> {
  /** Null when nothing of it could be used. */
  readonly value: T | null
  /** What was left out, and why. */
  readonly notes: readonly string[]
}

const MAX_TEXT = 20_000
const MAX_ITEMS = 500

/** Longer text is cut, since it goes into the log and onto pages. */
const text = z.string().transform(clipped)
const sentence = z.string().min(1).transform(clipped)
const name = z.string().min(1).max(4096)
const count = z.int().refine((value) => tokensFrom(value) !== null, 'no count of tokens')
const cost = z.number().refine((value) => usdFrom(value) !== null, 'no cost')
const gradedRisk = z.object({
  description: sentence,
  severity: z.string().catch('').transform(severityOf),
})
const risk = z.union([
  sentence.transform((description) => ({ description, severity: 'normal' as const })),
  gradedRisk,
])
const notedRisk = z.union([text, gradedRisk])
/** A sentence, or an object that has one: agents write both. */
const statement = z.union([
  text,
  z.looseObject({ description: text }).transform(({ description }) => description),
])
const criterion = z.object({
  criterion: z.union([z.string().min(1).max(MAX_TEXT), z.int().min(1).transform(String)]),
  file: name,
  line: z.int().min(1),
})

export function parseReport(json: string): Parsed<Report> {
  return parse(json, (report) => {
    const { reviewNote, graded } = reviewNoteIn(report)
    return {
      explanation: report.get('explanation', text) ?? '',
      selfAssessment: report.get('self_assessment', z.enum(['confident', 'uncertain', 'blocked'])) ?? null,
      blockers: (report.list('blockers', statement, MAX_ITEMS) ?? []).filter(isMentioned),
      risks: [...(report.list('risks', risk, MAX_ITEMS) ?? []), ...graded].filter(({ description }) =>
        isMentioned(description),
      ),
      reviewNote,
      criteria: report.list('criteria', criterion, MAX_ITEMS) ?? [],
      ...present('ambiguities', report.list('ambiguities', statement, MAX_ITEMS)?.filter(isMentioned)),
      ...present('files', filesIn(report)),
      ...present('tests', runIn(report, 'tests')),
      ...present('lint', runIn(report, 'lint')),
      ...present('typecheck', runIn(report, 'typecheck')),
      ...present('usage', usageIn(report)),
    }
  })
}

/** Without a verdict there is no review. */
export function parseReview(json: string): Parsed<ReviewReport> {
  return parse(json, (review) => {
    const verdict = review.get('verdict', z.enum(['approved', 'changes_requested']))
    if (verdict === undefined) return null
    const issues = (['critical', 'major', 'minor'] as const).flatMap((severity) => issuesIn(review, severity))
    return { verdict, summary: review.get('summary', text) ?? '', issues }
  })
}

function parse<T>(json: string, read: (record: LenientRecord) => T | null): Parsed<T> {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    return { value: null, notes: [`it is not JSON: ${error instanceof Error ? error.message : ''}`] }
  }
  if (!isRecord(value)) return { value: null, notes: ['it is not a JSON object'] }
  const notes: string[] = []
  return { value: read(new LenientRecord(value, notes)), notes }
}

function present<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]: V })
}

function clipped(value: string): string {
  return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)} […]` : value
}

function reviewNoteIn(report: LenientRecord): {
  readonly reviewNote: Report['reviewNote']
  /** Those of the note that say how grave they are: it has room for sentences only. */
  readonly graded: Report['risks']
} {
  const note = report.record('review_note')
  const summary = note?.get('summary', text)
  const risks = note?.list('risks', notedRisk, MAX_ITEMS) ?? []
  const graded = risks.filter((one) => typeof one !== 'string')
  if (note === undefined || summary === undefined) return { reviewNote: null, graded }
  return {
    reviewNote: {
      summary,
      risks: risks.map((one) => (typeof one === 'string' ? one : one.description)),
      rollback: note.get('rollback', text) ?? '',
    },
    graded,
  }
}

/** A list that says there are none names none. */
const isMentioned = (sentence: string): boolean => !isNone(sentence)

function filesIn(report: LenientRecord): Report['files'] {
  const files = report.record('files')
  if (files === undefined) return undefined
  const paths = (key: string): string[] => files.list(key, name, MAX_ITEMS) ?? []
  return { created: paths('created'), modified: paths('modified'), deleted: paths('deleted') }
}

function runIn(report: LenientRecord, key: string): ClaimedRun | undefined {
  const run = report.record(key)
  if (run === undefined) return undefined
  return {
    added: run.list('added', name, MAX_ITEMS) ?? [],
    command: run.get('command', text) ?? null,
    evidence: run.get('evidence', text) ?? '',
  }
}

function usageIn(report: LenientRecord): Report['usage'] {
  const usage = report.record('usage')
  if (usage === undefined) return undefined
  return {
    tokensIn: usage.get('tokens_in', count) ?? null,
    tokensOut: usage.get('tokens_out', count) ?? null,
    usd: usage.get('usd', cost) ?? null,
  }
}

function issuesIn(review: LenientRecord, severity: ReviewIssue['severity']): ReviewIssue[] {
  const issue = z.union([
    text.transform((description) => ({ description, location: '', how_to_fix: '' })),
    z.looseObject({ description: text, location: text.catch(''), how_to_fix: text.catch('') }),
  ])
  return (review.list(severity, issue, MAX_ITEMS) ?? []).map((one) => ({
    severity,
    description: one.description,
    location: one.location,
    howToFix: one.how_to_fix,
  }))
}
