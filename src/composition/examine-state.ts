/** What doctor finds out about the state root: whether it can be used, who is at work, and what is wrong with the database. */
import { explainError } from '../cli/explain-error.ts'
import { fullDisk } from '../lib/files/full-disk.ts'
import type { EventReader } from '../ports/event-log.ts'
import type { FoundProblem, StateRootFinding } from '../ports/machine.ts'

const PAGE = 1000
const TOLD = 5

/** Takes the lock for a moment, since only that tells whether another process holds it. */
export async function examineStateRoot(path: string): Promise<StateRootFinding> {
  const [{ createStateRoot }, { acquireLock }] = await Promise.all([
    import('../store/state-root.ts'),
    import('../store/sqlite/lock.ts'),
  ])
  try {
    const root = await createStateRoot(path)
    const locked = await acquireLock(root)
    try {
      const database = [...roomProblems(root), ...(await databaseProblems(root, locked.ok))]
      const lock = locked.ok ? ({ kind: 'free' } as const) : ({ kind: 'held', pid: locked.pid } as const)
      return { kind: 'usable', path: root, lock, database }
    } finally {
      if (locked.ok) await locked.lock.release(locked.lock.before)
    }
  } catch (error) {
    const { message, remedy } = explainError(error)
    return { kind: 'unusable', path, why: message, remedy }
  }
}

/** Where there is no room, nothing can be recorded. */
function roomProblems(root: string): readonly FoundProblem[] {
  const message = fullDisk([root])
  return message === null ? [] : [{ message, remedy: 'Or set BOSUN_HOME to a folder on another disk.' }]
}

async function databaseProblems(root: string, isLocked: boolean): Promise<readonly FoundProblem[]> {
  const [{ examineDatabase }, { eventCodec }] = await Promise.all([
    import('../store/sqlite/examine-database.ts'),
    import('../core/events/codec.ts'),
  ])
  try {
    const found = await examineDatabase({ root, codec: eventCodec, isLocked }, async (log) => [
      ...(await brokenPlans(log)),
      ...(await lostPlans(log, root)),
    ])
    return found ?? (await lostPlans({ streams: async () => [] }, root))
  } catch (error) {
    const { message, remedy } = explainError(error)
    return [{ message, remedy }]
  }
}

/** Plans that are open and have an event that cannot be read; one that was ended for it troubles no command. */
async function brokenPlans(log: EventReader): Promise<readonly FoundProblem[]> {
  const { isDamage } = await import('../app/activity/past-damage.ts')
  const found: FoundProblem[] = []
  for (const { stream } of await log.streams({ open: true })) {
    if (found.length === TOLD) break
    try {
      for (let version = 0, length = PAGE; length === PAGE; version += length)
        ({ length } = await log.read(stream, version, PAGE))
    } catch (error) {
      if (!isDamage(error)) throw error
      const plan = stream.slice(stream.lastIndexOf('/') + 1)
      const remedy = `Save what can be read (bosun export FILE), then end it: bosun cancel --damaged ${plan}`
      found.push({ message: `plan ${plan} is damaged: ${error.message}`, remedy })
    }
  }
  return found
}

/** What a start of the daemon would be refused for. */
async function lostPlans(log: Pick<EventReader, 'streams'>, root: string): Promise<readonly FoundProblem[]> {
  const [{ livingPid, workerFolders }, { refuseUnknownWorkers, unknownWorkers }] = await Promise.all([
    import('../agents/worker-folders.ts'),
    import('../app/workers/unknown-workers.ts'),
  ])
  try {
    const unknown = await unknownWorkers(log, workerFolders(root))
    refuseUnknownWorkers(unknown, root, (worker) => livingPid(root, worker))
    return []
  } catch (error) {
    const { message, remedy } = explainError(error)
    return [{ message, remedy }]
  }
}
