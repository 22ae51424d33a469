/**
 * One worker as Bosun follows it: reads on in its journal, and sees to its end if its supervisor is gone or its folder is
 * damaged. Following it again after a crash is the same as following it.
 */
import { existsSync } from 'node:fs'
import { isAlive, type ProcessIdentity } from '../lib/process/identity.ts'
import { presenceOf, type Presence } from '../lib/process/presence.ts'
import { killTree, type ProcessTree } from '../lib/process/process-tree.ts'
import { cgroupAt } from '../lib/process/cgroup.ts'
import { LineTail } from '../lib/files/line-tail.ts'
import { heedGrowth } from '../lib/files/watch-growth.ts'
import type { AgentEvent, OpenedSession, WorkerEnded } from '../ports/agent.ts'
import type { RollCall } from './roll-call.ts'
import { DamagedFile, jsonIn, MISSING } from './worker-files/damaged-file.ts'
import { replaceResult } from './worker-files/replace-result.ts'
import { Journal } from './supervisor/journal.ts'
import { recordEnd } from './supervisor/record-end.ts'
import { linesIn, readStopCause } from './worker-files/worker-commands.ts'
import type { WorkerFolder } from './worker-folder.ts'
import {
  endedOf,
  journalEntrySchema,
  orNull,
  ownerIn,
  readIdentity,
  readJob,
  readResult,
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
  readonly result: WorkerResult
}

/**
 * File events report journal growth at once, and so does the exit of our own child. The roll call covers the rest: it
 * checks the supervisor every round, and reads the journal every round without file events, else now and then.
 */
const ROUNDS_PER_READING = 12
const MAX_LINE_BYTES = 2 * 1024 * 1024
/** Readings in a row that miss the journal: a folder may be moved away and back. */
const MOST_MISSED = 2
/** Unreadable lines that are reported one by one. */
const MOST_UNREADABLE = 5

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
  /** Undefined before it was read. It is written whole, and stays as it is. */
  #job: JobRecord | null | undefined
  #owner: string | null = null
  #recovery: Promise<void> | null = null
  /** Once there is one it stays the same. */
  #supervisor: Presence | null = null
  /** By the identity file, else by the journal. */
  #identity: ProcessIdentity | null = null
  #tree: ProcessTree | null = null
  #isRecorded = false
  #missed = 0
  #unreadable = 0
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

  /** Null where there is none, or it is damaged. */
  get job(): JobRecord | null {
    return this.#job ?? null
  }

  /** The plan of the worker; null if unknown. */
  get plan(): string | null {
    this.#owner ??= ownerIn(this.folder)
    return this.#owner
  }

  /** The log knows whose it is, where its folder no longer says so. */
  ownedBy(plan: string): void {
    this.#owner ??= ownerIn(this.folder) ?? plan
  }

  /** Null where it never had one. */
  get supervisor(): ProcessIdentity | null {
    return this.#identity
  }

  /** Its process; null before it has one. */
  get pid(): number | null {
    return this.#tree?.leader.pid ?? null
  }

  /** Takes in what happened before without telling it as signs of life of now, then follows. */
  async follow(): Promise<void> {
    this.#followed.rollCall.add(this)
    await this.#guarded(() => this.#takeIn({ isPast: true }))
    if (this.#end === null) this.#journal = heedGrowth(this.folder.journal, () => this.look())
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
    if (isReadingDue) this.#missed = existsSync(this.folder.journal) ? 0 : this.#missed + 1
    if (isReadingDue || this.#supervisor?.isThere() !== true) this.look()
  }

  /** Reads new journal entries now instead of at the next event. */
  look(): void {
    if (this.#end === null) void this.#guarded(() => this.#takeIn({ isPast: false }))
  }

  /** A file of its folder is damaged: nothing of it may go on, and it has failed, unless its end is there all the same. */
  async fail(damage: DamagedFile): Promise<void> {
    if (this.#end !== null) return
    this.#recovery ??= this.#failed(damage).finally(() => {
      this.#recovery = null
    })
    await this.#recovery
  }

  /** For a supervisor that ignores its commands: what it leaves is found by the mark. */
  killSupervisor(): void {
    const supervisor = this.#identity
    if (supervisor !== null && isAlive(supervisor) && process.pid !== supervisor.pid)
      process.kill(supervisor.pid, 'SIGKILL')
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
    this.#end = { event: endedOf(result, { agent, session: this.#opened }), result }
    this.close()
    this.#hasBegun.resolve()
    this.#isOver.resolve(this.#end)
    this.#followed.emit(this.#end.event)
  }

  get #opened(): OpenedSession | null {
    if (this.#session === null) return null
    const { session, continues, isContinued, lost, note } = this.#session
    return { session, continues, isContinued, lost, note }
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (error instanceof DamagedFile) await this.fail(error)
      else this.#followed.onError(`following ${this.worker}`, error)
    }
  }

  async #takeIn({ isPast }: { readonly isPast: boolean }): Promise<void> {
    const damage = this.#readJob()
    for (const entry of this.#entries({ isPast })) {
      if (isPast && entry.kind === 'sign') this.#hasLived = true
      else this.#take(entry)
    }
    // Last: the journal says what has to be ended.
    if (damage !== null) throw damage
    if (this.#isRecorded) this.settle(this.#readEnd())
    await this.#checkSupervisor()
  }

  #readJob(): DamagedFile | null {
    if (this.#job !== undefined) return null
    try {
      this.#job = readJob(this.folder.job)
      return null
    } catch (error) {
      if (error instanceof DamagedFile) return error
      throw error
    }
  }

  #entries({ isPast }: { readonly isPast: boolean }): readonly JournalRecord[] {
    const { journal } = this.folder
    // It is there before the job is.
    const isGone = isPast ? !existsSync(journal) : this.#missed >= MOST_MISSED
    if (isGone && this.job !== null) throw new DamagedFile(journal, MISSING)
    return linesIn(this.#tail, journal).flatMap((line) => {
      const entry = journalEntrySchema.safeParse(jsonIn(line))
      if (entry.success) return [entry.data]
      // A line that was cut short by a crash, or one of another version.
      if (line.trim() !== '' && ++this.#unreadable <= MOST_UNREADABLE)
        this.#followed.onError(`journal of ${this.worker}`, new Error('a line in it is no entry'))
      return []
    })
  }

  /** The end that was recorded. */
  #readEnd(): WorkerResult {
    const result = readResult(this.folder.result)
    if (result === null) throw new DamagedFile(this.folder.result, MISSING)
    if (result.role !== null && this.job === null) throw new DamagedFile(this.folder.job, MISSING)
    return result
  }

  #take(entry: JournalRecord): void {
    this.#seq = Math.max(this.#seq, entry.seq)
    switch (entry.kind) {
      case 'stopping':
        return
      case 'claimed':
        this.#identity ??= entry.supervisor
        return
      case 'started':
        this.#tree = entry.agent
        return this.#hasBegun.resolve()
      case 'ended':
        this.#isRecorded = true
        return
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
    if (identity === null) {
      if (this.#identity !== null) throw new DamagedFile(this.folder.identity, MISSING)
      return
    }
    if (identity.supervisor !== null && this.job === null) throw new DamagedFile(this.folder.job, MISSING)
    this.#identity = identity.supervisor ?? this.#identity
    this.#tree = identity.agent ?? this.#tree
    this.#supervisor?.close()
    this.#supervisor = identity.supervisor === null ? null : presenceOf(identity.supervisor)
    if (this.#supervisor?.isThere() === true) return
    this.#recovery = this.#recover(identity).finally(() => {
      this.#recovery = null
    })
    await this.#recovery
  }

  async #recover(identity: IdentityRecord): Promise<void> {
    await this.#killTree()
    if (!existsSync(this.folder.result)) {
      const journal = new Journal(this.folder.journal, this.#seq + 1)
      // What Bosun had asked for before the supervisor died holds.
      const cause = readStopCause(this.folder.commands)
      const reason = 'its supervisor died'
      const end =
        cause === null ? ({ kind: 'interrupted', reason } as const) : ({ kind: 'stopped', cause } as const)
      await recordEnd(this.folder, journal, this.#resultWith(end, identity.plan))
      journal.close()
    }
    this.settle(this.#readEnd())
  }

  async #killTree(): Promise<void> {
    const mark = this.job?.mark ?? ''
    const parent = this.job?.containment?.cgroup ?? null
    const cgroup = parent === null ? null : cgroupAt(parent, mark)
    if (this.#tree !== null) await killTree(this.#tree)
    else if (mark !== '') await killTree({ leader: NO_PROCESS, mark, kind: 'group', cgroup })
  }

  async #failed(damage: DamagedFile): Promise<void> {
    this.#followed.onError(`folder of ${this.worker}`, damage)
    const identity = orNull(() => readIdentity(this.folder.identity))
    this.#identity ??= identity?.supervisor ?? null
    this.#tree ??= identity?.agent ?? null
    this.killSupervisor()
    await this.#killTree()
    const known = orNull(() => readResult(this.folder.result))
    // Without its job it is unknown what it was to do.
    if (known !== null && damage.path !== this.folder.job) return this.settle(known)
    const end = { kind: 'failed', reason: damage.message } as const
    const result = known === null ? this.#resultWith(end, this.plan) : { ...known, end }
    try {
      replaceResult(this.folder, result)
    } catch (error) {
      // What is left of its folder takes nothing: it has ended all the same.
      this.#followed.onError(`recording the end of ${this.worker}`, error)
    }
    this.settle(result)
  }

  #resultWith(end: WorkerResult['end'], plan: string | null | undefined): WorkerResult {
    const { job } = this
    return {
      v: 1,
      worker: this.worker,
      plan: job?.plan ?? plan ?? null,
      role: job?.role ?? null,
      end,
      endedAt: Date.now(),
      report: { text: null, problem: null },
      outputBytes: 0,
    }
  }
}

const NO_PROCESS: ProcessIdentity = { boot: '', pid: 0, start: '' }
