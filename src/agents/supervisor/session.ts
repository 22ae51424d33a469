import type { Spawned } from '../../lib/process/spawn-contained.ts'
import type { SessionMessage, SessionUsage } from '../../ports/agent.ts'
import type { JournalFact, WorkerFolder, WorkerJob } from '../worker-folder.ts'
import type { OutputLog } from './output-log.ts'
import type { Ending } from './worker-end.ts'

/** How one agent is driven, by its protocol. Its process and its limits are the supervisor's. */
export interface AgentSession {
  /** Settles when the agent has come to an end by itself; never because it was asked to. */
  readonly over: Promise<Ending>
  /** Passes a message on as soon as the agent can take it. A plain command takes none. */
  receive(message: SessionMessage): void
  /**
   * Ends the conversation as the protocol wants it, before the processes are ended. Resolves, within seconds, with whether
   * the agent was at work.
   */
  leave(): Promise<boolean>
  /** The end of its output and messages. */
  lastOutput(): string
  /** The end of its own text, or of its output where it wrote none. */
  lastWords(): string
  /** What it used, as far as it reports that. */
  usage(): SessionUsage | null
}

/** What a session works with. */
export interface SessionParts {
  readonly job: WorkerJob
  readonly folder: WorkerFolder
  readonly started: Spawned
  readonly output: OutputLog
  /** Never throws. */
  readonly note: (fact: JournalFact) => void
  /** Takes what the worker has used so far, at every update. */
  readonly onUsed: (used: SessionUsage) => void
  /** Whether the worker left a report or changed a file. */
  readonly hasDoneAnything: () => boolean
}
