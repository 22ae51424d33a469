/** How a worker is, from what was seen and heard of it: one state, and the reason in words. */
import { formatDuration } from '../../lib/text/format-time.ts'
import type { Health } from '../event-schemas/watch.ts'
import { SAYS_BLOCKED } from '../state/says-blocked.ts'
import type { AskedRequest, Instant, LiveWorker, TaskState } from '../state/state.ts'
import { lastSaid, lastSeen, newest, NO_SIGNS, type Observed, type Signs } from './observed.ts'
import { MOST_OPEN_REQUESTS, MOST_REQUESTS, TOO_MANY_REQUESTS, type WatchRules } from './rules.ts'

export interface Moment {
  readonly now: Instant
  readonly observed: Observed
}

/** What is known of one worker at one moment. */
export interface Seen {
  readonly now: Instant
  readonly signs: Signs
  readonly startedAt: Instant
  /** Whether this PM has looked since it started; else what it did before then is not remembered. */
  readonly isSeenWhole: boolean
  /** When this PM began to look, or came back, or the worker did after a pause: nothing before that counts as silence. */
  readonly lookedFrom: Instant
  /** The newest thing that was seen or heard of it, or when its clock was armed. */
  readonly sign: Instant
  readonly quietMs: number
  /** Whether anybody ever saw or heard it. */
  readonly hasLived: boolean
  /** It was spoken to since it fell silent, and time enough has passed. */
  readonly isDeaf: boolean
  /** When it was last spoken to because it was silent. */
  readonly nudgedAt: Instant | null
  readonly limitMs: number
  /** Time that it had: what its supervisor or this PM did not run for is not among it. */
  readonly usedMs: number
  readonly pausedMs: number
  /** Since when it asks for more than can be answered, and how many of its requests are open; null where it does not. */
  readonly excess: { readonly since: Instant; readonly open: number; readonly asked: number } | null
  /** The tool call that has been running for longest; null where none is. */
  readonly tool: { readonly name: string; readonly since: Instant } | null
}

export function see(task: TaskState, live: LiveWorker, rules: WatchRules, { now, observed }: Moment): Seen {
  const { watch } = live
  const signs = observed.workers.get(live.worker) ?? NO_SIGNS
  const [seen, said] = [lastSeen(signs), lastSaid(signs)]
  const tool = longest(signs)
  // A tool call in flight is a lease: it stands for life until its own limit, and no longer.
  const leased = tool === null ? 0 : Math.min(now, tool.since + rules.toolEndMs)
  const waits = waitsSince(live)
  const waiting = waits === null ? 0 : Math.min(now, waits + rules.requestMs)
  const lookedFrom = Math.max(observed.since, signs.resumedAt ?? 0)
  const sign = Math.max(live.since, lookedFrom, watch.armedAt ?? 0, seen ?? 0, said ?? 0, leased, waiting)
  const nudgedAt = newest(NUDGES.map((about) => watch.told[about]))
  const pausedMs = pausedMsOf(live, observed)
  return {
    now,
    signs,
    startedAt: live.since,
    isSeenWhole: observed.since <= live.since,
    lookedFrom,
    sign,
    quietMs: now - sign,
    hasLived: signs.hasLived || seen !== null || said !== null || tool !== null,
    isDeaf: nudgedAt !== null && nudgedAt > sign && now >= nudgedAt + rules.answerMs,
    nudgedAt,
    limitMs: limitMsOf(task, live),
    usedMs: now - live.since - pausedMs,
    pausedMs,
    excess: excessOf(live),
    tool,
  }
}

const limitMsOf = (task: TaskState, live: LiveWorker): number => task.spec.timeBudgetMs + live.watch.extraMs

/** When its limit is reached, if it runs on from now. */
export const limitAt = (task: TaskState, live: LiveWorker, observed: Observed | null): Instant =>
  live.since + limitMsOf(task, live) + (observed === null ? 0 : pausedMsOf(live, observed))

/**
 * How long it did not run, as its own supervisor counted it. A pause of this PM is usually one of the whole machine, and its
 * supervisor may not have come to say so; where it was none, the supervisor still ends it at its limit.
 */
function pausedMsOf(live: LiveWorker, { workers, pauses = [] }: Observed): number {
  let ownMs = 0
  for (const { endedAt, forMs } of pauses)
    if (endedAt > live.since) ownMs += Math.min(forMs, endedAt - live.since)
  return Math.max(ownMs, workers.get(live.worker)?.pausedMs ?? 0)
}

/** Also those that were not said, since the watch may only look on. */
const NUDGES = ['nudge', 'last nudge', 'would nudge nudge', 'would nudge last nudge']

function longest({ tools }: Signs): Seen['tool'] {
  let found: Seen['tool'] = null
  for (const call of tools.values()) if (found === null || call.since < found.since) found = call
  return found
}

/** Who asked because it cannot go on without an answer may wait for it in silence. */
function waitsSince({ worker, watch }: LiveWorker): Instant | null {
  const isWaiting = ({ kind, by, answer }: AskedRequest): boolean =>
    kind === 'blocked' && by === worker && answer === null
  return watch.requests.find(isWaiting)?.at ?? null
}

/** More than it may have open, or than anybody hears of one worker in its whole life. */
function excessOf({ watch }: LiveWorker): Seen['excess'] {
  const since = watch.told[TOO_MANY_REQUESTS]
  const open = watch.requests.filter(({ answer }) => answer === null).length
  const asked = watch.requests.length
  if (since === undefined || (open < MOST_OPEN_REQUESTS && asked < MOST_REQUESTS)) return null
  return { since, open, asked }
}

export interface Assessment {
  readonly health: Health
  readonly why: string
}

/** The worst that holds; progress and silence before the clock. */
export function assess(seen: Seen, rules: WatchRules): Assessment {
  const { quietMs, signs, usedMs, limitMs } = seen
  const { claim } = signs
  const silence = (): string => silenceWords(seen)
  if (!seen.hasLived && quietMs >= rules.zombieMs)
    return { health: 'zombie', why: `it runs and nobody ever saw or heard it live: ${silence()}` }
  if (claim?.status === 'blocked')
    return { health: 'stalled', why: `${SAYS_BLOCKED}${claimedAs(claim.issues[0] ?? claim.step)}` }
  if (quietMs >= rules.stalledMs || (quietMs >= rules.silenceMs && seen.isDeaf))
    return { health: 'stalled', why: seen.isDeaf ? `${silence()}; a nudge had no effect` : silence() }
  if (claim !== null && claim.status === 'in_progress' && claim.at - claim.percentSince >= rules.noProgressMs)
    return {
      health: 'stalled',
      why: `it has said ${claim.percent} % for ${formatDuration(claim.at - claim.percentSince)}`,
    }
  if (seen.excess !== null) return { health: 'stalled', why: excessInWords(seen.excess) }
  if (quietMs >= rules.lateMs) return { health: 'late', why: silence() }
  const percent = (usedMs * 100) / limitMs
  const passed = rules.warnings.filter((warning) => percent >= warning)
  if (passed.length > 0)
    return {
      health: 'timeout_warning',
      why: `${Math.floor(percent)} % of its ${formatDuration(limitMs)} are used`,
    }
  return { health: 'healthy', why: quietMs >= rules.silenceMs ? silence() : lifeWords(seen) }
}

export const excessInWords = ({ open, asked }: NonNullable<Seen['excess']>): string =>
  `it asks for more than can be answered: ${open} requests open, ${asked} in all`

const claimedAs = (words: string | null): string => (words === null || words === '' ? '' : `: ${words}`)

/** Why it is suspected, sense by sense. */
function silenceWords({ now, signs, sign, tool, isSeenWhole }: Seen): string {
  const { seen, isHalted } = signs
  const ago = (at: Instant | undefined): string => formatDuration(now - Math.max(at ?? sign, sign))
  const parts = [
    seen.output === undefined && isSeenWhole ? `no output at all` : `no output for ${ago(seen.output)}`,
    isHalted ? 'its process is stopped by a signal' : 'CPU idle',
    'no file changed',
    tool === null ? 'no tool running' : `${tool.name} running for ${formatDuration(now - tool.since)}`,
    signs.claim === null ? 'no check-in' : `last check-in ${formatDuration(now - signs.claim.at)} ago`,
  ]
  return parts.join(', ')
}

function lifeWords({ now, signs, tool, startedAt }: Seen): string {
  const { claim, seen } = signs
  const said = lastSaid(signs)
  const unseen =
    said === null
      ? `started ${formatDuration(now - startedAt)} ago`
      : `check-in ${formatDuration(now - said)} ago`
  const by = (['output', 'session', 'files', 'cpu'] as const).find((kind) => seen[kind] === lastSeen(signs))
  const observed =
    tool === null
      ? by === undefined
        ? unseen
        : `${SIGN_WORDS[by]} ${formatDuration(now - (seen[by] ?? now))} ago`
      : `${tool.name} running for ${formatDuration(now - tool.since)}`
  const claimed = claim === null ? '' : `; says ${claim.percent} %${claimedAs(claim.step)}`
  return `${observed}${claimed}`
}

const SIGN_WORDS = {
  output: 'output',
  session: 'its session spoke',
  files: 'files changed',
  cpu: 'CPU busy',
} as const
