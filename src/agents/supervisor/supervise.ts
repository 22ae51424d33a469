/**
 * The supervisor of one worker: a process of its own that owns the agent and outlives Bosun. It talks through the
 * worker's folder and nothing else. Loads little, since there is one per worker.
 */
import { readFileSync } from 'node:fs'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import { PausedTime } from '../../lib/system/paused-time.ts'
import { findProgram } from '../../lib/process/find-program.ts'
import { identify, type ProcessIdentity } from '../../lib/process/identity.ts'
import { continueTree, endTree, killTree, type ProcessTree } from '../../lib/process/process-tree.ts'
import { drained, spawnContained, type Spawned } from '../../lib/process/spawn-contained.ts'
import { atomicCreateSync, atomicWriteSync } from '../../lib/files/atomic-write.ts'
import { zoneOffsetMs } from '../../lib/system/zone-offset.ts'
import { usageOf, type SessionMessage, type SessionUsage } from '../../ports/agent.ts'
import { isWholeReport, readLastReport, reportPaths } from '../command/report-file.ts'
import { DamagedFile, MISSING } from '../worker-files/damaged-file.ts'
import {
  workerFolder,
  type JournalFact,
  type WorkerCommand,
  type WorkerFolder,
  type WorkerJob,
} from '../worker-folder.ts'
import { commandSession } from './command-session.ts'
import { followCommands } from './commands.ts'
import { hasChangedSince, type Looked } from './changed-files.ts'
import { watchDisk } from './disk-watch.ts'
import { watchFolder } from './folder-watch.ts'
import { hideSecrets } from './hide-secrets.ts'
import { Journal } from './journal.ts'
import { observe } from './life-signs.ts'
import { passOnCheckins } from './outbox-relay.ts'
import { OutputLog } from './output-log.ts'
import { recordEnd } from './record-end.ts'
import { watchReport } from './report-watch.ts'
import type { AgentSession, SessionParts } from './session.ts'
import { TimeLimit } from './time-limit.ts'
import {
  endingAfterRequest,
  isRequest,
  lastWordsIn,
  whyRequested,
  workerEnd,
  type Ending,
} from './worker-end.ts'
import { overBudget } from '../../core/crew/worker-budget.ts'

const MAX_OUTPUT_FILE_BYTES = 5 * 1024 * 1024
const KILL_ROUNDS = 3
const EXIT_MS = 200

/** Resolves when the worker has ended and its end is on disk; at once if another supervisor owns the folder. */
export async function superviseMain(path: string): Promise<void> {
  const folder = workerFolder(path)
  const job = JSON.parse(readFileSync(folder.job, 'utf8')) as WorkerJob
  process.title = `bosun supervise ${job.worker}`
  const self = identify(process.pid)
  if (self === null) throw new Error("cannot identify the supervisor's own process")
  const identity = { supervisor: self, agent: null, plan: job.plan }
  if (!atomicCreateSync(folder.identity, JSON.stringify(identity))) return
  await supervise(folder, job, self)
}

async function supervise(folder: WorkerFolder, job: WorkerJob, self: ProcessIdentity): Promise<void> {
  const journal = new Journal(folder.journal)
  journal.write({ kind: 'claimed', supervisor: self })
  const output = new OutputLog(folder.output, MAX_OUTPUT_FILE_BYTES)
  const startedAt = Date.now()
  let tree: ProcessTree | null = null
  const paused = new PausedTime(
    () => performance.now(),
    (totalMs) => writeIfPossible(journal, { kind: 'paused', totalMs }),
  )
  const messages = new EarlyMessages()
  const requests = followRequests(folder, job, {
    pausedMs: () => paused.totalMs(),
    onNudge: () => {
      if (tree !== null) continueTree(tree)
    },
    onMessage: (message) => messages.receive(message),
    onOverBudget: (used) => writeIfPossible(journal, { kind: 'usage', ...used }),
  })
  const reports = reportPaths(folder, job.outbox)
  const workspace: Looked = { folder: job.workspace, outbox: job.outbox }
  const hasDoneAnything = (): boolean =>
    readLastReport(reports).text !== null || hasChangedSince(workspace, startedAt)
  const relay = passOnCheckins(job)
  const started = await startAgent(job)
  let ending: Ending = { kind: 'not_started', why: started.ok ? '' : started.why }
  let lastOutput = (): string => output.lastOutput()
  let usage: SessionUsage | null = null
  let lastWords = ''
  if (started.ok) {
    atomicWriteSync(
      folder.identity,
      JSON.stringify({ supervisor: self, agent: started.tree, plan: job.plan }),
    )
    journal.write({ kind: 'started', agent: started.tree })
    tree = started.tree
    const note = (fact: JournalFact): void => writeIfPossible(journal, fact)
    const session = await openSession({
      job,
      folder,
      started,
      output,
      note,
      onUsed: requests.onUsed,
      hasDoneAnything,
    })
    lastOutput = () => session.lastOutput()
    messages.passTo(session)
    const unobserve = follow(started, { workspace, reports, startedAt, output, journal })
    ending = await firstOf(session.over, requests.toEnd)
    unobserve()
    ending = await endAgent(started, { session, ending, reports, journal, graceMs: job.graceMs })
    usage = session.usage()
    lastWords = session.lastWords()
  }
  requests.close()
  paused.close()
  relay.close()
  const report = readLastReport(reports)
  await recordEnd(folder, journal, {
    v: 1,
    worker: job.worker,
    plan: job.plan,
    role: job.role,
    end: workerEnd(ending, {
      output: hideSecrets(lastOutput(), job.env),
      now: Date.now(),
      offsetMs: zoneOffsetMs,
      hasDoneAnything,
      signIn: job.signIn ?? 'Sign in with its own command.',
    }),
    endedAt: Date.now(),
    report,
    outputBytes: output.totalBytes,
    usage,
    lastWords: lastWordsIn(hideSecrets(lastWords, job.env)),
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
    // A session writes to it later.
    stdin: job.protocol === 'acp' ? null : job.brief,
    containment: job.containment,
    mark: job.mark,
  })
}

/** The code of sessions is loaded only for workers that have one. */
async function openSession(parts: SessionParts): Promise<AgentSession> {
  if (parts.job.protocol === 'command') return commandSession(parts)
  const { openAcpSession } = await import('./acp/acp-session.ts')
  return openAcpSession(parts)
}

/** Messages may come before there is a session. */
class EarlyMessages {
  #early: SessionMessage[] = []
  #session: AgentSession | null = null

  receive(message: SessionMessage): void {
    if (this.#session === null) this.#early.push(message)
    else this.#session.receive(message)
  }

  passTo(session: AgentSession): void {
    this.#session = session
    for (const message of this.#early.splice(0)) session.receive(message)
  }
}

/** Notes what is seen of it, until the returned function is called. */
function follow(
  { tree }: Spawned,
  to: {
    readonly workspace: Looked
    readonly reports: readonly string[]
    readonly startedAt: number
    readonly output: OutputLog
    readonly journal: Journal
  },
): () => void {
  const unobserve = observe({
    tree,
    workspace: to.workspace,
    startedAt: to.startedAt,
    outputBytes: () => to.output.totalBytes,
    onSign: (sign) => writeIfPossible(to.journal, { kind: 'sign', ...sign }),
    onHalted: (isHalted) => writeIfPossible(to.journal, { kind: 'halted', isHalted }),
  })
  const onReported = (): void => writeIfPossible(to.journal, { kind: 'reported' })
  const unwatch = to.reports.map((path) => watchReport(path, onReported))
  return () => {
    unobserve()
    for (const stop of unwatch) stop()
  }
}

/** Yields once before deciding, so that an agent that has just ended counts as ended. */
async function firstOf(over: Promise<Ending>, request: Promise<Ending>): Promise<Ending> {
  await Promise.race([over, request])
  await turn()
  return Promise.race([over, request])
}

interface EndOfAgent {
  readonly session: AgentSession
  readonly ending: Ending
  readonly reports: readonly string[]
  readonly journal: Journal
  readonly graceMs: number
}

/** Stops every process of the agent and returns how it ended. */
async function endAgent(started: Spawned, end: EndOfAgent): Promise<Ending> {
  const { session, ending, reports, journal, graceMs } = end
  const isWanted = isRequest(ending)
  if (isWanted) writeIfPossible(journal, { kind: 'stopping', why: whyRequested(ending) })
  const wasAtWork = await session.leave()
  const isEnded = ending.kind === 'exited' || ending.kind === 'signalled'
  const wasThere = !isEnded && (await endTree(started.tree, graceMs)).how !== 'gone'
  for (let round = 0; round < KILL_ROUNDS && !started.isWhollyEnded(); round++) {
    if ((await killTree(started.tree)).length === 0) break
  }
  await drained(started.child)
  if (!isWanted) return ending
  // The exit arrives soon after the process is gone; a process that could not be killed has none.
  const own = await Promise.race([session.over, pause(EXIT_MS, null)])
  const hasReport = isWholeReport(readLastReport(reports).text)
  return endingAfterRequest(ending, { own, wasAsked: wasAtWork || wasThere, hasReport })
}

interface RequestHandlers {
  readonly pausedMs: () => number
  readonly onNudge: () => void
  readonly onMessage: (message: SessionMessage) => void
  /** With what it had used by then. */
  readonly onOverBudget: (used: SessionUsage) => void
}

/** Follows the requests to stop the worker (from Bosun, its limits, damage or a signal), to nudge it, and messages to it. */
function followRequests(folder: WorkerFolder, job: WorkerJob, handlers: RequestHandlers) {
  const { pausedMs, onNudge, onMessage, onOverBudget } = handlers
  const { promise: toEnd, resolve } = Promise.withResolvers<Ending>()
  const limit = new TimeLimit(job.limitMs, {
    pausedMs,
    onOver: () => resolve({ kind: 'stop_wanted', cause: 'time_limit' }),
  })
  const onUsed = watchBudget(job, (why, used) => {
    onOverBudget(used)
    resolve({ kind: 'stop_wanted', cause: 'budget', why })
  })
  const unwatchDisk = watchDisk(job.workspace, (why) =>
    resolve({ kind: 'stop_wanted', cause: 'disk_limit', why }),
  )
  const onDamage = ({ message }: DamagedFile): void => resolve({ kind: 'damaged', why: message })
  const unwatchFolder = watchFolder(folder.job, () => onDamage(new DamagedFile(folder.job, MISSING)))
  const onCommand = (command: WorkerCommand): void => {
    switch (command.kind) {
      case 'stop':
        return resolve({ kind: 'stop_wanted', cause: command.cause })
      case 'limit':
        return limit.extend(command.limitMs)
      case 'hold':
        return limit.hold(command.isHeld)
      case 'nudge':
        return onNudge()
      case 'send':
        // A halted agent could not take it.
        onNudge()
        return onMessage(command.words)
    }
  }
  const unfollow = followCommands(folder.commands, onCommand, onDamage)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => resolve({ kind: 'supervisor_ended', signal }))
  }
  // There is no terminal that could hang up on it.
  process.on('SIGHUP', () => undefined)
  return {
    toEnd,
    onUsed,
    close: () => {
      unfollow()
      unwatchDisk()
      unwatchFolder()
      limit.close()
    },
  }
}

/** Failing to write a sign of life must not end the worker. */
function writeIfPossible(journal: Journal, fact: JournalFact): void {
  try {
    journal.write(fact)
  } catch {
    // The disk is full or gone; `recordEnd` retries, this does not.
  }
}

/** Compares what a worker has used so far with its budget, and calls once when it is exceeded. */
export function watchBudget(
  { budget, agent }: Pick<WorkerJob, 'budget' | 'agent'>,
  onOver: (why: string, used: SessionUsage) => void,
): (used: SessionUsage) => void {
  let isOver = budget === undefined
  return (used) => {
    if (isOver || budget === undefined) return
    const why = overBudget(usageOf(used), budget, agent)
    if (why === null) return
    isOver = true
    onOver(`it has used ${why} that were left for it`, used)
  }
}
