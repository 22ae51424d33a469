/** The activity log: what happened, under the names that people and tools watch for. */
import type { Audit, NoticedBranch } from '../events/baseline.ts'
import type { StopCause, Verdict } from '../events/parts.ts'
import type { EventOf, PlanEvent } from '../events/plan-events.ts'
import type { Health, MessageKind } from '../events/watch.ts'
import { plainLine } from '../planning/quoted.ts'

export interface Activity {
  readonly event: string
  readonly worker: string | null
  readonly task: string | null
  readonly data: Readonly<Record<string, unknown>>
}

/** The parts of a log entry that are read here. */
export interface ActivityFact {
  readonly version: number
  readonly event: PlanEvent
}

const LONGEST_TEXT = 2000

/**
 * Reads one plan's events in order. All it remembers is who is about to be stopped, so that a worker
 * that was done before it could be stopped shows as a near miss, and which items are alerts about workers.
 */
export class ActivityReader {
  readonly #condemned: Set<string>
  readonly #alerts: Set<string>

  constructor(condemned: Iterable<string> = [], alerts: Iterable<string> = []) {
    this.#condemned = new Set(condemned)
    this.#alerts = new Set(alerts)
  }

  read(fact: ActivityFact): readonly Activity[] {
    const { event } = fact
    // One that is ended after its report is not killed, so there is no kill that could be missed.
    if (event.type === 'worker.condemned' && event.cause !== 'finished') this.#condemned.add(event.worker)
    if (event.type !== 'worker.ended') return [...activityOf(fact), ...this.#alert(event)]
    const wasCondemned = this.#condemned.delete(event.worker)
    const missed = wasCondemned && event.end.kind !== 'stopped'
    return [...(missed ? [about(event, 'kill_near_miss', { end: event.end.kind })] : []), ended(event)]
  }

  #alert(event: PlanEvent): readonly Activity[] {
    if (event.type === 'inbox.opened' && event.item.subject === 'worker') {
      const { id, about: worker, task, problem } = event.item
      this.#alerts.add(id)
      return [{ event: 'alert_created', worker, task, data: { id, problem: cut(problem) } }]
    }
    if (event.type !== 'inbox.answered' && event.type !== 'inbox.withdrawn') return []
    return this.#alerts.delete(event.id) ? [plain('alert_resolved', { id: event.id })] : []
  }
}

function activityOf({ version, event }: ActivityFact): readonly Activity[] {
  switch (event.type) {
    case 'plan.registered': {
      const { title, source } = event.plan
      return [plain('plan_registered', { title, source, tasks: event.tasks.length })]
    }
    case 'plan.baselined':
      return baselineActivity(event)
    case 'plan.paused':
      return [
        plain('plan_paused', { by: event.by, reason: cut(event.reason), stop_workers: event.stopWorkers }),
      ]
    case 'plan.resumed':
      return [plain('plan_resumed', { by: event.by })]
    case 'plan.cancelled':
      return [plain('plan_cancelled', { by: event.by, reason: cut(event.reason) })]
    case 'plan.extended':
      return [plain('plan_extended', { because: event.because, tasks: event.tasks.map(({ id }) => id) })]
    case 'task.replanned':
      return [ofTask(event.task, 'task_replanned', { recommend: event.recommend, by: event.by })]
    case 'task.tier_raised':
      return [ofTask(event.task, 'tier_raised', { tier: event.tier, reasons: event.reasons })]
    case 'task.dispatched': {
      const { attempt, role, reason, why } = event
      const again = reason === 'restart' ? [about(event, 'worker_restarted', { attempt, why: cut(why) })] : []
      return [about(event, 'task_dispatched', { attempt, role, reason, why: cut(why) }), ...again]
    }
    case 'task.gated':
      return event.verdicts.map((verdict) =>
        ofTask(event.task, `gate_${verdict.outcome}`, gateData(verdict, { attempt: event.attempt })),
      )
    case 'task.reviewed': {
      const { by, round, summary, issues } = event
      const data = { by, round, summary: cut(summary), issues: issues.length }
      return [ofTask(event.task, `review_${event.verdict}`, data)]
    }
    case 'task.committed': {
      const { sha, branch, tag, attempt } = event
      return [ofTask(event.task, 'task_committed', { sha, branch, tag, attempt })]
    }
    case 'task.commit_refused':
      return [ofTask(event.task, 'commit_refused', { reason: cut(event.reason), attempt: event.attempt })]
    case 'task.proof_outdated':
      return [ofTask(event.task, 'proof_outdated', { why: cut(event.why), attempt: event.attempt })]
    case 'review.dispatched':
      return [about(event, 'review_dispatched', { attempt: event.attempt, round: event.round })]
    case 'worker.started':
      return [about(event, 'worker_registered', { attempt: event.attempt, agent: event.agent ?? null })]
    case 'plan.edited': {
      const { by, removed, affected } = event
      const specs = event.specs.map(({ id }) => id)
      return [plain('plan_edited', { by, said_anew: specs, removed, done_again: affected })]
    }
    case 'worker.used':
      return [about(event, 'usage_noted', { tokens: event.tokens, usd: event.usd })]
    case 'worker.condemned':
      return [about(event, CONDEMNED[event.cause], { cause: event.cause, why: cut(event.why) })]
    case 'worker.judged':
      return [about(event, judgedAs(event), { health: event.health, why: cut(event.why) })]
    case 'worker.told': {
      const { id, kind, text, by } = event.message
      return [about(event, TOLD[kind], { message: id, text: cut(text), by, why: cut(event.why) })]
    }
    case 'worker.heard':
      return [about(event, 'message_delivered', { messages: event.messages, via: event.via })]
    case 'worker.extended':
      return [about(event, 'time_extension_granted', { extra_ms: event.extraMs, why: cut(event.why) })]
    case 'request.received': {
      const { id, kind, text, by, priority, minutes, tokens, to } = event.request
      const wanted = { minutes, tokens, to }
      return [about(event, 'request_received', { id, type: kind, text: cut(text), by, priority, ...wanted })]
    }
    case 'request.answered':
      return answeredActivity(event)
    case 'checkin.missed':
      return [about(event, 'missing_checkin', { attempt: event.attempt, why: cut(event.why) })]
    case 'watch.would':
      return [about(event, `would_${event.what}`, { why: cut(event.why) })]
    case 'provider.limited': {
      const { agent, until, why, probe, from } = event
      const data = { agent, until_ms: until, why: cut(why), probe: probe ?? null, told_by: from ?? null }
      return [plain('provider_limited', data)]
    }
    case 'provider.freed': {
      const { agent, why, from } = event
      return [plain('provider_resumed', { agent, why: cut(why), told_by: from ?? null })]
    }
    case 'word.ignored':
      return [plain('word_ignored', { from: cut(event.from), about: cut(event.about), why: cut(event.why) })]
    case 'inbox.opened': {
      const { id, kind, problem, recommended, blocking, task } = event.item
      const data = { id, problem: cut(problem), recommended, blocking }
      return [{ event: `${kind}_opened`, worker: null, task, data }]
    }
    case 'inbox.withdrawn':
      return [plain(`${kindOf(event.id)}_withdrawn`, { id: event.id, why: cut(event.why) })]
    case 'inbox.answered': {
      const { id, choice, feedback, by } = event
      return [plain(`${kindOf(id)}_answered`, { id, choice, by, feedback: cut(feedback) })]
    }
    case 'risk.settled': {
      const { risk, status, by, reason } = event
      return [plain('risk_settled', { risk, status, by, reason: cut(reason) })]
    }
    case 'integration.ran':
      return event.results.map(({ id, outcome }) =>
        plain(`integration_${outcome}`, { id, layer: event.layer, round: event.round }),
      )
    case 'integration.diagnosed':
      return event.diagnoses.map(({ test, culprit, words }) =>
        plain('integration_diagnosed', { id: test, layer: event.layer, culprit, why: cut(words) }),
      )
    case 'release.gated':
      return event.verdicts.map((verdict) =>
        plain(`gate_${verdict.outcome}`, gateData(verdict, { release: true, round: event.round })),
      )
    case 'release.prepared':
      return [plain('release_ready', { sha: event.sha, manifest: event.manifest })]
    case 'release.signed':
      return [plain('release_signed', { by: event.by })]
    case 'progress.reported':
      return [plain('progress_report', { why: cut(event.why), text: cut(event.text) })]
    case 'effect.failed':
      return [plain('effect_failed', { effect: cut(event.effect), reason: cut(event.reason) })]
    case 'pm.started':
      return [plain(version <= FIRST_START ? 'pm_started' : 'pm_restarted', {})]
    case 'clock.jumped':
      return [plain('clock_jumped', { by_ms: event.byMs })]
    case 'plan.documented':
    case 'worker.ended':
    case 'work.collected':
    case 'inbox.presented':
      return []
  }
}

function baselineActivity(event: EventOf<'plan.baselined'>): readonly Activity[] {
  const { sha, failing, start, audits, branches } = event
  const idsOf = (status: Audit['status']) =>
    audits.filter((one) => one.status === status).map(({ task }) => task)
  const data = {
    sha,
    files: start?.files ?? null,
    tests: start?.tests.outcome ?? null,
    failing: failing.length,
    existing: idsOf('EXISTS'),
    partial: idsOf('PARTIAL'),
    branches: branches.noticed.map(({ name }) => plainLine(name)),
    more_branches: branches.more,
  }
  return [
    plain('baseline_taken', data),
    ...audits.flatMap(({ task, status, evidence }) =>
      status === 'MISSING' ? [] : [ofTask(task, AUDITED[status], { evidence: cut(evidence) })],
    ),
    ...branches.noticed.map(branchActivity),
    ...(branches.trouble === null ? [] : [plain('branches_unread', { why: cut(branches.trouble) })]),
  ]
}

function answeredActivity(event: EventOf<'request.answered'>): readonly Activity[] {
  const { outcome, text, by, tokens } = event.answer
  const answered = about(event, 'request_answered', { id: event.id, outcome, text: cut(text), by })
  if (tokens === undefined) return [answered]
  return [answered, about(event, 'resources_allocated', { request: event.id, tokens, by })]
}

const AUDITED = { EXISTS: 'task_exists', PARTIAL: 'task_partly_there' } as const

function branchActivity({ name, sha, ahead, subject, tasks }: NoticedBranch): Activity {
  const touches = tasks.slice(0, 20).map(({ task, files, more }) => {
    return { task_id: task, files: files.map((path) => plainLine(path)), more }
  })
  return plain('branch_noticed', {
    branch: plainLine(name),
    sha,
    ahead,
    subject: plainLine(subject),
    touches,
  })
}

/** A plan is registered and documented, then its PM says hello for the first time. */
const FIRST_START = 3

const JUDGED = {
  healthy: 'checkin_resumed',
  late: 'missed_checkin',
  stalled: 'worker_stalled',
  timeout_warning: 'timeout_near',
  zombie: 'zombie_detected',
} as const satisfies Record<Health, string>

const judgedAs = ({ health }: EventOf<'worker.judged'>): string => JUDGED[health]

const TOLD = {
  warning: 'timeout_warning',
  reminder: 'missing_checkin',
  nudge: 'worker_nudged',
  answer: 'answer_sent',
  instruction: 'instruction_sent',
} as const satisfies Record<MessageKind, string>

const CONDEMNED = {
  stalled: 'restart_decided',
  zombie: 'kill_decided',
  finished: 'worker_finished',
  gave_up: 'worker_gave_up',
  cannot_go_on: 'worker_gave_up',
  restarted: 'restart_decided',
  time_limit: 'timeout_exceeded',
  disk_limit: 'worker_condemned',
  budget: 'budget_exceeded',
  looping: 'worker_looping',
  plan_edited: 'worker_condemned',
  killed: 'worker_condemned',
  paused: 'worker_condemned',
  cancelled: 'worker_condemned',
} as const

const ENDED = {
  done: 'worker_completed',
  blocked: 'worker_blocked',
  failed: 'worker_failed',
  stopped: 'worker_killed',
  interrupted: 'worker_interrupted',
  limited: 'worker_limited',
} as const

/** Who had said how it went and was ended then was not killed. */
const STOPPED: Partial<Record<StopCause, string>> = {
  finished: ENDED.done,
  gave_up: ENDED.failed,
  cannot_go_on: ENDED.failed,
}

function ended(event: EventOf<'worker.ended'>): Activity {
  const { end, attempt } = event
  switch (end.kind) {
    case 'done':
      return about(event, ENDED.done, { attempt })
    case 'blocked':
    case 'failed':
    case 'interrupted':
      return about(event, ENDED[end.kind], { attempt, reason: cut(end.reason) })
    case 'stopped':
      return about(event, STOPPED[end.cause] ?? ENDED.stopped, { attempt, cause: end.cause })
    case 'limited':
      return about(event, ENDED.limited, { attempt, until_ms: end.until })
  }
}

/** The letter before an item's number says what it is. */
function kindOf(id: string): string {
  const kinds: Readonly<Record<string, string>> = {
    E: 'escalation',
    Q: 'question',
    A: 'approval',
    P: 'permission',
    R: 'release',
  }
  return kinds[id.charAt(0)] ?? 'item'
}

const gateData = (verdict: Verdict, more: Readonly<Record<string, unknown>>) => ({
  gate: verdict.gate,
  ...more,
  summary: cut(verdict.summary),
})

const plain = (event: string, data: Activity['data']): Activity => ({ event, worker: null, task: null, data })
const ofTask = (task: string, event: string, data: Activity['data']): Activity => ({
  event,
  worker: null,
  task,
  data,
})
const about = (
  who: { readonly worker: string; readonly task: string },
  event: string,
  data: Activity['data'],
): Activity => ({ event, worker: who.worker, task: who.task, data })

const cut = (text: string): string => (text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}…`)
