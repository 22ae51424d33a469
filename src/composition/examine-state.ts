/** Examines the state root for doctor: whether it is usable, which process holds it, and problems of the database. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { damagedWorkers } from '../agents/worker-folders.ts'
import { isDamage } from '../app/activity/past-damage.ts'
import { explainError } from '../cli/explain-error.ts'
import { logCodec } from '../core/log/log-events.ts'
import { fullDisk } from '../lib/files/system-error.ts'
import type { EventReader } from '../ports/event-log.ts'
import type { FoundProblem, StateRootFinding, TokenFinding } from '../ports/machine.ts'
import { tokenState } from '../server/token.ts'
import { examineDatabase } from '../store/sqlite/examine-database.ts'
import { acquireLock } from '../store/sqlite/lock.ts'
import { createStateRoot } from '../store/state-root.ts'
import { refuseLostPlans } from './lost-plans.ts'

const PAGE = 1000
const MOST_PROBLEMS = 5

/** Takes the lock briefly to find out whether another process holds it. */
export async function examineStateRoot(path: string): Promise<StateRootFinding> {
  try {
    const root = await createStateRoot(path)
    const locked = await acquireLock(root)
    try {
      const database = [...diskProblems(root), ...(await databaseProblems(root, locked.ok))]
      const lock = locked.ok ? ({ kind: 'free' } as const) : ({ kind: 'held', pid: locked.pid } as const)
      const token = await tokenIn(root)
      return { kind: 'usable', path: root, lock, token, database, workers: await damagedFiles(root) }
    } finally {
      if (locked.ok) await locked.lock.release(locked.lock.before)
    }
  } catch (error) {
    const { message, remedy } = explainError(error)
    return { kind: 'unusable', path, why: message, remedy }
  }
}

/** A state root without a database was never used. */
async function tokenIn(root: string): Promise<TokenFinding> {
  const state = await tokenState(root)
  const isNew = state === 'missing' && !existsSync(join(root, 'bosun.db'))
  return { path: join(root, 'token'), state: isNew ? 'none' : state }
}

function diskProblems(root: string): readonly FoundProblem[] {
  const message = fullDisk([root])
  return message === null ? [] : [{ message, remedy: 'Or set BOSUN_HOME to a folder on another disk.' }]
}

const databaseProblems = (root: string, isLocked: boolean): Promise<readonly FoundProblem[]> =>
  orProblem(async () => {
    const found = await examineDatabase({ root, codec: logCodec, isLocked }, async (log) => [
      ...(await brokenPlans(log)),
      ...(await lostPlans(log, root)),
    ])
    return found ?? (await lostPlans({ streams: async () => [] }, root))
  })

async function orProblem(examine: () => Promise<readonly FoundProblem[]>): Promise<readonly FoundProblem[]> {
  try {
    return await examine()
  } catch (error) {
    const { message, remedy } = explainError(error)
    return [{ message, remedy }]
  }
}

/** Of workers; each of them fails alone. */
async function damagedFiles(root: string): Promise<readonly FoundProblem[]> {
  const found = [...damagedWorkers(root)]
  return found.slice(0, MOST_PROBLEMS).map(({ worker, path, why, isOver }) => ({
    message: `${worker}: ${why}`,
    remedy: isOver
      ? `Its task went on without it. Find out what writes to ${path}, or whether the disk is failing.`
      : 'It fails when a daemon takes it up, and its task goes on without it: bosun resume',
  }))
}

/** Open plans with an unreadable event; a damaged plan that was ended affects no command. */
async function brokenPlans(log: EventReader): Promise<readonly FoundProblem[]> {
  const found: FoundProblem[] = []
  for (const { stream } of await log.streams({ open: true })) {
    if (found.length === MOST_PROBLEMS) break
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

/** What a daemon would refuse to start for. */
const lostPlans = (log: Pick<EventReader, 'streams'>, root: string): Promise<readonly FoundProblem[]> =>
  orProblem(async () => {
    await refuseLostPlans(log, root)
    return []
  })
