/**
 * What the watch does about a running worker: message it, alert a person, stop it, in this order and each once. Each is a
 * decision in the log with its cause; in `monitor` mode the watch only notes what it would have done.
 */
import { formatDuration } from '../../lib/text/format-time.ts'
import { opened, withdrawn, workerAlert } from '../delivery/inbox/inbox-items.ts'
import type { StopCause, WorkerIssue } from '../event-schemas/schemas.ts'
import type { PlanEvent } from '../events/plan-events.ts'
import type { Intervention, MessageKind } from '../event-schemas/watch.ts'
import type { Obligation } from '../decide/owed.ts'
import { askedAbout, type Instant, type LiveWorker, type PlanState, type TaskState } from '../state/state.ts'
import {
  assess,
  formatExcess,
  ignoresNudge,
  noProgress,
  see,
  type Assessment,
  type LiveMoment,
  type WorkerFacts,
} from './health.ts'
import { lastContact, lastSeen } from './observed.ts'
import { helpFor, openRequests, owedToRequests, unaskedIssue } from './requests/requests.ts'
import { FIRST_CHECKIN, silenceSteps, watchRules, type WatchRules } from './rules.ts'

/** The same call with the same arguments this often in a row leads nowhere. */
export const LOOPING_CALLS = 8

interface Watched {
  readonly state: PlanState
  readonly task: TaskState
  readonly live: LiveWorker
  readonly rules: WatchRules
  readonly seen: WorkerFacts
  readonly now: Assessment
}

interface Action {
  readonly what: Intervention
  /** An action with the same `about` is done once per worker. */
  readonly about: string
  readonly why: string
  /** When the problem began; an action before that does not count. */
  readonly since?: Instant
  readonly events: readonly PlanEvent[]
}

export function watchOver(state: PlanState, task: TaskState, moment: LiveMoment): Obligation {
  const { live } = moment
  const rules = watchRules(state.settings)
  const seen = see(task, live, rules, moment)
  const watched: Watched = { state, task, live, rules, seen, now: assess(seen, rules) }
  const noted = judgement(watched) ?? recovery(watched) ?? missedCheckin(watched)
  if (noted !== null) return { decision: [noted] }
  const owedToIt = owedToRequests({ ...watched, now: seen.now })
  if (owedToIt !== null) return { decision: owedToIt }
  for (const action of actions(watched)) {
    if (rules.mode === 'act') return { decision: action.events }
    const about = `would ${action.what} ${action.about}`
    if ((live.watch.sentAt[about] ?? -1) < (action.since ?? 0))
      return { decision: [would(watched, action, about)] }
  }
  return { wakeAt: nextLook(watched) }
}

const who = ({ live, task }: Watched) => ({
  worker: live.worker,
  task: task.spec.id,
  attempt: live.attempt,
})

function judgement(watched: Watched): PlanEvent | null {
  if (watched.now.health === watched.live.watch.health) return null
  return { type: 'worker.judged', v: 1, ...who(watched), ...watched.now }
}

/** Notes once that a worker has never checked in; that alone has no consequences. */
function missedCheckin(watched: Watched): PlanEvent | null {
  const { live, seen, rules, now } = watched
  if (lastContact(seen.signs) !== null || live.watch.sentAt[FIRST_CHECKIN] !== undefined) return null
  if (seen.now < checkinDue(watched)) return null
  const limit = formatDuration(rules.firstCheckinMs)
  return { type: 'checkin.missed', v: 1, ...who(watched), why: `none within ${limit}; ${now.why}` }
}

const checkinDue = ({ live, seen, rules }: Pick<Watched, 'live' | 'seen' | 'rules'>): Instant =>
  Math.max(live.since + seen.pausedMs, seen.lookedFrom) + rules.firstCheckinMs

const would = (watched: Watched, { what, why }: Action, about: string): PlanEvent => ({
  type: 'watch.would',
  v: 1,
  ...who(watched),
  what,
  about,
  why,
})

/** Withdraws an alert whose problem is over. */
function recovery(watched: Watched): PlanEvent | null {
  if (troubleOf(watched) !== null) return null
  const open = openAlert(watched)
  if (open === null) return null
  const why = asksForItself(watched)
    ? 'the worker has asked for help itself'
    : `the worker has recovered: ${watched.now.why}`
  return withdrawn(open, why)
}

function openAlert({ state, live }: Watched): string | null {
  if (!state.asked.has(askedAbout({ subject: 'worker', about: live.worker }))) return null
  for (const { item } of state.inbox.values())
    if (item.subject === 'worker' && item.about === live.worker) return item.id
  return null
}

/** The most important first: a worker to be stopped needs no message; a person is alerted before the stop. */
function* actions(watched: Watched): Generator<Action> {
  if (watched.seen.pause !== null) return
  for (const actionOf of [endOf, alertOf, stopOf, helpOf]) {
    const action = actionOf(watched)
    if (action !== null) yield action
  }
  yield* messages(watched)
}

/** Stops a worker that reported its outcome and then does nothing. */
function endOf(watched: Watched): Action | null {
  const { seen, rules } = watched
  const outcome = reportedOutcome(seen)
  if (outcome === null || seen.now < quietSince(seen, outcome.at) + rules.afterReportMs) return null
  const why = `${outcome.why}, then did nothing for ${formatDuration(seen.now - quietSince(seen, outcome.at))}`
  return condemned(watched, { what: 'finish', cause: outcome.cause, why })
}

/** After a pause of the daemon the worker has the full time again. */
const quietSince = ({ signs, lookedFrom }: WorkerFacts, at: Instant): Instant =>
  Math.max(at, lastSeen(signs) ?? 0, lookedFrom)

function reportedOutcome({
  signs,
}: WorkerFacts): { readonly at: Instant; readonly cause: StopCause; readonly why: string } | null {
  const { reportedAt, claim } = signs
  if (claim?.status === 'failed') {
    const cause = claim.failure?.canRetry === false ? 'cannot_go_on' : 'gave_up'
    return {
      at: claim.at,
      cause,
      why: `it reported failure: ${claim.failure?.reason ?? 'no reason given'}`,
    }
  }
  if (reportedAt !== null) return { at: reportedAt, cause: 'finished', why: 'it handed in its report' }
  if (claim?.status === 'completed') return { at: claim.at, cause: 'finished', why: 'it reported completion' }
  return null
}

/** A blocked worker with a request of its own open is escalated by that request alone. */
const asksForItself = ({ seen, live }: Watched): boolean =>
  seen.signs.claim?.status === 'blocked' && openRequests(live).some(({ by }) => by === live.worker)

/** Makes a request for a worker that reports an issue without one. Blocked workers are escalated anyway. */
function helpOf(watched: Watched): Action | null {
  const { live, seen } = watched
  const { claim } = seen.signs
  if (claim?.status !== 'starting' && claim?.status !== 'in_progress') return null
  const issue = unaskedIssue(live, claim.issues)
  if (issue === null) return null
  const request = helpFor(live, issue)
  const why = `it reported an issue without a request: ${issue}`
  const events: PlanEvent[] = [{ type: 'request.received', v: 1, ...who(watched), request }]
  return { what: 'help', about: issue, why, events }
}

interface Trouble {
  readonly since: Instant
  readonly why: string
  readonly issue: WorkerIssue
}

/** The problem a person has to know of: of several the newest, since the others were reported. */
function troubleOf(watched: Watched): Trouble | null {
  const other = troubleAtWork(watched)
  const { excess } = watched.seen
  if (excess === null) return other
  return newer(other, { since: excess.since, why: formatExcess(excess), issue: 'too_many_requests' })
}

function troubleAtWork(watched: Watched): Trouble | null {
  const { seen, rules, now, live } = watched
  const { claim } = seen.signs
  const endOfTime = seen.usedMs < seen.limitMs ? null : outOfTime(seen, { rules, live })
  if (asksForItself(watched) && seen.quietMs < rules.silenceMs) return endOfTime
  if (claim?.status === 'blocked')
    return newer(endOfTime, { since: claim.statusSince, why: now.why, issue: 'blocked' })
  if (seen.quietMs >= silenceSteps(rules, seen).escalateMs || ignoresNudge(seen, rules)) {
    const issue = now.health === 'zombie' ? 'zombie' : 'stalled'
    return newer(endOfTime, { since: seen.sign, why: now.why, issue })
  }
  const standstill = noProgress(claim, rules)
  if (standstill === null) return endOfTime
  return newer(endOfTime, { since: standstill.since, why: standstill.why, issue: 'no_progress' })
}

function outOfTime(seen: WorkerFacts, { rules, live }: Pick<Watched, 'rules' | 'live'>): Trouble {
  const end = formatDuration((seen.limitMs * rules.terminateAtPercent) / 100)
  const why = `it has used its ${formatDuration(seen.limitMs)} and will be stopped at ${end}`
  return { since: live.since + seen.pausedMs + seen.limitMs, why, issue: 'time_limit' }
}

const newer = (one: Trouble | null, other: Trouble): Trouble =>
  one !== null && one.since > other.since ? one : other

function alertOf(watched: Watched): Action | null {
  const { state, task, live } = watched
  const trouble = troubleOf(watched)
  if (trouble === null) return null
  const isReported = live.watch.escalatedAt !== null && live.watch.escalatedAt >= trouble.since
  if (isReported || openAlert(watched) !== null) return null
  const { why, issue } = trouble
  const item = workerAlert(state, task, { worker: live.worker, why, issue })
  const about = String(trouble.since)
  return { what: 'escalate', about, why, events: [opened(item)] }
}

function stopOf(watched: Watched): Action | null {
  const { seen, rules, live } = watched
  const { repeated } = seen.signs
  if (repeated !== null && repeated.times >= LOOPING_CALLS) {
    const why = `${live.worker} made the same call ${repeated.times} times in a row: ${repeated.call}`
    return condemned(watched, { what: 'kill', cause: 'looping', why })
  }
  const mostMs = (seen.limitMs * rules.terminateAtPercent) / 100
  if (seen.usedMs >= mostMs) {
    const why = `${live.worker} ran for ${formatDuration(mostMs)}, its limit is ${formatDuration(seen.limitMs)}`
    return condemned(watched, { what: 'kill', cause: 'time_limit', why })
  }
  if (!seen.hasLived && seen.quietMs >= rules.unheard.endMs) {
    const why = `No check-ins received: ${watched.now.why}`
    return condemned(watched, { what: 'kill', cause: 'zombie', why })
  }
  if (seen.hasLived && seen.quietMs >= rules.midway.endMs && seen.isDeaf) {
    const why = `${live.worker} gave no sign of life for ${formatDuration(seen.quietMs)}: ${watched.now.why}`
    return condemned(watched, { what: 'restart', cause: 'stalled', why })
  }
  return null
}

function condemned(
  watched: Watched,
  { what, cause, why }: { readonly what: Intervention; readonly cause: StopCause; readonly why: string },
): Action {
  const event: PlanEvent = { type: 'worker.condemned', v: 1, ...who(watched), cause, why }
  const checkpoint = checkpointOf(watched.seen)
  return {
    what,
    about: cause,
    why,
    since: watched.seen.sign,
    events: [checkpoint === null ? event : { ...event, checkpoint }],
  }
}

/** Its progress by its own claim. */
function checkpointOf({ signs: { claim } }: WorkerFacts): string | null {
  if (claim === null) return null
  const steps = [claim.step, claim.nextStep === null ? null : `next: ${claim.nextStep}`]
  return [`${claim.percent} %`, ...steps.filter((step) => step !== null && step !== '')].join('; ')
}

function* messages(watched: Watched): Generator<Action> {
  const { seen, rules, live } = watched
  const { sentAt } = live.watch
  const isSilentFor = (ms: number, about: string): boolean =>
    seen.quietMs >= ms && (sentAt[about] ?? 0) < seen.sign + ms
  const { retryMs, endMs } = silenceSteps(rules, seen)
  if (retryMs !== null && isSilentFor(retryMs, 'restart')) {
    // It always gets the time to answer, even if this comes late.
    const rest = formatDuration(Math.max(endMs - seen.quietMs, rules.answerMs))
    const text = `No sign of life from you for ${formatDuration(seen.quietMs)}; you will be replaced in ${rest}. Check in, then take up your current step again.`
    yield send(watched, { what: 'restart', kind: 'restart', about: 'restart', text })
  }
  if (isSilentFor(rules.silenceMs, 'nudge')) {
    const text = `No sign of life from you for ${formatDuration(seen.quietMs)}. If you are working, check in and continue; if you are waiting, say for what.`
    yield send(watched, { what: 'nudge', kind: 'nudge', about: 'nudge', text })
  }
  if (isSilentFor(rules.lateMs, 'reminder')) {
    const text = `Your check-in is overdue: no sign of life for ${formatDuration(seen.quietMs)}.`
    yield send(watched, { what: 'remind', kind: 'reminder', about: 'reminder', text })
  }
  const standstill = noProgress(seen.signs.claim, rules)
  if (standstill !== null) {
    const about = `progress ${standstill.percent}`
    const text = `You have reported ${standstill.percent} % for ${formatDuration(standstill.forMs)}. Report what is blocking you or ask for help.`
    if (sentAt[about] === undefined) yield send(watched, { what: 'nudge', kind: 'nudge', about, text })
  }
  yield* limitWarnings(watched)
  for (const [id, call] of seen.signs.tools) {
    const about = `tool ${id}`
    const ranMs = seen.now - call.since
    if (ranMs < rules.toolWarnMs || sentAt[about] !== undefined) continue
    const text = `${call.name} has been running for ${formatDuration(ranMs)}; after ${formatDuration(rules.toolEndMs)} it no longer counts as a sign of life.`
    yield send(watched, { what: 'warn', kind: 'warning', about, text })
  }
}

/** Messages about silence are sent again when the worker falls silent again. */
const isOfSilence = (about: string): boolean => ['nudge', 'restart', 'reminder'].includes(about)

/** Each once, and only the highest that is due; an extension starts them again. */
function* limitWarnings(watched: Watched): Generator<Action> {
  const { seen, rules, live } = watched
  const { usedMs, limitMs } = seen
  const about = (percent: number): string => `limit ${percent} of ${limitMs}`
  const highest = rules.warnings
    .filter((percent) => usedMs * 100 >= percent * limitMs)
    .sort((a, b) => b - a)[0]
  if (highest === undefined || live.watch.sentAt[about(highest)] !== undefined) return
  const endMs = (limitMs * rules.terminateAtPercent) / 100
  const used =
    limitMs > usedMs
      ? `${highest} % of your time limit is used: ${formatDuration(limitMs - usedMs)} of ${formatDuration(limitMs)} left`
      : `Your time limit of ${formatDuration(limitMs)} is used up: you will be replaced in ${formatDuration(endMs - usedMs)}`
  const text = `${used}. If you need more, ask for it and say why.`
  yield send(watched, { what: 'warn', kind: 'warning', about: about(highest), text })
}

interface Outgoing {
  readonly what: Intervention
  readonly kind: MessageKind
  readonly about: string
  readonly text: string
}

function send(watched: Watched, { what, kind, about, text }: Outgoing): Action {
  const { live, now, seen } = watched
  const message = { id: live.watch.messages + 1, kind, text, about, by: 'bosun' }
  const event: PlanEvent = { type: 'worker.told', v: 1, ...who(watched), message, why: now.why }
  return { what, about, why: now.why, ...(isOfSilence(about) ? { since: seen.sign } : {}), events: [event] }
}

/** When the passage of time alone could next require something. */
function nextLook({ seen, rules, live }: Watched): Instant {
  const { sign, limitMs, signs, now } = seen
  const { nudgedAt } = seen
  const outcome = reportedOutcome(seen)
  const looks = [
    ...[rules.silenceMs, rules.lateMs, ...Object.values(silenceSteps(rules, seen))].map(
      (ms) => sign + (ms ?? Infinity),
    ),
    ...[...rules.warnings, 100, rules.terminateAtPercent].map(
      (percent) => live.since + seen.pausedMs + (limitMs * percent) / 100,
    ),
    ...(nudgedAt === null ? [] : [nudgedAt + rules.answerMs]),
    checkinDue({ live, seen, rules }),
    ...openRequests(live).map(({ at }) => at + rules.requestMs),
    ...(outcome === null ? [] : [quietSince(seen, outcome.at) + rules.afterReportMs]),
    ...[...signs.tools.values()].flatMap(({ since }) => [since + rules.toolWarnMs, since + rules.toolEndMs]),
  ]
  let next = Infinity
  for (const at of looks) if (at > now && at < next) next = at
  return Math.ceil(next)
}
