/**
 * Each worker's file: under `active/` while it works or its work waits for the gates, under `completed/` once they have
 * proven it, under `failed/` where they refused it or it was lost.
 */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { WorkerEnd } from '../../core/event-schemas/schemas.ts'
import { workerSpecSchema, type WorkerSpec } from '../../core/watch/checkins/coordination-files.ts'
import type { EndedWorker } from '../../core/watch/metrics.ts'
import type { Host } from '../host/host.ts'
import { readFile, requireFolders, writeDocument } from './drop-folder.ts'
import { plansIn } from '../workers/live-workers.ts'
import { workerRows, type PlanWorkerRow } from '../workers/worker-rows.ts'
import { iso } from '../../lib/text/format-time.ts'

const STATUSES = ['active', 'completed', 'failed'] as const
type Status = (typeof STATUSES)[number]
const NAME = /^([a-z0-9-]{1,200})\.json$/

interface Place {
  readonly host: Host
  readonly repository: string
  readonly folder: string
}

/** Brings the files up to date. Those that are there already say as what they are filed. */
export async function mirrorSpecs(place: Place): Promise<void> {
  const { host, repository, folder } = place
  const folders = STATUSES.map((status) => join(folder, status))
  requireFolders([folder, ...folders], 'worker files are not written')
  const rows = rowsIn(place)
  for (const row of rows) mirrorActive(folder, row)
  const live = new Set(rows.map(({ id }) => id))
  const ended = new Map((await host.metrics.ended(repository)).map((one) => [one.worker, one]))
  for (const worker of filedUnder(folder, 'active')) {
    if (!live.has(worker)) file(place, { worker, from: 'active', ended: ended.get(worker) ?? null })
  }
  // A proof on top of other work that left is made again.
  for (const from of ['completed', 'failed'] as const) {
    for (const worker of filedUnder(folder, from)) {
      const one = ended.get(worker) ?? null
      const isJudged = one !== null && one.health !== null && one.health !== from
      if (isJudged && !live.has(worker)) file(place, { worker, from, ended: one })
    }
  }
}

/** Also of a worker that lives only for a moment. */
export function mirrorStart(place: Place, id: string): void {
  requireFolders([place.folder, join(place.folder, 'active')], 'worker files are not written')
  for (const row of rowsIn(place)) if (row.id === id) mirrorActive(place.folder, row)
}

function mirrorActive(folder: string, row: PlanWorkerRow): void {
  const spec: WorkerSpec = {
    worker_id: row.id,
    plan_id: row.plan,
    task_id: row.task,
    title: row.task_title ?? row.task,
    role: row.role,
    attempt: row.attempt,
    status: 'active',
    started_at: row.since,
    time_limit_at: row.time_limit_at,
  }
  writeDocument(join(folder, 'active', `${row.id}.json`), spec)
}

const rowsIn = ({ host, repository }: Place): readonly PlanWorkerRow[] =>
  plansIn(host, repository).flatMap((plan) => workerRows(plan, host.parts.clock.now()))

interface Filed {
  readonly worker: string
  readonly from: Status
  /** Null for a worker that ended days ago. */
  readonly ended: EndedWorker | null
}

/** Moves a worker's file to where it belongs. Files of others are removed from `active`, and else left alone. */
function file(place: Place, { worker, from, ended }: Filed): void {
  const path = (status: Status): string => join(place.folder, status, `${worker}.json`)
  const read = readFile(join(place.folder, from), `${worker}.json`)
  const { data: spec } = workerSpecSchema.safeParse(read.kind === 'read' ? read.value : null)
  if (spec?.worker_id === worker) {
    const outcome = outcomeOf(place, spec, ended)
    if (outcome === null) return
    const ended_at = ended === null ? {} : { ended_at: iso(ended.endedAt) }
    writeDocument(path(outcome.status), { ...spec, ...ended_at, ...outcome })
    if (outcome.status === from) return
  } else if (from !== 'active') return
  rmSync(path(from), { force: true, recursive: true })
}

/** Null while its work waits for its proof. */
function outcomeOf(
  place: Place,
  spec: WorkerSpec,
  ended: EndedWorker | null,
): Pick<WorkerSpec, 'status' | 'reason'> | null {
  if (ended === null) return { status: 'failed' }
  const { end, health, isIdle } = ended
  const isDelivered = end.kind === 'done' || (end.kind === 'stopped' && end.cause === 'finished')
  if (!isDelivered) return { status: 'failed', reason: reasonOf(end) }
  if (health === 'completed') return { status: 'completed', reason: reasonOf(end) }
  if (health === 'failed')
    return { status: 'failed', reason: isIdle ? 'it changed nothing' : 'its work failed the gates' }
  if (isAwaited(place, spec)) return null
  // What was never judged: a review is done when it is there, work is not.
  return spec.role === 'reviewer'
    ? { status: 'completed', reason: reasonOf(end) }
    : { status: 'failed', reason: 'its work was never judged' }
}

/** Its work is still to be judged. */
function isAwaited({ host, repository }: Place, { plan_id, task_id, worker_id }: WorkerSpec): boolean {
  const state = plansIn(host, repository).find(({ id }) => id === plan_id)?.state
  return state?.cancelled === null && state.tasks.get(task_id)?.draft?.worker === worker_id
}

const filedUnder = (folder: string, status: Status): readonly string[] =>
  readdirSync(join(folder, status)).flatMap((name) => NAME.exec(name)?.[1] ?? [])

function reasonOf(end: WorkerEnd): string {
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
