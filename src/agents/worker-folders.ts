/** The folders of workers as they lie in the state root, without anything that the log knows. */
import { existsSync, mkdirSync, readdirSync, renameSync, lstatSync } from 'node:fs'
import { join, basename } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { isAlive } from '../lib/process/processes.ts'
import { endTree } from '../lib/process/process-tree.ts'
import type { FoundWorker, LivingWorker } from '../ports/agent.ts'
import { atomicWriteSync } from '../lib/files/atomic-write.ts'
import { KEPT_VARIABLES } from '../lib/process/built-environment.ts'
import { folderOf, giveCommand, DamagedFile, MISSING, type WorkerFolder } from './worker-folder.ts'
import { orNull, ownerIn, readIdentity, readJob, readResult, asideOf, readJson } from './worker-records.ts'
import { AGENT_ROWS } from './profiles/rows.ts'

/** The folders of all workers of a state root. */
export function* workerNames(root: string): Generator<Omit<FoundWorker, 'plan'>> {
  for (const repository of namesIn(join(root, 'repos')))
    for (const worker of namesIn(join(root, 'repos', repository, 'workers'))) yield { repository, worker }
}

/** Every worker of a state root with a known plan. A worker without a job file never ran. */
export function* workerFolders(root: string): Generator<FoundWorker> {
  for (const found of workerNames(root)) {
    const plan = ownerIn(folderOf(root, found))
    if (plan !== null) yield { ...found, plan }
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
export async function endWorker(root: string, found: FoundWorker): Promise<void> {
  const folder = folderOf(root, found)
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
export function livingPid(root: string, found: FoundWorker): number | null {
  const identity = orNull(() => readIdentity(folderOf(root, found).identity))
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

export interface DamagedWorker {
  readonly worker: string
  readonly path: string
  /** What is wrong with the first damaged file. */
  readonly why: string
  /** Whether Bosun has taken its end in. */
  readonly isOver: boolean
}

/** Every worker of a state root with a damaged file. */
export function* damagedWorkers(root: string): Generator<DamagedWorker> {
  for (const found of workerNames(root)) {
    const folder = folderOf(root, found)
    const damage = damageIn(folder)
    if (damage !== null)
      yield {
        worker: found.worker,
        path: folder.path,
        why: damage.message,
        isOver: existsSync(folder.acknowledged),
      }
  }
}

function damageIn(folder: WorkerFolder): DamagedFile | null {
  try {
    const job = readJob(folder.job)
    const identity = readIdentity(folder.identity)
    readResult(folder.result)
    readResult(folder.acknowledged)
    if (job === null && (identity?.supervisor ?? null) !== null) return new DamagedFile(folder.job, MISSING)
    for (const path of [folder.journal, folder.commands, folder.output, folder.transcript]) {
      if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false)
        return new DamagedFile(path, 'it is not a file')
    }
    const replaced = [folder.identity, folder.result].find((path) => existsSync(asideOf(path)))
    return replaced === undefined ? null : new DamagedFile(replaced, `set aside as ${asideOf(replaced)}`)
  } catch (error) {
    if (error instanceof DamagedFile) return error
    throw error
  }
}

/** Stores a report that a worker sent, durable on return. False if the worker has ended. */
export function handIn(folder: WorkerFolder, report: Readonly<Record<string, unknown>>): boolean {
  if (!isOpen(folder)) return false
  atomicWriteSync(folder.handedIn, `${JSON.stringify(report)}\n`)
  // The supervisor reads the report before it records the end.
  return isOpen(folder)
}

const isOpen = (folder: WorkerFolder): boolean =>
  existsSync(folder.path) && !existsSync(folder.result) && !existsSync(folder.acknowledged)

/** What a person needs to work in the place of a worker: its folder, the command of its agent and the variables for it. */
export interface TakenOver {
  readonly workspace: string
  /** Continues the session of its agent; null where there is none to continue. */
  readonly command: readonly string[] | null
  /** Of its agent, on top of the person's own: how it reaches its provider, for one. */
  readonly variables: Readonly<Record<string, string>>
}

const jobSchema = z.object({
  agent: z.string(),
  command: z.array(z.string()),
  workspace: z.string(),
  env: z.record(z.string(), z.string()),
})

/** Throws where the folder of the worker cannot be read. */
export function takenOver(
  root: string,
  found: { readonly repository: string; readonly worker: string },
  session: string | null,
): TakenOver {
  const path = folderOf(root, found).job
  const job = readJson(path, jobSchema)
  if (job === null) throw new DamagedFile(path, MISSING)
  const { agent, command, workspace, env } = job
  return {
    workspace,
    command: session === null ? null : resumeCommand({ agent, command, session }),
    variables: Object.fromEntries(Object.entries(env).filter(([name]) => isForAgent(name))),
  }
}

/** The person has the ordinary ones, and must not be taken for the worker. */
const isForAgent = (name: string): boolean =>
  name !== 'PATH' && !name.startsWith('BOSUN_') && !KEPT_VARIABLES.includes(name)

/** Ids of sessions come from agents: one that could be read as an option is none. */
const SESSION_ID = /^[A-Za-z0-9][\w.:-]{0,199}$/

/** The command by which a person continues a session of an agent. Null where no row tells how, or the id makes no sense. */
export function resumeCommand(worker: {
  /** Its name in the settings. */
  readonly agent: string
  readonly command: readonly string[]
  readonly session: string
}): readonly string[] | null {
  const [program = ''] = worker.command
  // A user may call it otherwise in bosun.yaml.
  const row =
    AGENT_ROWS.find(({ name }) => name === worker.agent) ??
    AGENT_ROWS.find(({ name }) => name === basename(program))
  if (row === undefined || !SESSION_ID.test(worker.session)) return null
  const [name = '', ...args] = row.resume
  const words = args.map((word) => (word === '{session}' ? worker.session : word))
  return [basename(program) === row.name ? program : name, ...words]
}
