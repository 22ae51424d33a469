/** Checks events on their way into the log and out of it, and brings old ones up to date. */
import { z } from 'zod'
import { NO_BRANCHES } from './baseline.ts'
import { NO_EVIDENCE } from './evidence.ts'
import { eventSchemas, type EventType, type PlanEvent } from './plan-events.ts'

/** Brings an event of one version to the next. */
export type Upcast = (old: Readonly<Record<string, unknown>>) => Record<string, unknown>

/** For each type, the steps from version 1 upward; the newest version is their count plus one. */
export type Older = Partial<Record<EventType, readonly Upcast[]>>
const older: Older = {
  'integration.ran': [withoutRuns],
  'plan.baselined': [wholeAudits],
  'task.gated': [structuredEvidence],
  'release.gated': [structuredEvidence],
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isEventType = (type: unknown): type is EventType =>
  typeof type === 'string' && Object.hasOwn(eventSchemas, type)

const TOLD_FIELDS = 3

/** The event in its newest version. Throws an Error that says what is wrong with it. */
export function checkEvent(input: unknown, steps: Older = older): PlanEvent {
  if (!isRecord(input)) throw new Error('an event is an object')
  const { type, v } = input
  if (!isEventType(type)) throw new Error(`unknown event type ${JSON.stringify(type)}`)
  const upcasts = steps[type] ?? []
  const newest = upcasts.length + 1
  if (typeof v !== 'number' || !Number.isInteger(v) || v < 1) throw new Error(`${type} has no version`)
  if (v > newest) throw new Error(`${type} has version ${v}, this Bosun knows up to ${newest}`)
  const event = upcasts.slice(v - 1).reduce((value, upcast) => upcast(value), input)
  const parsed = eventSchemas[type].safeParse(event)
  if (!parsed.success) throw new Error(`${type} is broken: ${brokenFields(parsed.error)}`)
  return parsed.data
}

/** On one line, since it is shown among others: the first fields that are wrong, and how many more are. */
function brokenFields({ issues }: z.ZodError): string {
  const told = issues
    .slice(0, TOLD_FIELDS)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
  const more = issues.length > TOLD_FIELDS ? ` (and ${issues.length - TOLD_FIELDS} more)` : ''
  return told.join('; ').replaceAll(/\s+/g, ' ') + more
}

/** Version 1 kept the evidence of a verdict as one line of text. */
function structuredEvidence(old: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const verdicts = Array.isArray(old['verdicts']) ? old['verdicts'] : []
  const now = verdicts.map((verdict: unknown) =>
    isRecord(verdict) ? { ...verdict, summary: verdict['evidence'], evidence: NO_EVIDENCE } : verdict,
  )
  return { ...old, v: 2, verdicts: now }
}

/** Version 1 kept neither what integration tests ran on nor what they printed. */
function withoutRuns(old: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const results = Array.isArray(old['results']) ? old['results'] : []
  const now = results.map((result: unknown) =>
    isRecord(result) ? { ...result, values: {}, run: null } : result,
  )
  return { ...old, v: 2, tree: '', results: now }
}

/** Version 1 named only the tasks whose work was there, and looked at no branch. */
function wholeAudits(old: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { existing, ...kept } = old
  const audits = (Array.isArray(existing) ? existing : []).map((found: unknown) =>
    isRecord(found) ? { ...found, status: 'EXISTS', files: [], runs: [] } : found,
  )
  return { ...kept, v: 2, start: null, audits, branches: NO_BRANCHES }
}

export const eventCodec = { check: (event: unknown) => checkEvent(event) }
