/**
 * The supervisor of one worker: a process of its own that owns the agent and outlives Bosun. It talks through the
 * worker's folder and nothing else. Loads little, since there is one per worker.
 */
import { readFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { findProgram } from '../../lib/process/find-program.ts'
import { identify, type ProcessIdentity } from '../../lib/process/identity.ts'
import { endTree, killTree } from '../../lib/process/process-tree.ts'
import { drained, spawnContained, type Spawned } from '../../lib/process/spawn-contained.ts'
import { LineTail } from '../../lib/line-tail.ts'
import { watchGrowth } from '../../lib/watch-growth.ts'
import { createWhole, writeWhole } from '../../lib/whole-file.ts'
import { readReportFile } from '../command/report-file.ts'
import { workerFolder, type WorkerCommand, type WorkerFolder, type WorkerJob } from '../worker-folder.ts'
import { watchDisk } from './disk-watch.ts'
import { Journal } from './journal.ts'
import { observe } from './life-signs.ts'
import { OutputLog } from './output-log.ts'
import { recordEnd } from './record-end.ts'
import { workerEnd, type Ending } from './worker-end.ts'

const MAX_OUTPUT_FILE_BYTES = 5 * 1024 * 1024
const MAX_COMMAND_BYTES = 1024 * 1024
const POLL_MS = 1000
/** What a timer can count to; nobody works for longer than that. */
const MAX_TIMER_MS = 2 ** 31 - 1
const KILL_ROUNDS = 3

/** Resolves when the worker has ended and its end is on disk; at once if another supervisor owns the folder. */
export async function superviseMain(path: string): Promise<void> {
  const folder = workerFolder(path)
  const job = JSON.parse(readFileSync(folder.job, 'utf8')) as WorkerJob
  process.title = `bosun supervise ${job.worker}`
  const self = identify(process.pid)
  if (self === null) throw new Error('a process that cannot be identified cannot supervise')
  if (!createWhole(folder.identity, JSON.stringify({ supervisor: self, agent: null }))) return
  await supervise(folder, job, self)
}

async function supervise(folder: WorkerFolder, job: WorkerJob, self: ProcessIdentity): Promise<void> {
  const journal = new Journal(folder.journal, { now: Date.now, after: 0 })
  journal.write({ kind: 'claimed', supervisor: self })
  const output = new OutputLog(folder.output, MAX_OUTPUT_FILE_BYTES)
  const wish = wishToEnd(folder, job)
  const started = await startAgent(job)
  let ending: Ending = { kind: 'not_started', why: started.ok ? '' : started.why }
  if (started.ok) {
    writeWhole(folder.identity, JSON.stringify({ supervisor: self, agent: started.tree }))
    journal.write({ kind: 'started', agent: started.tree })
    const unobserve = follow(started, { workspace: job.workspace, output, journal })
    ending = await firstOf(started.exited, wish.promise)
    unobserve()
    await endAgent(started, { ending, journal, graceMs: job.graceMs })
  }
  wish.close()
  await recordEnd(folder, journal, {
    v: 1,
    worker: job.worker,
    plan: job.plan,
    role: job.role,
    end: workerEnd(ending, output.lastWords()),
    endedAt: Date.now(),
    report: readReportFile(folder.report),
    outputBytes: output.totalBytes,
  })
  output.close()
  journal.close()
}

async function startAgent(job: WorkerJob): Promise<Spawned | { readonly ok: false; readonly why: string }> {
  const [name = '', ...args] = job.command
  const program = findProgram(name, { cwd: job.workspace, path: job.env['PATH'] ?? '' })
  if (!program.ok) return program
  return spawnContained({
    command: [program.file, ...args],
    cwd: job.workspace,
    env: job.env,
    stdin: job.brief,
    containment: job.containment,
    mark: job.mark,
  })
}

/** Keeps what it prints and notes that it lives, until the returned function is called. */
function follow(
  { child, tree }: Spawned,
  to: { readonly workspace: string; readonly output: OutputLog; readonly journal: Journal },
): () => void {
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => to.output.add(chunk))
  }
  return observe({
    tree,
    workspace: to.workspace,
    outputBytes: () => to.output.totalBytes,
    onSign: (sign) => writeIfPossible(to.journal, { kind: 'sign', ...sign }),
  })
}

/** Looks again before anything is killed: an agent that has just ended by itself has done so. */
async function firstOf(exited: Promise<Ending>, wish: Promise<Ending>): Promise<Ending> {
  await Promise.race([exited, wish])
  await turn()
  return Promise.race([exited, wish])
}

/** Whatever ended it, nothing of it runs afterwards. */
async function endAgent(
  started: Spawned,
  {
    ending,
    journal,
    graceMs,
  }: { readonly ending: Ending; readonly journal: Journal; readonly graceMs: number },
): Promise<void> {
  if (ending.kind === 'stop_wanted' || ending.kind === 'supervisor_ended') {
    writeIfPossible(journal, {
      kind: 'stopping',
      why: ending.kind === 'stop_wanted' ? (ending.why ?? ending.cause) : ending.signal,
    })
    await endTree(started.tree, graceMs)
  }
  for (let round = 0; round < KILL_ROUNDS; round++) {
    if ((await killTree(started.tree)).length === 0) break
  }
  await drained(started.child)
}

/** Settles when somebody wants the worker to end: Bosun, its limit, or whoever ends this process. */
function wishToEnd(folder: WorkerFolder, job: WorkerJob) {
  const { promise, resolve } = Promise.withResolvers<Ending>()
  const commands = new LineTail(folder.commands, MAX_COMMAND_BYTES)
  const look = (): void => {
    for (const line of commands.read()) {
      const command = commandIn(line)
      if (command?.kind === 'stop') resolve({ kind: 'stop_wanted', cause: command.cause })
    }
  }
  const unwatch = watchGrowth(folder.commands, POLL_MS, look)
  look()
  const limit = setTimeout(
    () => resolve({ kind: 'stop_wanted', cause: 'time_limit' }),
    Math.min(job.limitMs, MAX_TIMER_MS),
  )
  const unwatchDisk = watchDisk(job.workspace, (why) =>
    resolve({ kind: 'stop_wanted', cause: 'disk_limit', why }),
  )
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => resolve({ kind: 'supervisor_ended', signal }))
  }
  // There is no terminal that could hang up on it.
  process.on('SIGHUP', () => undefined)
  return {
    promise,
    close: () => {
      unwatch()
      unwatchDisk()
      clearTimeout(limit)
    },
  }
}

/** Null for an empty line, and for one that was cut short: such a command was never given. */
function commandIn(line: string): WorkerCommand | null {
  try {
    return line === '' ? null : (JSON.parse(line) as WorkerCommand)
  } catch {
    return null
  }
}

/** A sign of life that cannot be written is no reason to end the worker. */
function writeIfPossible(journal: Journal, fact: Parameters<Journal['write']>[0]): void {
  try {
    journal.write(fact)
  } catch {
    // The disk is full, or gone; the end is written with more patience.
  }
}
