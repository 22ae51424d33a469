/** Keeps the ledger: what each event means to a bystander. */
import type { EventOf, PlanEvent } from '../../core/events/plan-events.ts'
import type { Ledger, TaskRecord } from './ledger.ts'
import { recordProviders, type Moment } from './provider-rules.ts'
import { recordRequest } from './request-records.ts'

export function record(ledger: Ledger, event: PlanEvent, now: Moment): void {
  const { elapsedMs } = now
  ledger.events.push(event)
  recordRequest(ledger.requests, event, elapsedMs)
  recordProviders(ledger, event, now)
  switch (event.type) {
    case 'plan.baselined':
      ledger.baselined = true
      for (const { task, status } of event.audits) {
        if (status === 'EXISTS') ledger.task(task).where = 'completed'
      }
      return
    case 'plan.paused':
      ledger.paused = true
      return
    case 'plan.resumed':
      ledger.paused = false
      return
    case 'plan.cancelled':
      ledger.cancelled = true
      return
    case 'plan.extended': {
      for (const spec of event.tasks) ledger.add(spec)
      const key = `${event.because} ${event.about}`
      ledger.rounds.set(key, (ledger.rounds.get(key) ?? 0) + 1)
      return
    }
    case 'task.tier_raised':
      ledger.task(event.task).tier = event.tier
      return
    case 'task.dispatched':
      dispatched(ledger, event)
      return
    case 'review.dispatched':
      ledger.task(event.task).live = event.worker
      ledger.workers.add(event.worker)
      return
    case 'worker.ended':
      ended(ledger.task(event.task), event)
      return
    case 'work.collected':
      collected(ledger.task(event.task), event)
      return
    case 'task.gated':
      gated(ledger.task(event.task), event)
      return
    case 'task.reviewed':
      ledger.task(event.task).reviewed = event.verdict === 'approved'
      return
    case 'task.committed':
      committed(ledger, event)
      return
    case 'inbox.opened':
      ledger.items.set(event.item.id, event.item)
      if (event.item.subject === 'worker') ledger.watched(event.item.about ?? '').alertedMs = elapsedMs
      if (event.item.subject === 'task' && event.item.task !== null) {
        ledger.task(event.item.task).where = event.item.kind === 'approval' ? 'with_person' : 'escalated'
      }
      return
    case 'inbox.withdrawn':
      withdrawn(ledger, event.id)
      return
    case 'inbox.answered': {
      const item = ledger.items.get(event.id)
      if (item?.subject === 'worker') ledger.watched(item.about ?? '').armedMs = elapsedMs
      const asking = ledger.requests.askedAbout.get(event.id)
      if (asking !== undefined && event.choice === 'restart') ledger.watched(asking).isCondemned = true
      answered(ledger, event)
      return
    }
    case 'request.answered':
      // Until then it could not go on.
      ledger.watched(event.worker).armedMs = elapsedMs
      return
    case 'worker.started':
      ledger.watched(event.worker).startedMs = elapsedMs
      return
    case 'worker.condemned':
      ledger.watched(event.worker).isCondemned = true
      return
    case 'worker.told':
      ledger.watched(event.worker).told.set(event.message.about, elapsedMs)
      return
    case 'integration.ran':
      ledger.layerPassed.set(
        event.layer,
        event.results.every((result) => result.outcome === 'passed'),
      )
      return
    case 'release.gated':
      ledger.releasePassed = event.verdicts.every(
        ({ outcome }) => outcome === 'passed' || outcome === 'not_applicable',
      )
      return
    case 'task.replanned':
      ledger.parts.set(event.task, event.parts ?? [])
      return
    case 'release.prepared':
      ledger.prepared++
      return
    case 'plan.registered':
    case 'plan.documented':
    case 'task.commit_refused':
    case 'task.proof_outdated':
    case 'provider.limited':
    case 'provider.freed':
    case 'worker.judged':
    case 'worker.heard':
    case 'worker.extended':
    case 'checkin.missed':
    case 'watch.would':
    case 'request.received':
    case 'word.ignored':
    case 'inbox.presented':
    case 'risk.settled':
    case 'release.signed':
    case 'progress.reported':
    case 'effect.failed':
    case 'integration.diagnosed':
    case 'worker.used':
    case 'plan.edited':
    case 'pm.started':
    case 'clock.jumped':
  }
}

/** Other work has to be reviewed and approved anew; the same change on other ground only to be proven. */
function collected(task: TaskRecord, event: EventOf<'work.collected'>): void {
  const change = event.patch === undefined ? null : `${event.worker} ${event.patch}`
  if (change === null || change !== task.change) {
    task.reviewed = false
    task.approvedByPerson = false
  }
  task.change = change
  task.tree = event.tree
  task.onto = event.onto ?? null
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

/** A question about one task that gave way to one about all puts its task back. */
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
      // What was waved through is not asked of it again, and nothing else goes with it.
      if (task.provenTree === task.tree) task.reviewed = true
      else waive(task)
    }
  } else if (event.choice === 'continue' || event.choice === 'widen') task.where = 'busy'
  else if (event.choice === 'reject') task.where = 'failed'
  else if (event.choice === 'retry' || (task.used.get('revise') ?? 0) < 3) task.where = 'queued'
}

function nothingBuilt(ledger: Ledger, choice: string): void {
  if (choice === 'release') ledger.mayReleaseNothing = true
  if (choice !== 'build') return
  for (const task of ledger.tasks.values()) if (task.where === 'completed') task.where = 'queued'
}

function gated(task: TaskRecord, event: EventOf<'task.gated'>): void {
  const bad = event.verdicts.filter(({ outcome }) => outcome === 'failed' || outcome === 'inconclusive')
  const isWhole = event.scope === 'all'
  task.gated = { tree: event.tree, isWhole, bad: new Map(bad.map(({ gate, outcome }) => [gate, outcome])) }
  settleProof(task)
}

/** The failures where there are any, else what could not be checked: that is what the person was asked about. */
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
  for (const part of parts) ledger.add(part)
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
