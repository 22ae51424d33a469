/** A check-in from outside, checked and made fit to be shown. Whatever is wrong with it is said by its key. */
import type { z } from 'zod'
import type { Instant } from '../../core/state/state.ts'
import { checkinFileSchema, checkinSchema, timeOf, type Checkin } from '../../core/watch/checkins/checkin.ts'
import { isPlainCheckin } from '../../core/watch/checkins/plain-checkin.ts'
import { isPlainJson, terminalLine } from '../../lib/text/terminal-text.ts'

export interface ReadCheckin {
  /** Without whose it is and when it was said. */
  readonly said: Said
  /** The same as JSON. */
  readonly json: string
  readonly worker: string | null
  readonly at: Instant
  /** What was taken otherwise than it was said. */
  readonly notes: readonly string[]
}

type Said = Omit<Checkin, 'worker_id' | 'timestamp'>

export type ReadFile = ReadCheckin & { readonly worker: string; readonly token: string | null }

export type Reading<T> =
  | { readonly ok: true; readonly checkin: T }
  | { readonly ok: false; readonly problem: string }

export function readCheckin(value: unknown, receivedAt: Instant): Reading<ReadCheckin> {
  if (isPlainCheckin(value)) return { ok: true, checkin: taken(value, receivedAt) }
  const { data, error } = checkinSchema.safeParse(value)
  return data === undefined
    ? { ok: false, problem: problemIn(error) }
    : { ok: true, checkin: taken(data, receivedAt) }
}

export function readCheckinFile(
  value: unknown,
  receivedAt: Instant,
  writtenAt = receivedAt,
): Reading<ReadFile> {
  const { data, error } = checkinFileSchema.safeParse(value)
  if (data === undefined) return { ok: false, problem: problemIn(error) }
  const { token = null, ...checkin } = data
  return { ok: true, checkin: { ...taken(checkin, receivedAt, writtenAt), worker: checkin.worker_id, token } }
}

function taken(checkin: Checkin, receivedAt: Instant, writtenAt = receivedAt): ReadCheckin {
  const { worker_id: worker = null, timestamp, ...said } = checkin
  const saidAt = timestamp === undefined ? null : withinSecond(Date.parse(timestamp), writtenAt)
  const { at, note } = timeOf(saidAt, receivedAt)
  return { ...readable(said), worker, at, notes: note === null ? [] : [note] }
}

/**
 * A shell knows the time by the second, others by the millisecond: of a whole second it is the moment at which it came,
 * or what was said later would count as said before.
 */
const withinSecond = (saidAt: Instant, cameAt: Instant): Instant =>
  saidAt % 1000 === 0 ? Math.min(Math.max(saidAt, Math.floor(cameAt)), saidAt + 999) : saidAt

function readable(said: Said): Pick<ReadCheckin, 'said' | 'json'> {
  const json = JSON.stringify(said)
  if (isPlainJson(json)) return { said, json }
  const fit = shown(said)
  return { said: fit, json: JSON.stringify(fit) }
}

/** Everything that somebody may read of it goes without escape sequences and control characters, on one line. */
function shown<T>(value: T): T
function shown(value: unknown): unknown {
  if (typeof value === 'string') return terminalLine(value.toWellFormed())
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => shown(one as unknown))
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [shown(key), shown(one as unknown)]))
}

function problemIn(error: z.ZodError): string {
  const [issue] = error.issues
  const key = issue?.path.join('.') ?? ''
  return terminalLine(`${key === '' ? 'the check-in' : key}: ${issue?.message ?? 'it is not as expected'}`)
}
