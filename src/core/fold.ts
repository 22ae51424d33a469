/** What each event changes. Events are facts: a fold never refuses, it throws when a fact is impossible. */
import { emptyState } from './empty-state.ts'
import { addTasks } from './add-tasks.ts'
import { MAX_INCONCLUSIVE, backoffMs } from './budgets.ts'
import type { Report } from './events/parts.ts'
import type { EventOf, PlanEvent } from './events/plan-events.ts'
import { answerItem, replanned, signOff, withdrawItem } from './fold-answers.ts'
import { foldBaselined } from './fold-baseline.ts'
import { foldEdited } from './fold-edit.ts'
import { completeTask, decided, moveTask, taskIn } from './fold-moves.ts'
import { personTold, probeNow, providerLimited } from './fold-providers.ts'
import { foldCollected, foldGated, foldProofOutdated, foldReviewed, rememberApproval } from './fold-proof.ts'
import {
  dispatched,
  reviewDispatched,
  workerCondemned,
  workerEnded,
  workerStarted,
  workerUsed,
} from './fold-workers.ts'
import { requestAnswered, requestReceived } from './fold-requests.ts'
import {
  alerted,
  checkinMissed,
  workerExtended,
  workerHeard,
  workerJudged,
  workerTold,
  wouldHave,
} from './fold-watch.ts'
import { newLayer } from './new-task.ts'
import { layersOf } from './scheduling/ranks.ts'
import { index, unindex } from './indexes.ts'
import {
  askedAbout,
  type Instant,
  type LayerState,
  type LiveWorker,
  type PlanState,
  type TaskState,
} from './state.ts'

/** The parts of a log entry that the fold reads. */
export interface Fact {
  readonly version: number
  readonly at: Instant
  readonly event: PlanEvent
}

/** The state after one more fact. The same state is changed and returned; the first fact makes it, and an edit of the plan makes it anew. */
export function fold(state: PlanState | null, fact: Fact): PlanState {
  const next = state === null ? registered(fact) : apply(state, fact)
  next.version = fact.version
  next.at = fact.at
  return next
}

function registered({ event, at }: Fact): PlanState {
  if (event.type !== 'plan.registered')
    throw new Error(`a plan begins with plan.registered, not ${event.type}`)
  const state = emptyState({
    repo: event.repo,
    plan: event.plan,
    settings: event.settings,
    integration: event.integration,
    registeredAt: at,
  })
  for (const [layer, tests] of layersOf(event.integration)) {
    state.layers.set(layer, newLayer(tests))
  }
  addTasks(state, event.tasks, at)
  for (const layer of state.layers.values()) if (layer.left === 0) layer.status = 'due'
  return state
}

const NONE: readonly never[] = Object.freeze([])

function apply(state: PlanState, { event, at }: Fact): PlanState {
  switch (event.type) {
    case 'plan.registered':
      throw new Error('a plan is registered once')
    case 'plan.baselined':
      foldBaselined(state, event, at)
      break
    case 'plan.edited':
      return foldEdited(state, event, at)
    case 'plan.paused':
      state.paused = { by: event.by, reason: event.reason, stopWorkers: event.stopWorkers }
      state.pauseDue = null
      break
    case 'plan.resumed':
      state.paused = null
      for (const layer of state.layers.values()) if (layer.status === 'failed') layer.status = 'due'
      // Whoever says that it can go on has put right what was in the way.
      for (const [key, trouble] of state.trouble) state.trouble.set(key, { ...trouble, notBefore: at })
      for (const agent of state.parked.keys()) probeNow(state, agent, at)
      if (state.breaker !== null) state.breaker = { ...state.breaker, probeAt: at }
      break
    case 'plan.cancelled':
      state.cancelled = { by: event.by, reason: event.reason }
      break
    case 'plan.extended':
      extended(state, event, at)
      break
    case 'task.replanned':
      replanned(state, event, at)
      break
    case 'task.tier_raised':
      tierRaised(state, event, at)
      break
    case 'task.dispatched':
      dispatched(state, event, at)
      break
    case 'review.dispatched':
      reviewDispatched(state, event, at)
      break
    case 'worker.started':
      workerStarted(state, event, at)
      break
    case 'worker.used':
      workerUsed(state, event)
      break
    case 'worker.condemned':
      workerCondemned(state, event, at)
      break
    case 'worker.ended':
      workerEnded(state, event, at)
      break
    case 'worker.judged':
      workerJudged(state, event, at)
      break
    case 'worker.told':
      workerTold(state, event, at)
      break
    case 'worker.heard':
      workerHeard(state, event)
      break
    case 'worker.extended':
      workerExtended(state, event, at)
      break
    case 'checkin.missed':
      checkinMissed(state, event, at)
      break
    case 'watch.would':
      wouldHave(state, event, at)
      break
    case 'request.received':
      requestReceived(state, event, at)
      break
    case 'request.answered':
      requestAnswered(state, event, at)
      break
    case 'provider.limited':
      providerLimited(state, event, at)
      break
    case 'provider.freed':
      state.parked.delete(event.agent)
      break
    case 'plan.documented':
    case 'word.ignored':
      break
    case 'inbox.presented':
      state.unpresented.delete(event.id)
      break
    case 'work.collected':
      foldCollected(state, event, at)
      break
    case 'task.gated':
      foldGated(state, event, at)
      break
    case 'task.reviewed':
      foldReviewed(state, event, at)
      break
    case 'task.committed':
      committed(state, event, at)
      break
    case 'task.commit_refused': {
      const task = taskIn(state, event.task)
      if (event.moved === true) rememberApproval(state, task, { keeps: event.keeps === true })
      else task.cause = { kind: 'conflict', reason: event.reason }
      moveTask(state, task, { to: event.moved === true ? 'collecting' : 'deciding', on: event.type, at })
      break
    }
    case 'task.proof_outdated':
      foldProofOutdated(state, event, at)
      break
    case 'inbox.opened':
      opened(state, event, at)
      break
    case 'inbox.withdrawn':
      withdrawItem(state, event, at)
      break
    case 'inbox.answered':
      answerItem(state, event, at)
      break
    case 'risk.settled': {
      const risk = state.risks.get(event.risk)
      if (risk === undefined) throw new Error(`there is no risk ${event.risk}`)
      state.risks.set(risk.id, {
        ...risk,
        status: event.status,
        acceptedBy: event.by,
        acceptedAt: at,
        reason: event.reason,
      })
      break
    }
    case 'integration.ran':
      integrationRan(state, event)
      break
    case 'integration.diagnosed':
      layerIn(state, event.layer).diagnosis = event.diagnoses
      break
    case 'release.gated':
      releaseGated(state, event, at)
      break
    case 'release.prepared':
      state.release = { ...state.release, step: 'prepared', sha: event.sha, manifest: event.manifest }
      state.currentSha = event.sha
      break
    case 'release.signed':
      signOff(state)
      break
    case 'progress.reported':
      Object.assign(state.progress, { completedSince: 0, lastAt: at, due: null })
      break
    case 'effect.failed': {
      const failures = (state.trouble.get(event.effect)?.failures ?? 0) + 1
      const { reason, needsPerson = false } = event
      state.trouble.set(event.effect, { failures, reason, needsPerson, notBefore: at + backoffMs(failures) })
      break
    }
    case 'pm.started':
      state.clock = { boot: event.boot, offsetMs: event.offsetMs }
      break
    case 'clock.jumped':
      clockJumped(state, event)
      break
  }
  return state
}

/** Everything that is measured from a moment on is measured from the same moment on the new clock. */
function clockJumped(state: PlanState, event: EventOf<'clock.jumped'>): void {
  if (state.clock !== null) state.clock = { ...state.clock, offsetMs: state.clock.offsetMs + event.byMs }
  for (const task of state.tasks.values()) {
    if (task.dispatchedAt !== null && task.step !== 'completed') task.dispatchedAt += event.byMs
  }
  for (const task of state.active) {
    task.stepSince += event.byMs
    if (task.live !== null) task.live = movedBy(task.live, event.byMs)
  }
  for (const [key, trouble] of state.trouble) {
    state.trouble.set(key, { ...trouble, notBefore: trouble.notBefore + event.byMs })
  }
  for (const [agent, parked] of state.parked) {
    // A reset is a moment of the provider's clock, which did not jump.
    const { since, probeAt } = parked
    state.parked.set(agent, { ...parked, since: since + event.byMs, probeAt: probeAt + event.byMs })
  }
  if (state.breaker !== null)
    state.breaker = { ...state.breaker, probeAt: state.breaker.probeAt + event.byMs }
  state.progress.lastAt += event.byMs
}

function movedBy(live: LiveWorker, byMs: number): LiveWorker {
  const { escalatedAt, armedAt, told, requests } = live.watch
  return {
    ...live,
    since: live.since + byMs,
    watch: {
      ...live.watch,
      escalatedAt: escalatedAt === null ? null : escalatedAt + byMs,
      armedAt: armedAt === null ? null : armedAt + byMs,
      told: Object.fromEntries(Object.entries(told).map(([about, at]) => [about, at + byMs])),
      requests: requests.map((request) => ({ ...request, at: request.at + byMs })),
    },
  }
}

function extended(state: PlanState, event: EventOf<'plan.extended'>, at: Instant): void {
  addTasks(state, event.tasks, at)
  if (event.because === 'integration') {
    const layer = layerIn(state, event.about)
    layer.status = 'open'
    layer.diagnoses++
  }
  if (event.because === 'release') {
    const { remediations, remediationTasks } = state.release
    state.release = {
      ...state.release,
      step: 'open',
      remediations: remediations + 1,
      remediationTasks: remediationTasks + event.tasks.length,
    }
  }
}

function tierRaised(state: PlanState, event: EventOf<'task.tier_raised'>, at: Instant): void {
  const task = taskIn(state, event.task)
  state.reclassify.delete(task)
  unindex(state, task)
  task.tier = event.tier
  index(state, task)
  decided(task, at, `tier raised to ${event.tier}: ${event.reasons.join('; ')}`)
}

function committed(state: PlanState, event: EventOf<'task.committed'>, at: Instant): void {
  const task = taskIn(state, event.task)
  task.commit = { sha: event.sha, tree: event.tree, branch: event.branch, artifacts: event.artifacts }
  state.currentSha = event.sha
  state.landings++
  state.landedTree = event.tree
  if (event.tag !== null) state.checkpointTags.push(event.tag)
  const reported = event.risks ?? task.draft?.report?.risks ?? NONE
  if (reported.length > 0) addRisks(state, task, reported)
  completeTask(state, task, { at, trigger: event.type })
}

function addRisks(state: PlanState, task: TaskState, reported: readonly Report['risks'][number][]): void {
  for (const [place, risk] of reported.entries()) {
    const id = `risk-${task.spec.id}-${place + 1}`
    const open = { status: 'open', acceptedBy: null, acceptedAt: null, reason: null } as const
    state.risks.set(id, { id, ...risk, sourceTask: task.spec.id, ...open })
  }
}

function opened(state: PlanState, event: EventOf<'inbox.opened'>, at: Instant): void {
  const { item } = event
  state.inbox.set(item.id, { item, since: at })
  state.asked.add(askedAbout(item))
  state.unpresented.add(item.id)
  state.itemsOpened++
  if (item.subject === 'worker') alerted(state, event, at)
  if (item.subject === 'provider') personTold(state, item.about ?? '')
  if (item.subject !== 'task' || item.task === null) return
  const task = taskIn(state, item.task)
  state.reask.delete(task)
  decided(task, at, `asked a person (${item.id}): ${item.problem}`)
  if (item.kind !== 'approval' && task.step !== 'escalated') {
    moveTask(state, task, { to: 'escalated', on: event.type, at })
  }
}

function integrationRan(state: PlanState, event: EventOf<'integration.ran'>): void {
  const layer = layerIn(state, event.layer)
  layer.runs = event.round
  layer.results = event.results
  layer.tree = event.tree
  layer.diagnosis = null
  const outcomes = event.results.map((result) => result.outcome)
  const isUnknown = !outcomes.includes('failed') && outcomes.includes('inconclusive')
  layer.inconclusive = isUnknown ? layer.inconclusive + 1 : 0
  if (outcomes.every((outcome) => outcome === 'passed')) layer.status = 'passed'
  else layer.status = isUnknown && layer.inconclusive <= MAX_INCONCLUSIVE ? 'due' : 'failed'
}

function layerIn(state: PlanState, name: string): LayerState {
  const layer = state.layers.get(name)
  if (layer === undefined) throw new Error(`there is no layer ${name} with integration tests`)
  return layer
}

function releaseGated(state: PlanState, event: EventOf<'release.gated'>, at: Instant): void {
  const outcomes = event.verdicts.map((verdict) => verdict.outcome)
  const failed = outcomes.includes('failed')
  const inconclusive = !failed && outcomes.includes('inconclusive')
  state.release = {
    ...state.release,
    runs: event.round,
    verdicts: event.verdicts,
    tree: event.tree,
    gatedAt: at,
    step: failed ? 'failed' : inconclusive ? 'open' : 'passed',
    inconclusive: inconclusive ? state.release.inconclusive + 1 : 0,
  }
}
