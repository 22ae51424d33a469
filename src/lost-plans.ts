/** A database that does not know who works here was emptied or replaced: it is not used as if nothing had been. */
import type { EventReader } from './ports/event-log.ts'

export async function refuseLostPlans(log: Pick<EventReader, 'streams'>, root: string): Promise<void> {
  const [{ livingPid, workerFolders }, { refuseUnknownWorkers, unknownWorkers }] = await Promise.all([
    import('./agents/worker-folders.ts'),
    import('./app/unknown-workers.ts'),
  ])
  const unknown = await unknownWorkers(log, workerFolders(root))
  refuseUnknownWorkers(unknown, root, (worker) => livingPid(root, worker))
}
