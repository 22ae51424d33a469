/** Each worker's file, under `active/` while it works and under `completed/` or `failed/` by how it ended. */
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

const STATUSES = ['active', 'completed', 'failed'] as const
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
  /** Those that ended well and turned out to have changed nothing; their files may be under `completed/` by then. */
  readonly #idle = new Set<string>()

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
    const folders = STATUSES.map((status) => join(this.#folder, status))
    requireFolders([this.#folder, ...folders], 'worker files are not written')
    const live = new Set<string>()
    const there = new Set(readdirSync(join(this.#folder, 'active')))
    for (const worker of workersIn(this.#host, this.#repository)) {
      live.add(worker.id)
      this.#writeActive(worker, there)
    }
    const past = [...there].filter((name) => NAME.test(name)).map((name) => name.replace(/\.json$/, ''))
    for (const worker of new Set([...past, ...this.#active.keys()]))
      if (!live.has(worker)) await this.#file(worker)
    for (const worker of this.#idle) if (!live.has(worker)) this.#fileAsIdle(worker)
  }

  async tidy(before: Instant): Promise<void> {
    for (const status of ['completed', 'failed']) await removeOlder(join(this.#folder, status), before)
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

  async #file(worker: string): Promise<void> {
    const active = join(this.#folder, 'active')
    const spec = this.#active.get(worker) ?? specIn(readSpoolFile(active, `${worker}.json`), worker)
    const end = this.#ended.get(worker) ?? (spec === null ? null : await this.#findEnd(spec))
    if (spec !== null) {
      const status = end !== null && isGood(end.end) ? 'completed' : 'failed'
      const ended =
        end === null ? {} : { ended_at: new Date(end.at).toISOString(), reason: reasonOf(end.end) }
      writeDocument(join(this.#folder, status, `${worker}.json`), { ...spec, status, ...ended })
    }
    rmSync(join(active, `${worker}.json`), { force: true, recursive: true })
    this.#active.delete(worker)
    this.#ended.delete(worker)
  }

  #isNothingDone({ task, worker }: EventOf<'work.collected'>): boolean {
    return plansIn(this.#host, this.#repository).some(({ state }) => {
      const { cause, draft } = state.tasks.get(task) ?? {}
      return cause?.kind === 'nothing_done' && draft?.worker === worker
    })
  }

  #fileAsIdle(worker: string): void {
    const completed = join(this.#folder, 'completed')
    const spec = specIn(readSpoolFile(completed, `${worker}.json`), worker)
    this.#idle.delete(worker)
    if (spec === null) return
    const failed: WorkerSpec = { ...spec, status: 'failed', reason: 'it changed nothing' }
    writeDocument(join(this.#folder, 'failed', `${worker}.json`), failed)
    rmSync(join(completed, `${worker}.json`), { force: true })
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
