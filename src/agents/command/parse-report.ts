/** Parses a worker's report into the core's types. Never throws. */
import { z } from 'zod'
import { tokensFrom, usdFrom } from '../../core/event-schemas/amounts.ts'
import type { ClaimedRun, Report } from '../../core/event-schemas/schemas.ts'
import { isNone, severityOf } from '../../core/state/report-claims.ts'
import type { ReviewReport } from '../../ports/agent.ts'
import { isRecord } from '../../lib/text/json.ts'

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

const issue = z.union([
  text.transform((description) => ({ description, location: '', howToFix: '' })),
  z
    .looseObject({ description: text, location: text.catch(''), how_to_fix: text.catch('') })
    .transform(({ description, location, how_to_fix: howToFix }) => ({ description, location, howToFix })),
])

const run = record({ added: listOf(name), command: one(text), evidence: one(text) })
const reportFields = record({
  review_note: record({ summary: one(text), risks: listOf(notedRisk), rollback: one(text) }),
  explanation: one(text),
  self_assessment: one(z.enum(['confident', 'uncertain', 'blocked'])),
  blockers: listOf(statement),
  risks: listOf(risk),
  criteria: listOf(criterion),
  ambiguities: listOf(statement),
  files: record({ created: listOf(name), modified: listOf(name), deleted: listOf(name) }),
  tests: run,
  lint: run,
  typecheck: run,
  usage: record({ tokens_in: one(count), tokens_out: one(count), usd: one(cost) }),
})
const reviewFields = record({
  verdict: one(z.enum(['approved', 'changes_requested'])),
  critical: listOf(issue),
  major: listOf(issue),
  minor: listOf(issue),
  summary: one(text),
})

export function parseReport(json: string): Parsed<Report> {
  return parse(json, reportFields, ({ review_note: note, ...report }) => {
    const noted = note?.risks ?? []
    // A review note has room for sentences only.
    const graded = noted.filter((one) => typeof one !== 'string')
    return {
      explanation: report.explanation ?? '',
      selfAssessment: report.self_assessment ?? null,
      blockers: (report.blockers ?? []).filter(isMentioned),
      risks: [...(report.risks ?? []), ...graded].filter(({ description }) => isMentioned(description)),
      reviewNote:
        note?.summary === undefined
          ? null
          : {
              summary: note.summary,
              risks: noted.map((one) => (typeof one === 'string' ? one : one.description)),
              rollback: note.rollback ?? '',
            },
      criteria: report.criteria ?? [],
      ...present('ambiguities', report.ambiguities?.filter(isMentioned)),
      ...present('files', report.files && { ...NO_FILES, ...report.files }),
      ...present('tests', runOf(report.tests)),
      ...present('lint', runOf(report.lint)),
      ...present('typecheck', runOf(report.typecheck)),
      ...present('usage', usageOf(report.usage)),
    }
  })
}

/** Without a verdict there is no review. */
export function parseReview(json: string): Parsed<ReviewReport> {
  return parse(json, reviewFields, ({ verdict, summary = '', ...found }) => {
    const graded = (['critical', 'major', 'minor'] as const).flatMap((severity) =>
      (found[severity] ?? []).map((one) => ({ severity, ...one })),
    )
    return verdict === undefined ? null : { verdict, summary, issues: graded }
  })
}

/** A list that says there are none names none. */
const isMentioned = (sentence: string): boolean => !isNone(sentence)

const NO_FILES = { created: [], modified: [], deleted: [] }

const runOf = (claimed: Read<typeof run> | undefined): ClaimedRun | undefined =>
  claimed && {
    added: claimed.added ?? [],
    command: claimed.command ?? null,
    evidence: claimed.evidence ?? '',
  }

const usageOf = (used: Read<typeof reportFields>['usage']): Report['usage'] =>
  used && { tokensIn: used.tokens_in ?? null, tokensOut: used.tokens_out ?? null, usd: used.usd ?? null }

function present<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]: V })
}

function clipped(value: string): string {
  return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)} […]` : value
}

const MAX_NOTES = 50

function parse<Fields, T>(json: string, fields: Reader<Fields>, made: (read: Fields) => T | null): Parsed<T> {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    return { value: null, notes: [`it is not JSON: ${error instanceof Error ? error.message : ''}`] }
  }
  if (!isRecord(value)) return { value: null, notes: ['it is not a JSON object'] }
  const notes: string[] = []
  const read = fields(value, (where, why) => {
    if (notes.length < MAX_NOTES) notes.push(`${where}: ${why}`)
  })
  return { value: read === undefined ? null : made(read), notes }
}

/** Reads a part of an untrusted record: what is invalid counts as absent and adds a note. */
type Reader<T> = (value: unknown, note: Note) => T | undefined
type Note = (where: string, why: string) => void
type Read<R> = R extends Reader<infer T> ? T : never

function one<T>(schema: z.ZodType<T>): Reader<T> {
  return (value, note) => {
    const { data, error } = schema.safeParse(value)
    if (error !== undefined) note('', error.issues[0]?.message ?? 'invalid value')
    return data
  }
}

/** The valid elements. */
function listOf<T>(schema: z.ZodType<T>): Reader<T[]> {
  const element = one(schema)
  return (value, note) => {
    if (!Array.isArray(value)) {
      note('', 'expected a list')
      return undefined
    }
    if (value.length > MAX_ITEMS) note('', `only the first ${MAX_ITEMS} of ${value.length} were kept`)
    return value.slice(0, MAX_ITEMS).flatMap((part: unknown, at) => {
      const read = element(part, (_, why) => note(`[${at}]`, why))
      return read === undefined ? [] : [read]
    })
  }
}

/** Null also stands for absent. */
function record<S extends Readonly<Record<string, Reader<unknown>>>>(
  shape: S,
): Reader<{ readonly [K in keyof S]?: Read<S[K]> }> {
  return (value, note) => {
    if (!isRecord(value)) {
      note('', 'expected an object')
      return undefined
    }
    const read = Object.entries(shape).flatMap(([key, reader]) => {
      const noteIn: Note = (where, why) => note(/^\w/.test(where) ? `${key}.${where}` : `${key}${where}`, why)
      const part = value[key] ?? undefined
      const field = part === undefined ? undefined : reader(part, noteIn)
      return field === undefined ? [] : [[key, field]]
    })
    // Each field is what its reader gave.
    return Object.fromEntries(read) as { readonly [K in keyof S]?: Read<S[K]> }
  }
}
