/** What a worker has changed: so far, or in all where it has ended. */
import { workerRefusal, findWorker, type WorkerName } from './workers.ts'
import type { DiffAnswer } from '../../protocol/diff-answer.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import { shown } from '../plans/task-diff.ts'

const MOST_BYTES = 2 * 1024 * 1024

export async function workerDiff(host: HostToRead, name: WorkerName): Promise<DiffAnswer> {
  const found = await findWorker(host, name)
  const isAdopted = host.adopted.rows().some(({ id }) => id === name.id)
  if (found === null && !isAdopted) throw workerRefusal('not_found', `no worker ${name.id}`)
  const diffs = found === null ? null : await host.parts.diffsOf?.(found.plan.home.repository)
  if (found === null || diffs === null || diffs === undefined) return { ...shown('nothing', null), notes: [] }
  // A reviewer begins with the work that it judges, which is not its own.
  const isReviewer = found.own.some(({ event }) => event.type === 'review.dispatched')
  const base = isReviewer ? 'draft' : 'commit'
  return { ...shown('so_far', await diffs.ofWorker({ worker: name.id, base }, MOST_BYTES)), notes: [] }
}
