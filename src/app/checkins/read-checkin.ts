/** Validates a check-in from outside and makes it safe to print. Errors name the key. */
import type { Instant } from '../../core/state/state.ts'
import { checkinFileSchema, checkinSchema, timeOf, type Checkin } from '../../core/watch/checkins/checkin.ts'
import { isPlainJson, terminalLine } from '../../lib/text/terminal-text.ts'
import { schemaProblem } from './schema-problem.ts'
import { unspentIn } from './spent-in.ts'

export interface ReadCheckin {
  /** Without worker and time. */
  readonly content: Content
  /** The same as JSON. */
  readonly json: string
  readonly worker: string | null
  readonly at: Instant
  /** Corrections. */
  readonly notes: readonly string[]
}

type Content = Omit<Checkin, 'worker_id' | 'timestamp'>

export type ReadFile = ReadCheckin & { readonly worker: string; readonly token: string | null }

export type Reading<T> =
  | { readonly ok: true; readonly checkin: T }
  | { readonly ok: false; readonly problem: string }

export function readCheckin(value: unknown, receivedAt: Instant): Reading<ReadCheckin> {
  const { data, error } = checkinSchema.safeParse(value)
  return data === undefined
    ? { ok: false, problem: schemaProblem(error, 'the check-in') }
    : { ok: true, checkin: taken(data, receivedAt) }
}

export function readCheckinFile(
  value: unknown,
  receivedAt: Instant,
  writtenAt = receivedAt,
): Reading<ReadFile> {
  const { data, error } = checkinFileSchema.safeParse(value)
  if (data === undefined) return { ok: false, problem: schemaProblem(error, 'the check-in') }
  const { token = null, ...checkin } = data
  return { ok: true, checkin: { ...taken(checkin, receivedAt, writtenAt), worker: checkin.worker_id, token } }
}

function taken(checkin: Checkin, receivedAt: Instant, writtenAt = receivedAt): ReadCheckin {
  const { worker_id: worker = null, timestamp, ...content } = checkin
  const claimedAt = timestamp === undefined ? null : withinSecond(Date.parse(timestamp), writtenAt)
  const { at, note } = timeOf(claimedAt, receivedAt)
  const notes = [...(note === null ? [] : [note]), ...unspentIn(content)]
  return { ...readable(content), worker, at, notes }
}

/**
 * Shells give the time in seconds, others in milliseconds. A whole second becomes the time of receipt within that second,
 * or a later check-in could count as an earlier one.
 */
const withinSecond = (claimedAt: Instant, receivedAt: Instant): Instant =>
  claimedAt % 1000 === 0 ? Math.min(Math.max(claimedAt, Math.floor(receivedAt)), claimedAt + 999) : claimedAt

function readable(content: Content): Pick<ReadCheckin, 'content' | 'json'> {
  const json = JSON.stringify(content)
  if (isPlainJson(json)) return { content, json }
  const fit = shown(content)
  return { content: fit, json: JSON.stringify(fit) }
}

/** Removes escape sequences, control characters and line breaks from all texts. */
function shown<T>(value: T): T
function shown(value: unknown): unknown {
  if (typeof value === 'string') return terminalLine(value.toWellFormed())
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => shown(one as unknown))
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [shown(key), shown(one as unknown)]))
}
