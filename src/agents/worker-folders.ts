/** The folders of workers as they lie in the state root, without anything that the log knows. */
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isAlive } from '../lib/process/identity.ts'
import { endTree } from '../lib/process/process-tree.ts'
import type { FoundWorker, LivingWorker } from '../ports/worker-folders.ts'
import { giveCommand } from './worker-files/worker-commands.ts'
import { workerFolder } from './worker-folder.ts'
import { orNull, ownerIn, readIdentity } from './worker-records.ts'

/** The folders of all workers of a state root. */
export function* workerNames(root: string): Generator<Omit<FoundWorker, 'plan'>> {
  for (const repository of namesIn(join(root, 'repos')))
    for (const worker of namesIn(join(root, 'repos', repository, 'workers'))) yield { repository, worker }
}

/** Every worker of a state root with a known plan. A worker without a job file never ran. */
export function* workerFolders(root: string): Generator<FoundWorker> {
  for (const { repository, worker } of workerNames(root)) {
    const plan = ownerIn(workerFolder(join(root, 'repos', repository, 'workers', worker)))
    if (plan !== null) yield { repository, worker, plan }
  }
}

/** Those of one plan that run. */
export function livingWorkers(root: string, repository: string, plan: string): readonly LivingWorker[] {
  return [...workerFolders(root)].flatMap((found) => {
    const pid = found.repository === repository && found.plan === plan ? livingPid(root, found) : null
    return pid === null ? [] : [{ ...found, pid }]
  })
}

const LOOK_MS = 50
/** A supervisor gives its agent 10 s to end. */
const PATIENCE_MS = 20_000
const GRACE_MS = 5000

/** Stops a worker: asks its supervisor, which records the end, then kills what is left. */
export async function endWorker(root: string, { repository, worker }: FoundWorker): Promise<void> {
  const folder = workerFolder(join(root, 'repos', repository, 'workers', worker))
  const identity = orNull(() => readIdentity(folder.identity))
  const supervisor = identity?.supervisor ?? null
  if (supervisor !== null && isAlive(supervisor)) {
    const damage = giveCommand(folder, { kind: 'stop', cause: 'cancelled' })
    if (damage !== null) process.kill(supervisor.pid, 'SIGKILL')
    for (const end = Date.now() + PATIENCE_MS; isAlive(supervisor) && Date.now() < end;) await delay(LOOK_MS)
  }
  const tree = identity?.agent ?? null
  if (tree !== null) await endTree(tree, GRACE_MS)
}

/** Moves a worker's folder aside, unchanged, and returns its new path. */
export function putWorkerAside(root: string, { repository, worker }: FoundWorker): string {
  const home = join(root, 'repos', repository)
  const aside = join(home, 'unknown-workers')
  mkdirSync(aside, { recursive: true, mode: 0o700 })
  let target = join(aside, worker)
  for (let copy = 2; existsSync(target); copy++) target = join(aside, `${worker}.${copy}`)
  renameSync(join(home, 'workers', worker), target)
  return target
}

/** A process of it that is alive: its supervisor, else its agent; null where none is. */
export function livingPid(root: string, { repository, worker }: FoundWorker): number | null {
  const folder = workerFolder(join(root, 'repos', repository, 'workers', worker))
  const identity = orNull(() => readIdentity(folder.identity))
  const candidates = [identity?.supervisor, identity?.agent?.leader]
  return candidates.find((one) => one !== null && one !== undefined && isAlive(one))?.pid ?? null
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
  } catch {
    // There is none: nothing was ever worked on here.
    return []
  }
}
