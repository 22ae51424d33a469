/** Records events in the ledger, independently of the events' definitions. */
import type { InboxItem } from '../../core/event-schemas/schemas.ts'
import type { EventOf, EventType, PlanEvent } from '../../core/events/plan-events.ts'
import type { Ledger, TaskRecord } from './ledger.ts'
import { recordProviders, type Moment } from './provider-rules.ts'
import { recordRequest } from './request-records.ts'

export function record(ledger: Ledger, event: PlanEvent, now: Moment): void {
  const { elapsedMs } = now
  ledger.events.push(event)
  recordRequest(ledger.requests, event, elapsedMs)
  recordProviders(ledger, event, now)
  const recorder = RECORDERS[event.type] as Recorder<PlanEvent> | undefined
  recorder?.(ledger, event, elapsedMs)
}

type Recorder<E> = (ledger: Ledger, event: E, elapsedMs: number) => void

/** Events without an entry are not recorded. */
const RECORDERS: { readonly [T in EventType]?: Recorder<EventOf<T>> } = {
  'plan.baselined'(ledger, { audits }) {
    ledger.baselined = true
    for (const { task, status } of audits) if (status === 'EXISTS') ledger.task(task).where = 'completed'
  },
  'plan.paused'(ledger) {
    ledger.paused = true
  },
  'plan.resumed'(ledger) {
    ledger.paused = false
  },
  'plan.cancelled'(ledger) {
    ledger.cancelled = true
  },
  'plan.extended'(ledger, { tasks, because, about }) {
    for (const spec of tasks) ledger.add(spec)
    const key = `${because} ${about}`
    ledger.rounds.set(key, (ledger.rounds.get(key) ?? 0) + 1)
  },
  'task.tier_raised'(ledger, { task, tier }) {
    ledger.task(task).tier = tier
  },
  'task.dispatched': dispatched,
  'review.dispatched'(ledger, { task, worker }) {
    ledger.task(task).live = worker
    ledger.workers.add(worker)
  },
  'worker.ended': (ledger, event) => ended(ledger.task(event.task), event),
  'work.collected': (ledger, event) => collected(ledger.task(event.task), event),
  'task.gated': (ledger, event) => gated(ledger.task(event.task), event),
  'task.reviewed'(ledger, { task, verdict }) {
    ledger.task(task).reviewed = verdict === 'approved'
  },
  'task.committed': committed,
  'task.replanned'(ledger, { task, parts = [] }) {
    ledger.parts.set(task, parts)
  },
  'inbox.opened'(ledger, { item }, elapsedMs) {
    ledger.items.set(item.id, item)
    if (item.subject === 'worker') ledger.watched(item.about ?? '').alertedMs = elapsedMs
    if (item.subject === 'task' && item.task !== null) {
      ledger.task(item.task).where = item.kind === 'approval' ? 'with_person' : 'escalated'
    }
  },
  'inbox.withdrawn': (ledger, { id }) => withdrawn(ledger, id),
  'inbox.answered'(ledger, event, elapsedMs) {
    const item = ledger.items.get(event.id)
    if (item?.subject === 'worker') ledger.watched(item.about ?? '').armedMs = elapsedMs
    const asking = ledger.requests.askedAbout.get(event.id)
    if (asking !== undefined && event.choice === 'restart') ledger.watched(asking).isCondemned = true
    answered(ledger, event)
  },
  // Until then it could not go on.
  'request.answered'(ledger, { worker }, elapsedMs) {
    ledger.watched(worker).armedMs = elapsedMs
  },
  'worker.started'(ledger, { worker }, elapsedMs) {
    ledger.watched(worker).startedMs = elapsedMs
  },
  'worker.condemned'(ledger, { worker }) {
    ledger.watched(worker).isCondemned = true
  },
  'worker.told'(ledger, { worker, message }, elapsedMs) {
    const watched = ledger.watched(worker)
    watched.sent.set(message.about, elapsedMs)
    if (message.about !== 'nudge' && message.about !== 'restart') return
    watched.nudge = message.id
    watched.nudgedMs = null
  },
  'worker.heard'(ledger, { worker, messages }, elapsedMs) {
    const watched = ledger.watched(worker)
    if (watched.nudge !== null && messages.includes(watched.nudge)) watched.nudgedMs = elapsedMs
  },
  'integration.ran'(ledger, { layer, results }) {
    const isPassed = results.every(({ outcome }) => outcome === 'passed')
    ledger.layerPassed.set(layer, isPassed)
  },
  'release.gated'(ledger, { verdicts }) {
    ledger.releasePassed = verdicts.every(
      ({ outcome }) => outcome === 'passed' || outcome === 'not_applicable',
    )
  },
  'release.prepared'(ledger) {
    ledger.prepared++
  },
}

/** New work has to be reviewed and approved again; the same change on another base only proven. */
function collected(task: TaskRecord, event: EventOf<'work.collected'>): void {
  const change = event.patch === undefined ? null : `${event.worker} ${event.patch}`
  if (change === null || change !== task.change) {
    task.reviewed = false
    task.approvedByPerson = false
  }
  task.change = change
  task.isVast = (event.scan?.lines ?? 0) > 1000
  task.tree = event.tree
  task.onto = event.onto
  task.provenTree = null
}

function dispatched(ledger: Ledger, event: EventOf<'task.dispatched'>): void {
  const task = ledger.task(event.task)
  ledger.workers.add(event.worker)
  task.where = 'busy'
  task.attempt = event.attempt
  task.live = event.worker
  if (event.reason === 'retry') {
    for (const reason of ['fix', 'rework', 'restart']) task.used.delete(reason)
    task.interruptionsInARow = 0
  }
  task.used.set(event.reason, (task.used.get(event.reason) ?? 0) + 1)
  if (task.tier === 'low') ledger.sinceLow = 0
}

function ended(task: TaskRecord, event: EventOf<'worker.ended'>): void {
  if (task.live === event.worker) task.live = null
  if (event.worker.includes('-review-')) return
  task.lastEnd = event.end.kind
  task.isUncertain = event.report?.selfAssessment === 'uncertain'
  task.interruptionsInARow = event.end.kind === 'interrupted' ? task.interruptionsInARow + 1 : 0
}

function committed(ledger: Ledger, event: EventOf<'task.committed'>): void {
  const task = ledger.task(event.task)
  task.where = 'completed'
  task.commits++
  ledger.landedTree = event.tree
  if (task.tier !== 'low') ledger.sinceLow++
  const report = ledger.events.findLast(
    (past): past is EventOf<'worker.ended'> =>
      past.type === 'worker.ended' && past.task === event.task && !past.worker.includes('-review-'),
  )?.report
  const isGrave = report?.risks.some(({ severity }) => severity === 'critical') === true
  if (isGrave || (task.tier === 'critical' && (report?.risks.length ?? 0) > 0))
    ledger.openRisksOfCritical.add(event.task)
}

/** An item that is replaced by one about all tasks puts its task back into the queue. */
function withdrawn(ledger: Ledger, id: string): void {
  const item = ledger.items.get(id)
  ledger.items.delete(id)
  if (item?.subject !== 'task' || item.task === null) return
  const task = ledger.task(item.task)
  task.where = 'queued'
  task.used.set('restart', Math.min(task.used.get('restart') ?? 0, 1))
}

function answered(ledger: Ledger, event: EventOf<'inbox.answered'>): void {
  const item = ledger.items.get(event.id)
  ledger.items.delete(event.id)
  if (item === undefined) return
  if (item.subject === 'risk') ledger.openRisksOfCritical.clear()
  if (item.subject === 'nothing_built') nothingBuilt(ledger, event.choice)
  if (item.subject === 'release_gate' && event.choice === 'approve') ledger.releasePassed = true
  if (item.task === null) return
  const task = ledger.task(item.task)
  if (item.subject === 'plan_question') decidedPoints(ledger, item, event.choice)
  if (item.subject === 'rejection') {
    if (event.choice === 'drop') drop(ledger, task)
    else if (event.choice === 'split') split(ledger, task)
    else task.where = 'queued'
  }
  if (item.subject !== 'task') return
  if (event.choice === 'approve') {
    task.where = 'busy'
    task.approvedByPerson = item.kind === 'approval'
    if (item.kind === 'escalation') {
      task.overridden = true
      // Only the overridden gates are skipped: also those that an override of the same change covers here already.
      if (task.provenTree === task.tree) task.reviewed = true
      waive(task)
    }
  } else if (event.choice === 'continue' || event.choice === 'widen') task.where = 'busy'
  else if (event.choice === 'reject') task.where = 'failed'
  else if (event.choice === 'retry' || (task.used.get('revise') ?? 0) < 3) task.where = 'queued'
}

/** The item's words name what it is about. */
function decidedPoints(ledger: Ledger, { task, about, problem }: InboxItem, choice: string): void {
  if (choice === 'worker_all') {
    for (const { open } of ledger.tasks.values()) open.clear()
    return
  }
  const { open } = ledger.task(task ?? '')
  for (const words of open)
    if (about?.endsWith('#all') === true || problem.includes(words)) open.delete(words)
}

function nothingBuilt(ledger: Ledger, choice: string): void {
  if (choice === 'release') ledger.mayReleaseNothing = true
  if (choice !== 'build') return
  const isLeft = (id: string): boolean => ledger.tasks.get(id)?.where !== 'dropped'
  for (const task of ledger.tasks.values()) {
    if (task.where !== 'completed') continue
    task.where = 'queued'
    task.spec = { ...task.spec, dependsOn: task.spec.dependsOn.filter(isLeft) }
  }
}

function gated(task: TaskRecord, event: EventOf<'task.gated'>): void {
  const bad = event.verdicts.filter(({ outcome }) => outcome === 'failed' || outcome === 'inconclusive')
  const isWhole = event.scope === 'all'
  task.gated = { tree: event.tree, isWhole, bad: new Map(bad.map(({ gate, outcome }) => [gate, outcome])) }
  settleProof(task)
}

/** The failures, else the inconclusive gates: those the person was asked about. */
function waive(task: TaskRecord): void {
  const { gated: last } = task
  if (last === null) return
  const kind = [...last.bad.values()].includes('failed') ? 'failed' : 'inconclusive'
  for (const [gate, outcome] of last.bad)
    if (outcome === kind) task.waived.add(`${last.tree} ${gate}`).add(`${task.change} ${gate}`)
  settleProof(task)
}

function settleProof(task: TaskRecord): void {
  const { gated: last, waived } = task
  if (last === null || !last.isWhole) return
  const isWaived = (gate: string): boolean =>
    waived.has(`${last.tree} ${gate}`) || waived.has(`${task.change} ${gate}`)
  if ([...last.bad.keys()].every(isWaived)) task.provenTree = last.tree
}

function split(ledger: Ledger, task: TaskRecord): void {
  const parts = ledger.parts.get(task.spec.id) ?? []
  const last = parts.at(-1)?.id ?? ''
  task.where = 'dropped'
  // What was decided about the whole holds for its parts.
  for (const part of parts) {
    ledger.add(part)
    ledger.task(part.id).open.clear()
  }
  for (const other of ledger.tasks.values()) {
    const dependsOn = other.spec.dependsOn.map((id) => (id === task.spec.id ? last : id))
    other.spec = { ...other.spec, dependsOn }
  }
}

function drop(ledger: Ledger, task: TaskRecord): void {
  task.where = 'dropped'
  for (const other of ledger.tasks.values()) {
    const isBehind = other.spec.dependsOn.includes(task.spec.id)
    if (isBehind && other.where !== 'dropped' && other.where !== 'completed') drop(ledger, other)
  }
}
