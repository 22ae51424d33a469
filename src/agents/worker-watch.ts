/**
 * One worker as Bosun follows it: reads on in its journal, and sees to its end if its supervisor is gone. Following
 * it again after a crash is the same as following it.
 */
import { existsSync } from 'node:fs'
import type { ProcessIdentity } from '../lib/process/identity.ts'
import { presenceOf, type Presence } from '../lib/process/presence.ts'
import { killTree } from '../lib/process/process-tree.ts'
import { cgroupAt } from '../lib/process/cgroup.ts'
import { LineTail } from '../lib/files/line-tail.ts'
import { heedGrowth } from '../lib/files/watch-growth.ts'
import type { AgentEvent, OpenedSession, WorkerEnded } from '../ports/agent.ts'
import type { RollCall } from './roll-call.ts'
import { Journal } from './supervisor/journal.ts'
import { recordEnd } from './supervisor/record-end.ts'
import type { WorkerFolder } from './worker-folder.ts'
import {
  endedOf,
  journalEntrySchema,
  readIdentity,
  readJob,
  readResult,
  readStopCause,
  type IdentityRecord,
  type JobRecord,
  type JournalRecord,
  type WorkerResult,
} from './worker-records.ts'

export interface Followed {
  readonly worker: string
  readonly folder: WorkerFolder
  readonly rollCall: RollCall
  readonly emit: (event: AgentEvent) => void
  readonly onError: (what: string, error: unknown) => void
}

export interface ReceivedEnd {
  readonly event: WorkerEnded
  readonly endedAt: number
}

/**
 * File events report journal growth at once, and so does the exit of our own child. The roll call covers the rest: it
 * checks the supervisor every round, and reads the journal every round without file events, else now and then.
 */
const ROUNDS_PER_READING = 12
const MAX_LINE_BYTES = 2 * 1024 * 1024

export class WorkerWatch {
  readonly worker: string
  readonly folder: WorkerFolder
  /** Settles when the worker runs, or has ended. */
  readonly begun: Promise<void>
  /** Settles when it has ended, and that is on disk. */
  readonly over: Promise<ReceivedEnd>
  readonly #followed: Followed
  readonly #tail: LineTail
  readonly #hasBegun = Promise.withResolvers<void>()
  readonly #isOver = Promise.withResolvers<ReceivedEnd>()
  #journal = { isHeeding: (): boolean => false, close: (): void => undefined }
  #rounds = 0
  #end: ReceivedEnd | null = null
  #seq = 0
  #job: JobRecord | null = null
  #owner: string | null = null
  #recovery: Promise<void> | null = null
  /** Once there is one it stays the same. */
  #supervisor: Presence | null = null
  #identity: ProcessIdentity | null = null
  #isHalted = false
  #hasReported = false
  #hasLived = false
  #pausedMs = 0
  #session: Extract<AgentEvent, { kind: 'session' }> | null = null
  /** Permissions that wait for a person. */
  readonly #asked = new Map<string, AgentEvent>()

  constructor(followed: Followed) {
    this.#followed = followed
    this.worker = followed.worker
    this.folder = followed.folder
    this.begun = this.#hasBegun.promise
    this.over = this.#isOver.promise
    this.#tail = new LineTail(followed.folder.journal, MAX_LINE_BYTES)
  }

  get end(): ReceivedEnd | null {
    return this.#end
  }

  /** Null before it is there. It is written whole, and stays as it is. */
  get job(): JobRecord | null {
    this.#job ??= readJob(this.folder.job)
    return this.#job
  }

  /** The plan of the worker; null if unknown. */
  get plan(): string | null {
    this.#owner ??= this.job?.plan ?? readIdentity(this.folder.identity)?.plan ?? null
    return this.#owner
  }

  /** Null where it never had one. */
  get supervisor(): ProcessIdentity | null {
    this.#identity ??= readIdentity(this.folder.identity)?.supervisor ?? null
    return this.#identity
  }

  /** Takes in what happened before without telling it as signs of life of now, then follows. */
  async follow(): Promise<void> {
    for (const entry of this.#entries()) {
      if (entry.kind === 'sign') this.#hasLived = true
      else this.#take(entry)
    }
    if (this.#end !== null) return
    this.#journal = heedGrowth(this.folder.journal, () => this.look())
    this.#followed.rollCall.add(this)
    await this.#checkSupervisor()
  }

  /** Events already reported that still hold. */
  get standing(): readonly AgentEvent[] {
    if (this.#end !== null) return []
    const { worker } = this
    return [
      ...(this.#session === null ? [] : [this.#session]),
      ...(this.#hasLived ? [{ kind: 'lived', worker } as const] : []),
      ...(this.#hasReported ? [{ kind: 'reported', worker } as const] : []),
      ...(this.#isHalted ? [{ kind: 'halted', worker, isHalted: true } as const] : []),
      ...(this.#pausedMs > 0 ? [{ kind: 'paused', worker, totalMs: this.#pausedMs } as const] : []),
      ...this.#asked.values(),
    ]
  }

  answer(): void {
    this.#rounds++
    const isReadingDue = !this.#journal.isHeeding() || this.#rounds % ROUNDS_PER_READING === 0
    if (isReadingDue || this.#supervisor?.isThere() !== true) this.look()
  }

  /** Reads new journal entries now instead of at the next event. */
  look(): void {
    if (this.#end !== null) return
    try {
      for (const entry of this.#entries()) this.#take(entry)
    } catch (error) {
      this.#followed.onError(`journal of ${this.worker}`, error)
    }
    this.#checkSupervisor().catch((error: unknown) => this.#followed.onError(`end of ${this.worker}`, error))
  }

  close(): void {
    this.#followed.rollCall.remove(this)
    this.#journal.close()
    this.#supervisor?.close()
  }

  /** The end as it stands on disk. */
  settle(result: WorkerResult): void {
    if (this.#end !== null) return
    const agent = this.job?.agent ?? null
    this.#end = { event: endedOf(result, { agent, session: this.#opened }), endedAt: result.endedAt }
    this.close()
    this.#hasBegun.resolve()
    this.#isOver.resolve(this.#end)
    this.#followed.emit(this.#end.event)
  }

  get #opened(): OpenedSession | null {
    if (this.#session === null) return null
    const { session, continues, isContinued, lost } = this.#session
    return { session, continues, isContinued, lost }
  }

  #entries(): readonly JournalRecord[] {
    return this.#tail.read().flatMap((line) => {
      try {
        return [journalEntrySchema.parse(JSON.parse(line))]
      } catch (error) {
        // A line that was cut short by a crash, or one of another version.
        if (line.trim() !== '') this.#followed.onError(`journal of ${this.worker}`, error)
        return []
      }
    })
  }

  #take(entry: JournalRecord): void {
    this.#seq = Math.max(this.#seq, entry.seq)
    switch (entry.kind) {
      case 'claimed':
      case 'stopping':
        return
      case 'started':
        return this.#hasBegun.resolve()
      case 'ended': {
        const result = readResult(this.folder.result)
        if (result !== null) this.settle(result)
        return
      }
      case 'reported':
        this.#hasReported = true
        return this.#followed.emit({ kind: 'reported', worker: this.worker })
      case 'halted': {
        this.#isHalted = entry.isHalted
        return this.#followed.emit({ kind: 'halted', worker: this.worker, isHalted: entry.isHalted })
      }
      case 'paused':
        this.#pausedMs = entry.totalMs
        return this.#followed.emit({ kind: 'paused', worker: this.worker, totalMs: entry.totalMs })
      case 'sign':
        this.#hasLived = true
        return this.#followed.emit({ ...entry, worker: this.worker })
      case 'permission_asked': {
        const event = { ...entry, worker: this.worker }
        if (entry.decision === 'ask') this.#asked.set(entry.id, event)
        return this.#followed.emit(event)
      }
      case 'permission_answered':
        this.#asked.delete(entry.id)
        return this.#followed.emit({ ...entry, worker: this.worker })
      case 'session':
        this.#session = { ...entry, worker: this.worker, agent: entry.agent ?? this.job?.agent ?? null }
        return this.#followed.emit(this.#session)
      case 'text':
      case 'tool_started':
      case 'tool_ended':
      case 'delivered':
      case 'read':
      case 'usage':
      case 'error':
      case 'turn_ended':
        this.#followed.emit({ ...entry, worker: this.worker })
    }
  }

  /** A worker whose supervisor is gone has ended, and nothing of it may go on. */
  async #checkSupervisor(): Promise<void> {
    if (this.#end !== null || this.#recovery !== null || this.#supervisor?.isThere() === true) return
    const identity = readIdentity(this.folder.identity)
    if (identity === null) return
    this.#identity = identity.supervisor
    this.#supervisor?.close()
    this.#supervisor = identity.supervisor === null ? null : presenceOf(identity.supervisor)
    if (this.#supervisor?.isThere() === true) return
    this.#recovery = this.#recover(identity).finally(() => {
      this.#recovery = null
    })
    await this.#recovery
  }

  async #recover(identity: IdentityRecord): Promise<void> {
    const { job } = this
    const mark = job?.mark ?? ''
    const unknown = { boot: '', pid: 0, start: '' }
    const parent = job?.containment?.cgroup ?? null
    const cgroup = parent === null ? null : cgroupAt(parent, mark)
    if (mark !== '') await killTree(identity.agent ?? { leader: unknown, mark, kind: 'group', cgroup })
    if (!existsSync(this.folder.result)) {
      const journal = new Journal(this.folder.journal, this.#seq + 1)
      // What Bosun had asked for before the supervisor died holds.
      const cause = readStopCause(this.folder.commands)
      const reason = 'its supervisor died'
      await recordEnd(this.folder, journal, {
        v: 1,
        worker: this.worker,
        plan: job?.plan ?? identity.plan ?? null,
        role: job?.role ?? null,
        end: cause === null ? { kind: 'interrupted', reason } : { kind: 'stopped', cause },
        endedAt: Date.now(),
        report: { text: null, problem: null },
        outputBytes: 0,
      })
      journal.close()
    }
    const result = readResult(this.folder.result)
    if (result !== null) this.settle(result)
  }
}
