/** The health of a worker from its signs of life and check-ins: one state, and the reason as text. */
import { formatDuration } from '../../lib/text/format-time.ts'
import type { ReportedTests } from '../event-schemas/requests.ts'
import type { Health } from '../event-schemas/watch.ts'
import { SAYS_BLOCKED, testsText } from '../state/report-claims.ts'
import type { AskedRequest, Instant, LiveWorker, TaskState } from '../state/state.ts'
import { heldMsOf } from './pausing.ts'
import { lastContact, lastSeen, newest, NO_SIGNS, type Claim, type Observed, type Signs } from './observed.ts'
import {
  MOST_OPEN_REQUESTS,
  MOST_REQUESTS,
  silenceSteps,
  TOO_MANY_REQUESTS,
  type WatchRules,
} from './rules.ts'

export interface Moment {
  readonly now: Instant
  readonly observed: Observed
}

/** The moment at which a live worker is looked at. */
export type LiveMoment = Moment & { readonly live: LiveWorker }

/** What is known of one worker at one moment. */
export interface WorkerFacts {
  readonly now: Instant
  readonly signs: Signs
  readonly startedAt: Instant
  /** Whether this daemon has watched it since its start. */
  readonly isSeenWhole: boolean
  /** When this daemon began to watch, or daemon or worker resumed after a pause: silence counts from here. */
  readonly lookedFrom: Instant
  /** The newest sign of life or check-in, or when its clock was armed. */
  readonly sign: Instant
  readonly quietMs: number
  /** Whether it ever gave a sign of life or checked in. */
  readonly hasLived: boolean
  /** It was nudged since it fell silent, and the time to answer has passed. */
  readonly isDeaf: boolean
  /** When it was last nudged because of silence. */
  readonly nudgedAt: Instant | null
  /** What became of that: a nudge that still waits had no chance of an effect, and one in monitor mode was never sent. */
  readonly nudge: 'delivered' | 'waiting' | 'not_sent'
  readonly limitMs: number
  /** Its running time, without pauses of its supervisor or of this daemon. */
  readonly usedMs: number
  readonly pausedMs: number
  /** Why it waits at a person's word: nothing counts as silence meanwhile. */
  readonly pause: LiveWorker['watch']['pause']
  /** Since when it has too many requests, and how many are open; null within the limits. */
  readonly excess: { readonly since: Instant; readonly open: number; readonly asked: number } | null
  /** The tests that it last reported, where they fail. */
  readonly failingTests: ReportedTests | null
  /** The tool call that has been running for longest; null where none is. */
  readonly tool: { readonly name: string; readonly since: Instant } | null
}

export function see(
  task: TaskState,
  live: LiveWorker,
  rules: WatchRules,
  { now, observed }: Moment,
): WorkerFacts {
  const { watch } = live
  const signs = observed.workers.get(live.worker) ?? NO_SIGNS
  const [seen, contact] = [lastSeen(signs), lastContact(signs)]
  const tool = longest(signs)
  // A tool call in flight is a lease: it stands for life until its own limit, and no longer.
  const leased = tool === null ? 0 : Math.min(now, tool.since + rules.toolEndMs)
  const waits = waitsSince(live)
  const waiting = waits === null ? 0 : Math.min(now, waits + rules.requestMs)
  const lookedFrom = Math.max(observed.since, signs.resumedAt ?? 0)
  const held = watch.pause === null ? 0 : now
  const sign = Math.max(
    live.since,
    lookedFrom,
    watch.armedAt ?? 0,
    seen ?? 0,
    contact ?? 0,
    leased,
    waiting,
    held,
  )
  const nudgedAt = newest(NUDGES.map((about) => watch.sentAt[about]))
  const pausedMs = pausedMsOf(live, observed) + heldMsOf(live, now)
  return {
    now,
    signs,
    startedAt: live.since,
    isSeenWhole: observed.since <= live.since,
    lookedFrom,
    sign,
    quietMs: now - sign,
    hasLived: signs.hasLived || seen !== null || contact !== null || tool !== null,
    isDeaf: nudgedAt !== null && nudgedAt > sign && now >= nudgedAt + rules.answerMs,
    nudgedAt,
    nudge: nudgeOf(live),
    limitMs: limitMsOf(task, live),
    usedMs: now - live.since - pausedMs,
    pausedMs,
    pause: watch.pause,
    excess: excessOf(live),
    failingTests: task.tests?.worker === live.worker && task.tests.outcome === 'failed' ? task.tests : null,
    tool,
  }
}

const limitMsOf = (task: TaskState, live: LiveWorker): number => task.spec.timeBudgetMs + live.watch.extraMs

/** When its limit is reached, if it runs on from now; the end of a pause it is in is not known. */
export const limitAt = (task: TaskState, live: LiveWorker, observed: Observed | null): Instant =>
  live.since +
  limitMsOf(task, live) +
  live.watch.heldMs +
  (observed === null ? 0 : pausedMsOf(live, observed))

/**
 * How long it was paused, by its supervisor's count. A pause of this daemon is usually one of the whole machine that the
 * supervisor has not reported yet; if it was not, the supervisor still stops the worker at its limit.
 */
function pausedMsOf(live: LiveWorker, { workers, pauses = [] }: Observed): number {
  let ownMs = 0
  for (const { endedAt, forMs } of pauses)
    if (endedAt > live.since) ownMs += Math.min(forMs, endedAt - live.since)
  return Math.max(ownMs, workers.get(live.worker)?.pausedMs ?? 0)
}

/** Includes those that monitor mode only noted. */
const NUDGES = ['nudge', 'restart', 'would nudge nudge', 'would restart restart']

function nudgeOf({ watch: { sentAt, waiting } }: LiveWorker): WorkerFacts['nudge'] {
  const at = newest(NUDGES.map((about) => sentAt[about]))
  const about = NUDGES.find((one) => at !== null && sentAt[one] === at) ?? ''
  if (about.startsWith('would ')) return 'not_sent'
  return waiting.some((message) => message.about === about) ? 'waiting' : 'delivered'
}

/** Ends the sentence that begins with a worker's silence. */
const NUDGED = {
  delivered: 'a nudge had no effect',
  waiting: 'a nudge could not be delivered yet',
  not_sent: 'a nudge was not sent (monitor mode)',
} as const

function longest({ tools }: Signs): WorkerFacts['tool'] {
  let found: WorkerFacts['tool'] = null
  for (const call of tools.values()) if (found === null || call.since < found.since) found = call
  return found
}

/** A worker that asked because it is blocked, or for a permission, may wait for the answer in silence. */
function waitsSince({ worker, watch }: LiveWorker): Instant | null {
  const isWaiting = ({ kind, by, answer }: AskedRequest): boolean =>
    (kind === 'blocked' || kind === 'permission') && by === worker && answer === null
  return watch.requests.find(isWaiting)?.at ?? null
}

/** More open requests, or more requests in all, than one worker may have. */
function excessOf({ watch }: LiveWorker): WorkerFacts['excess'] {
  const since = watch.sentAt[TOO_MANY_REQUESTS]
  const open = watch.requests.filter(({ answer }) => answer === null).length
  const asked = watch.requests.length
  if (since === undefined || (open < MOST_OPEN_REQUESTS && asked < MOST_REQUESTS)) return null
  return { since, open, asked }
}

export interface Assessment {
  readonly health: Health
  readonly why: string
  /** What it reported; only where that makes it late. */
  readonly issue?: string
}

/** The worst that holds; progress and silence before the clock. */
export function assess(seen: WorkerFacts, rules: WatchRules): Assessment {
  const { quietMs, signs, usedMs, limitMs } = seen
  const { claim } = signs
  const silence = (): string => formatSilence(seen)
  if (seen.pause !== null) return { health: 'healthy', why: formatPause(seen.pause, seen.now) }
  if (!seen.hasLived && quietMs >= rules.unheard.endMs)
    return { health: 'zombie', why: `it runs but never gave a sign of life: ${silence()}` }
  if (claim?.status === 'blocked')
    return { health: 'stalled', why: `${SAYS_BLOCKED}${claimedAs(claim.issues[0] ?? claim.step)}` }
  if (quietMs >= silenceSteps(rules, seen).stalledMs || ignoresNudge(seen, rules))
    return { health: 'stalled', why: seen.isDeaf ? `${silence()}; ${NUDGED[seen.nudge]}` : silence() }
  const standstill = noProgress(claim, rules)
  if (standstill !== null) return { health: 'stalled', why: standstill.why }
  if (seen.excess !== null) return { health: 'stalled', why: formatExcess(seen.excess) }
  if (quietMs >= rules.lateMs) return { health: 'late', why: silence() }
  const issue = openIssue(claim)
  if (issue !== null) return { health: 'late', why: `it reported an issue: ${issue}`, issue }
  if (seen.failingTests !== null) {
    const failing = testsText(seen.failingTests)
    return { health: 'late', why: `it reported failing tests: ${failing}`, issue: failing }
  }
  const percent = (usedMs * 100) / limitMs
  const passed = rules.warnings.filter((warning) => percent >= warning)
  if (passed.length > 0)
    return {
      health: 'timeout_warning',
      why: `${Math.floor(percent)} % of its ${formatDuration(limitMs)} is used`,
    }
  return { health: 'healthy', why: quietMs >= rules.silenceMs ? formatQuiet(seen, rules) : formatLife(seen) }
}

/** It claims the same percentage for too long. */
export function noProgress(
  claim: Claim | null,
  { noProgressMs }: WatchRules,
): {
  readonly since: Instant
  readonly why: string
  readonly percent: number
  readonly forMs: number
} | null {
  if (claim?.status !== 'in_progress') return null
  const { percent, percentSince: since } = claim
  const forMs = claim.at - since
  const why = `no progress: at ${percent} % for ${formatDuration(forMs)}`
  return forMs < noProgressMs ? null : { since, why, percent, forMs }
}

/** What it last said is in its way; until a check-in without an issue. */
const openIssue = (claim: Claim | null): string | null =>
  claim?.status === 'starting' || claim?.status === 'in_progress' ? (claim.issues[0] ?? null) : null

/** A model may take many minutes for its first word: without an answer to a nudge that it has, only a long silence counts. */
export const ignoresNudge = ({ quietMs, isDeaf, nudge }: WorkerFacts, { silenceMs }: WatchRules): boolean =>
  quietMs >= silenceMs && isDeaf && nudge === 'delivered'

/** Silence that is no cause for concern yet: the reason says so before it lists what is absent. */
const formatQuiet = (seen: WorkerFacts, { lateMs }: WatchRules): string =>
  `quiet for ${formatDuration(seen.quietMs)}, which counts as late after ${formatDuration(lateMs)}: ${formatSilence(seen)}`

const formatPause = ({ since, by }: NonNullable<WorkerFacts['pause']>, now: Instant): string =>
  `paused by ${by} for ${formatDuration(now - since)}; it waits for an instruction`

export const formatExcess = ({ open, asked }: NonNullable<WorkerFacts['excess']>): string =>
  `too many requests: ${open} open, ${asked} in all`

const claimedAs = (text: string | null): string => (text === null || text === '' ? '' : `: ${text}`)

function formatSilence({ now, signs, sign, tool, isSeenWhole }: WorkerFacts): string {
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

function formatLife({ now, signs, tool, startedAt }: WorkerFacts): string {
  const { claim, seen } = signs
  const contact = lastContact(signs)
  const unseen =
    contact === null
      ? `started ${formatDuration(now - startedAt)} ago`
      : `check-in ${formatDuration(now - contact)} ago`
  const by = (['output', 'session', 'files', 'cpu'] as const).find((kind) => seen[kind] === lastSeen(signs))
  const observed =
    tool === null
      ? by === undefined
        ? unseen
        : `${SIGN_NAMES[by]} ${formatDuration(now - (seen[by] ?? now))} ago`
      : `${tool.name} running for ${formatDuration(now - tool.since)}`
  const claimed = claim === null ? '' : `; claims ${claim.percent} %${claimedAs(claim.step)}`
  return `${observed}${claimed}`
}

const SIGN_NAMES = {
  output: 'output',
  session: 'session activity',
  files: 'files changed',
  cpu: 'CPU busy',
} as const
