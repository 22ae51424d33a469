/**
 * Whether a fact that somebody proposes may happen now. Workers, people and performers all answer
 * late sometimes; what no longer fits is kept as a word that was ignored, and changes nothing.
 */
import { answerRefusal, noAnswer } from './answers/answer-rules.ts'
import type { RunEvidence } from './events/evidence.ts'
import type { Verdict } from './events/parts.ts'
import type { EventOf, PlanEvent } from './events/plan-events.ts'
import { gatesDue } from './fold-proof.ts'
import { mayHappen } from './life.ts'
import { TIERS } from './planning/plan.ts'
import type { LiveWorker, PlanState, TaskState } from './state.ts'
import { openRequest, requestMisfit } from './watch/requests.ts'

/** What may be said of a worker that is being stopped as well. */
const ALWAYS: ReadonlySet<PlanEvent['type']> = new Set(['worker.ended', 'worker.used'])

/** Null when the event fits, else why it does not. */
export function misfit(state: PlanState, event: PlanEvent): string | null {
  switch (event.type) {
    case 'worker.used':
    case 'worker.started':
    case 'worker.condemned':
    case 'worker.judged':
    case 'worker.told':
    case 'worker.heard':
    case 'worker.extended':
    case 'checkin.missed':
    case 'watch.would':
    case 'request.received':
    case 'request.answered':
    case 'worker.ended': {
      const live = state.tasks.get(event.task)?.live
      if (live?.worker !== event.worker) return `${event.worker} is not the worker of task ${event.task} now`
      if (event.type === 'worker.told' && event.message.id !== live.watch.messages + 1)
        return `message ${event.message.id} is not the next one to ${event.worker}`
      if (event.type === 'worker.heard') return heardMisfit(live, event.messages)
      if (event.type === 'request.received')
        return stopMisfit(live, event) ?? requestMisfit(live, event.request)
      if (event.type === 'request.answered' && openRequest(live, event.id) === null)
        return `${event.id} is not open`
      return stopMisfit(live, event)
    }
    case 'work.collected':
      return taskMisfit(state, event, (task) => task.draft?.worker === event.worker)
    case 'task.gated':
      return (
        taskMisfit(
          state,
          event,
          (task) => event.tree === task.draft?.tree && (event.scope === 'failed') === (task.recheck !== null),
        ) ??
        missingVerdict(state.tasks.get(event.task), event.verdicts) ??
        unasked(runsOf(event.verdicts))
      )
    case 'task.reviewed':
    case 'task.committed':
    case 'task.commit_refused':
    case 'task.proof_outdated':
      return taskMisfit(state, event, () => true)
    case 'task.dispatched':
      return taskMisfit(state, { ...event, attempt: event.attempt - 1 }, () => true)
    case 'review.dispatched': {
      const task = state.tasks.get(event.task)
      return task?.step === 'reviewing' && task.live === null
        ? null
        : `task ${event.task} is not waiting for a review`
    }
    case 'inbox.answered':
      return noAnswer(event) ?? answerRefusal(state, { ...event, proof: 'token' })?.why ?? null
    case 'provider.freed':
      return state.parked.has(event.agent) ? null : `${event.agent} is not limited`
    case 'inbox.withdrawn':
    case 'inbox.presented':
      return state.inbox.has(event.id) ? null : `${event.id} is not open`
    case 'integration.diagnosed': {
      const layer = state.layers.get(event.layer)
      const isDue = layer?.status === 'failed' && layer.diagnosis === null && event.round === layer.runs
      return isDue ? null : `the integration of ${event.layer} is not to be diagnosed`
    }
    case 'integration.ran': {
      const layer = state.layers.get(event.layer)
      if (layer?.status !== 'due' || event.round !== layer.runs + 1)
        return `integration of ${event.layer} is not due`
      const missing = layer.tests.find((test) => event.results.every((result) => result.id !== test.id))
      return missing === undefined
        ? unasked(event.results.flatMap(({ run }) => run ?? []))
        : `there is no result of ${missing.id}`
    }
    case 'release.gated':
      return state.release.step === 'open' && event.round === state.release.runs + 1
        ? unasked(runsOf(event.verdicts))
        : 'no release gate is due'
    case 'release.prepared':
      return state.release.step === 'passed' ? null : 'the release gate has not passed'
    case 'release.signed':
      return state.release.step === 'prepared' ? null : 'there is no release to sign'
    case 'plan.registered':
    case 'plan.documented':
      return 'the plan is registered already'
    case 'plan.baselined':
      return state.baseline === null ? baselineMisfit(state, event) : 'there is a baseline already'
    case 'plan.edited':
      return editMisfit(state, event)
    case 'plan.paused':
      return state.paused === null ? null : 'the plan is paused already'
    case 'plan.resumed':
      return state.paused === null ? 'the plan is not paused' : null
    case 'plan.cancelled':
      return state.cancelled === null ? null : 'the plan is cancelled already'
    case 'plan.extended':
      return extensionMisfit(state, event)
    case 'risk.settled':
      return state.risks.get(event.risk)?.status === 'open' ? null : `risk ${event.risk} is not open`
    case 'task.replanned':
      return state.rejected.has(event.task) ? null : `task ${event.task} is not rejected`
    case 'task.tier_raised':
      return tierMisfit(state, event)
    case 'word.ignored':
    case 'provider.limited':
    case 'progress.reported':
    case 'effect.failed':
    case 'pm.started':
    case 'clock.jumped':
    case 'inbox.opened':
      return null
  }
}

/** A message is heard once, while it waits. */
function heardMisfit(live: LiveWorker, messages: readonly number[]): string | null {
  const waiting = new Set(live.watch.waiting.map(({ id }) => id))
  const other = messages.find((id) => !waiting.has(id))
  return other === undefined ? null : `message ${other} does not wait for ${live.worker}`
}

function stopMisfit(live: LiveWorker, { type }: PlanEvent): string | null {
  return !ALWAYS.has(type) && live.step === 'stopping' ? `${live.worker} is being stopped` : null
}

/** What says nothing about a gate that was to be run proves nothing. */
function missingVerdict(task: TaskState | undefined, verdicts: readonly Verdict[]): string | null {
  const due = task === undefined ? [] : gatesDue(task)
  const missing = due.find((gate) => verdicts.every((verdict) => verdict.gate !== gate))
  return missing === undefined ? null : `there is no verdict on ${missing}`
}

const runsOf = (verdicts: readonly Verdict[]): readonly RunEvidence[] =>
  verdicts.flatMap(({ evidence }) => evidence.runs)

/** A run of which nobody can tell later what was asked of it proves nothing. */
function unasked(runs: readonly RunEvidence[]): string | null {
  const bare = runs.find(({ commandSha256 }) => commandSha256 === null)
  return bare === undefined ? null : `the run of ${bare.command} does not say what was asked: it has no hash`
}

function baselineMisfit(state: PlanState, event: EventOf<'plan.baselined'>): string | null {
  const ids = event.audits.map(({ task }) => task)
  const named = event.branches.noticed.flatMap(({ tasks }) => tasks.map(({ task }) => task))
  const unknown = [...ids, ...named].find((id) => !state.tasks.has(id))
  if (unknown !== undefined) return `there is no task ${unknown}`
  return new Set(ids).size === ids.length ? null : 'it names a task twice'
}

function extensionMisfit(state: PlanState, event: EventOf<'plan.extended'>): string | null {
  const ids = new Set(event.tasks.map((task) => task.id))
  if (ids.size < event.tasks.length) return 'it adds a task twice'
  if (event.tasks.some((task) => state.tasks.has(task.id))) return 'it adds a task that exists'
  const needs = event.tasks.flatMap((task) => task.dependsOn)
  const unknown = needs.find((id) => !ids.has(id) && !state.tasks.has(id))
  if (unknown !== undefined) return `it depends on ${unknown}, which is not there`
  const isForLayer = event.because !== 'integration' || state.layers.has(event.about)
  return isForLayer ? null : `there is no layer ${event.about} with integration tests`
}

/** What is being committed cannot be called back: whoever edits tries again when it has landed. */
function editMisfit(state: PlanState, event: EventOf<'plan.edited'>): string | null {
  if (state.cancelled !== null) return 'the plan is cancelled'
  if (state.release.step === 'prepared' || state.release.step === 'signed') return 'the plan is released'
  const known = [...event.removed, ...event.affected]
  const unknown = known.find((id) => !state.tasks.has(id))
  if (unknown !== undefined) return `there is no task ${unknown}`
  const landing = known.find((id) => state.tasks.get(id)?.step === 'committing')
  if (landing !== undefined) return `task ${landing} is just being committed`
  const ids = new Set([...state.tasks.keys(), ...event.specs.map(({ id }) => id)])
  const missing = event.specs.flatMap(({ dependsOn }) => dependsOn).find((id) => !ids.has(id))
  return missing === undefined ? null : `it depends on ${missing}, which is not there`
}

function tierMisfit(state: PlanState, event: EventOf<'task.tier_raised'>): string | null {
  const task = state.tasks.get(event.task)
  if (task === undefined) return `there is no task ${event.task}`
  const isRaise = TIERS.indexOf(event.tier) < TIERS.indexOf(task.tier)
  return isRaise ? null : `task ${event.task} is ${task.tier} already, and a tier is only ever raised`
}

interface AboutAttempt {
  readonly type: PlanEvent['type']
  readonly task: string
  readonly attempt: number
}

function taskMisfit(
  state: PlanState,
  about: AboutAttempt,
  fits: (task: TaskState) => boolean,
): string | null {
  const task = state.tasks.get(about.task)
  if (task === undefined) return `there is no task ${about.task}`
  if (task.attempt !== about.attempt) return `attempt ${about.attempt} of task ${about.task} is over`
  if (!mayHappen(about.type, task.step)) return `task ${about.task} is ${task.step}`
  return fits(task) ? null : `it is not about the work of task ${about.task} as it is now`
}
