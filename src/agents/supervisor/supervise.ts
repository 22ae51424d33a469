/**
 * The supervisor of one worker: a process of its own that owns the agent and outlives Bosun. It talks through the
 * worker's folder and nothing else. Loads little, since there is one per worker.
 */
import { readFileSync } from 'node:fs'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import { PausedTime } from '../../lib/system/system-clock.ts'
import { findProgram } from '../../lib/process/find-program.ts'
import { identify, type ProcessIdentity } from '../../lib/process/processes.ts'
import { continueTree, endTree, killTree, type ProcessTree } from '../../lib/process/process-tree.ts'
import { spawnContained, type Spawned } from '../../lib/process/spawn-contained.ts'
import { atomicCreateSync, atomicWriteSync } from '../../lib/files/atomic-write.ts'
import { orElse } from '../../lib/or-else.ts'
import { Redactor, type NamedSecret } from '../../lib/text/redactor.ts'
import { zoneOffsetMs } from '../../lib/system/local-time.ts'
import type { SessionUsage } from '../../ports/agent.ts'
import { isWholeReport, readLastReport, reportPaths } from '../command/report-file.ts'
import { workerFolder, type WorkerFolder, type WorkerJob } from '../worker-folder.ts'
import { commandSession, type AgentSession, type SessionParts } from './command-session.ts'
import { hasChangedSince, observe, type Looked } from './life-signs.ts'
import {
  endingAfterRequest,
  isRequest,
  lastWordsIn,
  whyRequested,
  workerEnd,
  type Ending,
} from './worker-end.ts'
import { Journal, recordEnd, OutputLog } from './journal.ts'
import { passOnCheckins } from './outbox-relay.ts'
import { followRequests } from './requests.ts'

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
  const hide = new Redactor([...job.secrets, ...userToken(job)])
  const journal = new Journal(folder.journal, { hide })
  journal.write({ kind: 'claimed', supervisor: self })
  const output = new OutputLog(folder.output, MAX_OUTPUT_FILE_BYTES, hide)
  const startedAt = Date.now()
  let tree: ProcessTree | null = null
  const paused = new PausedTime(
    () => performance.now(),
    (totalMs) => journal.note({ kind: 'paused', totalMs }),
  )
  // Messages may come before there is a session.
  const opened = Promise.withResolvers<AgentSession>()
  const requests = followRequests(folder, job, {
    pausedMs: () => paused.totalMs(),
    onNudge: () => {
      if (tree !== null) continueTree(tree)
    },
    onMessage: (message) => void opened.promise.then((session) => session.receive(message)),
    onOverBudget: (used) => journal.note({ kind: 'usage', ...used }),
  })
  const reports = reportPaths(folder, job.outbox)
  const workspace: Looked = { folder: job.workspace, outbox: job.outbox }
  const hasDoneAnything = (): boolean =>
    readLastReport(reports).text !== null || hasChangedSince(workspace, startedAt)
  const relay = passOnCheckins(job, hide)
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
    const note = journal.note.bind(journal)
    const session = await openSession({
      job,
      folder,
      started,
      output,
      hide,
      note,
      onUsed: requests.onUsed,
      hasDoneAnything,
    })
    lastOutput = () => session.lastOutput()
    opened.resolve(session)
    const unobserve = observe({
      tree: started.tree,
      workspace,
      reports,
      startedAt,
      outputBytes: () => output.totalBytes,
      onSign: (of) => note({ kind: 'sign', of }),
      onHalted: (isHalted) => note({ kind: 'halted', isHalted }),
      onReported: () => note({ kind: 'reported' }),
    })
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
  const result = {
    v: 1,
    worker: job.worker,
    plan: job.plan,
    role: job.role,
    end: workerEnd(ending, {
      output: hide.text(lastOutput()),
      now: Date.now(),
      offsetMs: zoneOffsetMs,
      hasDoneAnything,
      signIn: job.signIn,
    }),
    endedAt: Date.now(),
    report,
    usage,
    lastWords: lastWordsIn(hide.text(lastWords)),
  } as const
  await recordEnd(folder, journal, hide.inAll(result))
  output.close()
  journal.close()
}

/** Without a sandbox a worker could read and print it. */
function userToken({ userTokenFile }: WorkerJob): readonly NamedSecret[] {
  if (userTokenFile === null) return []
  const value = orElse(() => readFileSync(userTokenFile, 'utf8').trim(), '')
  return [{ name: 'the token of the user', value }]
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
    walls: job.walls,
    mark: job.mark,
  })
}

/** The code of sessions is loaded only for workers that have one. */
async function openSession(parts: SessionParts): Promise<AgentSession> {
  if (parts.job.protocol === 'command') return commandSession(parts)
  const { openAcpSession } = await import('./acp/acp-session.ts')
  return openAcpSession(parts)
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
  if (isWanted) journal.note({ kind: 'stopping', why: whyRequested(ending) })
  const wasAtWork = await session.leave()
  const isEnded = ending.kind === 'exited' || ending.kind === 'signalled'
  const wasThere = !isEnded && (await endTree(started.tree, graceMs)).how !== 'gone'
  for (let round = 0; round < KILL_ROUNDS && !started.isWhollyEnded(); round++) {
    if ((await killTree(started.tree)).length === 0) break
  }
  await started.drained()
  if (!isWanted) return ending
  // The exit arrives soon after the process is gone; a process that could not be killed has none.
  const own = await Promise.race([session.over, pause(EXIT_MS, null)])
  const hasReport = isWholeReport(readLastReport(reports).text)
  return endingAfterRequest(ending, { own, wasAsked: wasAtWork || wasThere, hasReport })
}
