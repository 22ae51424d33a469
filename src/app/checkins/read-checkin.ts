/** Validates a check-in from outside, or a claim from the store, and makes it safe to print. Errors name the key. */
import type { Instant } from '../../core/state/state.ts'
import {
  checkinFileSchema,
  checkinSchema,
  timeOf,
  claimSchema,
  type Checkin,
  type RememberedClaim,
} from '../../core/watch/checkins/checkin.ts'
import { isPlainJson, terminalLine } from '../../lib/text/terminal-text.ts'
import type { z } from 'zod'
import { tokensFrom, usdFrom } from '../../core/event-schemas/amounts.ts'
import type { Spent } from '../../core/state/spending.ts'
import type { NoteLog } from '../../ports/note-log.ts'
import type { StreamId } from '../../ports/event-log.ts'

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

/** The first thing that a schema found wrong, with its key after `prefix`; `whole` names the value itself. Safe to print. */
export function schemaProblem({ issues: [issue] }: z.ZodError, whole: string, prefix = ''): string {
  const key = issue?.path.join('.') ?? ''
  return terminalLine(`${key === '' ? whole : `${prefix}${key}`}: ${issue?.message ?? 'is invalid'}`)
}

/** From `token_usage` and the metric `usd`; null without either. */
export function spentIn({ token_usage, metrics }: Checkin): Spent | null {
  const tokens = tokensFrom(numberIn(token_usage)) ?? 0
  const usd = usdFrom(numberIn(metrics?.['usd'])) ?? 0
  return tokens > 0 || usd > 0 ? { tokens, usd } : null
}

/** What was claimed and cannot be true. */
function unspentIn({ token_usage, metrics }: Checkin): readonly string[] {
  const [tokens, usd] = [numberIn(token_usage), numberIn(metrics?.['usd'])]
  return [
    ...(tokens !== undefined && tokensFrom(tokens) === null
      ? ['token_usage: no count of tokens; not counted']
      : []),
    ...(usd !== undefined && usdFrom(usd) === null ? ['metrics.usd: no cost; not counted'] : []),
  ]
}

const numberIn = (value: unknown): unknown =>
  typeof value === 'string' && value.trim() !== '' ? Number(value) : value

/** The last claims by stream and worker. An invalid one is dropped; its worker will check in again. */
export async function storedClaims(
  log: Pick<NoteLog, 'claims'>,
): Promise<ReadonlyMap<StreamId, ReadonlyMap<string, RememberedClaim>>> {
  const all = new Map<StreamId, Map<string, RememberedClaim>>()
  for (const { stream, worker, claim: stored } of await log.claims()) {
    const { data: claim } = claimSchema.safeParse(stored)
    if (claim === undefined) continue
    all.set(stream, (all.get(stream) ?? new Map<string, RememberedClaim>()).set(worker, claim))
  }
  return all
}
