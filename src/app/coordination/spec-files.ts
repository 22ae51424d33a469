/**
 * Each worker's file: under `active/` while it works or its work waits for the gates, under `completed/` once they have
 * proven it, under `failed/` where they refused it or it was lost.
 */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { EventOf, PlanEvent } from '../../core/events/plan-events.ts'
import type { Instant } from '../../core/state/state.ts'
import { workerSpecSchema, type WorkerSpec } from '../../core/watch/checkins/coordination-files.ts'
import { limitAt } from '../../core/watch/health.ts'
import { readOn } from '../../engine/plan-log.ts'
import type { Entry } from '../../ports/event-log.ts'
import { readSpoolFile, removeOlder, requireFolders } from '../checkins/spool-folder.ts'
import type { Host } from '../host/host.ts'
import { writeDocument } from './drop-folder.ts'
import { plansIn, workersIn, type WorkerAt } from './worker-at.ts'

const OUTCOMES = ['completed', 'failed'] as const
type Outcome = (typeof OUTCOMES)[number]
const NAME = /^[a-z0-9-]{1,200}\.json$/

interface End {
  readonly at: Instant
  readonly end: EventOf<'worker.ended'>['end']
}

export class SpecFiles {
  readonly #host: Host
  readonly #repository: string
  readonly #folder: string
  /** As they were last seen at work. */
  readonly #active = new Map<string, WorkerSpec>()
  /** Those that ended since they were last looked at. */
  readonly #ended = new Map<string, End>()
  /** Those that ended well and turned out to have changed nothing. */
  readonly #idle = new Set<string>()
  /** Under which folder the others are; null before that was read. */
  #filed: Map<string, Outcome> | null = null

  constructor(host: Host, repository: string, folder: string) {
    this.#host = host
    this.#repository = repository
    this.#folder = folder
  }

  /** Takes in events. */
  take({ at, event }: Entry<PlanEvent>): void {
    if (event.type === 'worker.started') this.#noteStart(event.worker)
    if (event.type === 'worker.ended') this.#ended.set(event.worker, { at, end: event.end })
    if (event.type === 'work.collected' && this.#isNothingDone(event)) this.#idle.add(event.worker)
  }

  async sweep(): Promise<void> {
    const folders = ['active', ...OUTCOMES].map((status) => join(this.#folder, status))
    requireFolders([this.#folder, ...folders], 'worker files are not written')
    this.#filed ??= this.#readFiled()
    const { ended } = await this.#host.metrics.now(this.#repository)
    const proven = new Map(ended.map(({ worker, health }) => [worker, health]))
    const live = new Set<string>()
    const there = new Set(readdirSync(join(this.#folder, 'active')))
    for (const worker of workersIn(this.#host, this.#repository)) {
      live.add(worker.id)
      this.#writeActive(worker, there)
    }
    const past = [...there].filter((name) => NAME.test(name)).map((name) => name.replace(/\.json$/, ''))
    for (const worker of new Set([...past, ...this.#active.keys()]))
      if (!live.has(worker)) await this.#file(worker, proven.get(worker) ?? null)
    // A proof on top of other work that left is made again.
    for (const [worker, outcome] of proven)
      if ((this.#filed.get(worker) ?? outcome) !== outcome) this.#refile(worker, outcome)
  }

  #readFiled(): Map<string, Outcome> {
    const filed = new Map<string, Outcome>()
    for (const outcome of OUTCOMES)
      for (const name of readdirSync(join(this.#folder, outcome)))
        if (NAME.test(name)) filed.set(name.replace(/\.json$/, ''), outcome)
    return filed
  }

  async tidy(before: Instant): Promise<void> {
    for (const outcome of OUTCOMES) await removeOlder(join(this.#folder, outcome), before)
    this.#filed = null
  }

  /** Notes even workers that live only for a moment. */
  #noteStart(worker: string): void {
    for (const one of workersIn(this.#host, this.#repository))
      if (one.id === worker) this.#active.set(worker, specOf(one))
  }

  #writeActive(worker: WorkerAt, there: ReadonlySet<string>): void {
    const spec = specOf(worker)
    const before = this.#active.get(worker.id)
    this.#active.set(worker.id, spec)
    if (there.has(`${worker.id}.json`) && JSON.stringify(before) === JSON.stringify(spec)) return
    writeDocument(join(this.#folder, 'active', `${worker.id}.json`), spec)
  }

  async #file(worker: string, proven: Outcome | null): Promise<void> {
    const active = join(this.#folder, 'active')
    const spec = this.#active.get(worker) ?? specIn(readSpoolFile(active, `${worker}.json`), worker)
    const end = this.#ended.get(worker) ?? (spec === null ? null : await this.#findEnd(spec))
    if (spec !== null) {
      const isDelivered = end !== null && isGood(end.end)
      if (isDelivered && proven === null && this.#isAwaited(spec)) return
      const status = isDelivered ? (proven ?? unproven(spec)) : 'failed'
      const reason = isDelivered && status === 'failed' ? this.#refusal(worker, proven) : null
      this.#write({ ...spec, status, ...(end === null ? {} : endFields(end, reason)) })
    }
    rmSync(join(active, `${worker}.json`), { force: true, recursive: true })
    this.#active.delete(worker)
    this.#ended.delete(worker)
  }

  /** The gates changed their verdict. */
  #refile(worker: string, outcome: Outcome): void {
    const other = join(this.#folder, outcome === 'failed' ? 'completed' : 'failed')
    const spec = specIn(readSpoolFile(other, `${worker}.json`), worker)
    this.#filed?.delete(worker)
    if (spec === null) return
    const reason = outcome === 'completed' ? 'done' : this.#refusal(worker, outcome)
    this.#write({ ...spec, status: outcome, reason })
    rmSync(join(other, `${worker}.json`), { force: true })
  }

  #write(spec: WorkerSpec & { readonly status: Outcome }): void {
    writeDocument(join(this.#folder, spec.status, `${spec.worker_id}.json`), spec)
    this.#filed?.set(spec.worker_id, spec.status)
  }

  /** Its work is still to be judged. */
  #isAwaited({ plan_id, task_id, worker_id }: WorkerSpec): boolean {
    const plan = plansIn(this.#host, this.#repository).find(({ id }) => id === plan_id)
    const task = plan?.state.tasks.get(task_id)
    return plan?.state.cancelled === null && task?.draft?.worker === worker_id
  }

  #refusal(worker: string, proven: Outcome | null): string {
    if (this.#idle.delete(worker)) return 'it changed nothing'
    return proven === null ? 'its work was never judged' : 'its work failed the gates'
  }

  #isNothingDone({ task, worker }: EventOf<'work.collected'>): boolean {
    return plansIn(this.#host, this.#repository).some(({ state }) => {
      const { cause, draft } = state.tasks.get(task) ?? {}
      return cause?.kind === 'nothing_done' && draft?.worker === worker
    })
  }

  /** A worker that ended while no daemon ran. */
  async #findEnd({ plan_id, worker_id }: WorkerSpec): Promise<End | null> {
    const plan = plansIn(this.#host, this.#repository).find(({ id }) => id === plan_id)
    if (plan === undefined) return null
    for (const { at, event } of (await readOn(this.#host.parts.log, plan.home.stream, 0)).toReversed())
      if (event.type === 'worker.ended' && event.worker === worker_id) return { at, end: event.end }
    return null
  }
}

function specOf({ id, plan, task, live }: WorkerAt): WorkerSpec {
  const limit = limitAt(task, live, plan.observed)
  return {
    worker_id: id,
    plan_id: plan.id,
    task_id: task.spec.id,
    title: task.spec.title,
    role: live.role,
    attempt: live.attempt,
    status: 'active',
    started_at: new Date(live.since).toISOString(),
    time_limit_at: live.step === 'launching' ? null : new Date(limit).toISOString(),
  }
}

/** A file written by an earlier daemon; files of others are ignored. */
function specIn(file: ReturnType<typeof readSpoolFile>, worker: string): WorkerSpec | null {
  const { data } = workerSpecSchema.safeParse(file.kind === 'read' ? file.value : null)
  return data?.worker_id === worker ? data : null
}

/** It ended by itself; the gates judge its work. */
const isGood = (end: End['end']): boolean =>
  end.kind === 'done' || (end.kind === 'stopped' && end.cause === 'finished')

/** What was never judged: a review is done when it is there, work is not. */
const unproven = ({ role }: WorkerSpec): Outcome => (role === 'reviewer' ? 'completed' : 'failed')

const endFields = ({ at, end }: End, refusal: string | null) => ({
  ended_at: new Date(at).toISOString(),
  reason: refusal ?? reasonOf(end),
})

function reasonOf(end: End['end']): string {
  switch (end.kind) {
    case 'done':
      return 'done'
    case 'stopped':
      return end.cause
    case 'limited':
      return "its provider's limit"
    case 'blocked':
    case 'failed':
    case 'interrupted':
      return `${end.kind}: ${end.reason}`
  }
}
