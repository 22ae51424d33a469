/** Workers that have a folder in the state root and belong to no plan of the log: the log has lost them. */
import { refusal } from '../../lib/refusal.ts'
import type { EventReader } from '../../ports/event-log.ts'
import type { FoundWorker } from '../../ports/agent.ts'
import { allStreams, streamOf } from '../host/stream-name.ts'
import { counted } from '../../lib/text/counted.ts'

const NAMED = 5

/** The log comes first: a plan is in it before its first worker has a folder, and no plan ever leaves it. */
export async function unknownWorkers(
  log: Pick<EventReader, 'streams'>,
  found: Iterable<FoundWorker>,
): Promise<readonly FoundWorker[]> {
  const known = new Set((await allStreams(log)).map(({ stream }) => stream))
  return [...found].filter(({ repository, plan }) => !known.has(streamOf(repository, plan)))
}

/** Refuses to serve while there are such workers: what they do would be lost, and no command would show them. */
export function refuseUnknownWorkers(
  unknown: readonly FoundWorker[],
  root: string,
  pidOf: (worker: FoundWorker) => number | null,
): void {
  if (unknown.length === 0) return
  const plans = new Set(unknown.map(({ repository, plan }) => streamOf(repository, plan)))
  const seen = unknown.map((one) => ({ worker: one.worker, pid: pidOf(one) }))
  const running = seen.filter(({ pid }) => pid !== null)
  const named = [...running, ...seen.filter(({ pid }) => pid === null)]
    .slice(0, NAMED)
    .map(({ worker, pid }) => (pid === null ? worker : `${worker} (still running, process ${pid})`))
  const more = unknown.length > NAMED ? ` and ${unknown.length - NAMED} more` : ''
  throw refusal(
    'failed',
    `the database in ${root} does not know ${counted(plans.size, 'plan')} that worked here: ` +
      `${[...plans].slice(0, NAMED).join(', ')}. It was emptied or replaced. ` +
      `Found ${counted(unknown.length, 'worker')}: ${named.join(', ')}${more}; ${running.length} still running`,
    `Restore ${root}/bosun.db from a backup (or bosun.db.rescued-… beside it), or bosun import an export. ` +
      'To continue without these plans: bosun clean --unknown-workers stops the workers and keeps what they wrote.',
  )
}

/** `folder`: where its folder is now. */
export type PutAside = Pick<FoundWorker, 'worker' | 'repository' | 'plan'> & { readonly folder: string }

export interface PutAsideParts {
  readonly unknown: readonly FoundWorker[]
  readonly end: (worker: FoundWorker) => Promise<void>
  /** Saves the work trees of workers of one repository. */
  readonly save: (repository: string, workers: ReadonlySet<string>) => Promise<void>
  readonly putAside: (worker: FoundWorker) => string
}

/** Ends them, saves their work, and moves their folders out of the way. Asked again, it does what is left to do. */
export async function putUnknownAside({
  unknown,
  end,
  save,
  putAside,
}: PutAsideParts): Promise<readonly PutAside[]> {
  await Promise.all(unknown.map(end))
  for (const [repository, workers] of Map.groupBy(unknown, (one) => one.repository))
    await save(repository, new Set(workers.map(({ worker }) => worker)))
  return unknown.map((one) => {
    const { worker, repository, plan } = one
    return { worker, repository, plan, folder: putAside(one) }
  })
}
