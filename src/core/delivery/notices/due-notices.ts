/**
 * When notices are sent. The first is sent at once, those that follow within a minute together. In quiet hours nothing is
 * sent. What was answered meanwhile is not sent at all; what still blocks after a while is sent once more.
 */
import type { Instant } from '../../state/state.ts'
import type { Notice, NoticeKind } from './notice.ts'

/** A notice that is not sent yet, or that may have to be repeated. */
export interface KeptNotice extends Notice {
  /** Null before it was sent. */
  readonly sentAt: Instant | null
}

export interface NoticeRules {
  readonly on: readonly NoticeKind[]
  /** How long a blocking item waits before it is sent again; 0: it is not. */
  readonly repeatMs: number
  /** The end of the quiet hours; null outside of them. */
  readonly quietUntil: Instant | null
}

export interface DueNotices {
  /** To be sent now, together. */
  readonly batch: readonly (Notice & { readonly isRepeated: boolean })[]
  /** What is still of use afterwards. */
  readonly kept: readonly KeptNotice[]
  /** When to look again; null where only an event changes anything. */
  readonly wakeAt: Instant | null
}

/** Several things often happen at once. */
const SETTLE_MS = 1000
const BATCH_MS = 60_000

/** About the notices of one repository; `lastSentAt` is null before the first. */
export function dueNotices(
  notices: readonly KeptNotice[],
  {
    now,
    rules,
    lastSentAt,
    isOpen,
  }: {
    readonly now: Instant
    readonly rules: NoticeRules
    readonly lastSentAt: Instant | null
    /** Whether its item still waits for an answer. */
    readonly isOpen: (notice: Notice) => boolean
  },
): DueNotices {
  const alive = notices.filter(
    (notice) => rules.on.includes(notice.kind) && (notice.kind !== 'needs_you' || isOpen(notice)),
  )
  const fresh = alive.filter(({ sentAt }) => sentAt === null)
  const sent = alive.flatMap((notice) =>
    notice.sentAt === null || rules.repeatMs === 0 ? [] : [{ ...notice, sentAt: notice.sentAt }],
  )
  const repeated = sent.filter(({ sentAt }) => now >= sentAt + rules.repeatMs)
  const repeatAt = least(sent.map(({ sentAt }) => sentAt + rules.repeatMs))
  if (fresh.length === 0 && repeated.length === 0) return { batch: [], kept: sent, wakeAt: repeatAt }
  const readyAt =
    least([...fresh.map(({ at }) => at + SETTLE_MS), ...repeated.map(({ sentAt }) => sentAt)]) ?? now
  const sendAt = Math.max(notWithin(lastSentAt, now) ?? readyAt, rules.quietUntil ?? 0)
  // An event of the future is one from before the clock was set back.
  if (now < sendAt && sendAt - now <= MOST_WAIT_MS)
    return { batch: [], kept: [...sent, ...fresh], wakeAt: sendAt }
  const isRepeatable = ({ kind, blocking }: Notice): boolean =>
    kind === 'needs_you' && blocking && rules.repeatMs > 0
  const kept = [
    ...sent.filter((notice) => !repeated.includes(notice)),
    ...fresh.filter(isRepeatable).map((notice) => ({ ...notice, sentAt: now })),
  ]
  return {
    batch: [
      ...fresh.map(({ sentAt: _sentAt, ...notice }) => ({ ...notice, isRepeated: false })),
      ...repeated.map(({ sentAt: _sentAt, ...notice }) => ({ ...notice, isRepeated: true })),
    ],
    kept,
    wakeAt: least(kept.flatMap(({ sentAt }) => (sentAt === null ? [] : [sentAt + rules.repeatMs]))),
  }
}

const MOST_WAIT_MS = 24 * 3_600_000

/** The end of the minute after the last batch; null once it is over. */
const notWithin = (lastSentAt: Instant | null, now: Instant): Instant | null =>
  lastSentAt !== null && lastSentAt <= now && now - lastSentAt < BATCH_MS ? lastSentAt + BATCH_MS : null

const least = (times: readonly Instant[]): Instant | null => (times.length === 0 ? null : Math.min(...times))

/** After so many failures in a row the next attempt waits this long; null once it is given up. */
export function webhookRetryMs(failures: number): number | null {
  return RETRY_MS[failures - 1] ?? null
}

const RETRY_MS: readonly number[] = [5000, 30_000, 120_000, 600_000, 1_800_000, 7_200_000]

/** `22:00-07:00` in local time, which usually spans midnight. */
const QUIET_HOURS = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/

const DAY_MINUTES = 24 * 60

/** The end of the quiet hours, if `now` lies in them, else null. `minutes` is the local time of day. */
export function quietUntil(quiet: string | null, now: Instant, minutes: number): Instant | null {
  const found = quiet === null ? null : QUIET_HOURS.exec(quiet)
  if (found === null) return null
  const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = found.slice(1).map(Number)
  const [from, to] = [fromHour * 60 + fromMinute, toHour * 60 + toMinute]
  const isQuiet = from <= to ? minutes >= from && minutes < to : minutes >= from || minutes < to
  if (!isQuiet) return null
  const left = (to - minutes + DAY_MINUTES) % DAY_MINUTES
  return now - (now % 60_000) + left * 60_000
}
