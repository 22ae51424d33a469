/**
 * One worker as Bosun follows it: reads on in its journal, and sees to its end if its supervisor is gone or its folder is
 * damaged. Following it again after a crash is the same as following it.
 */
import { existsSync } from 'node:fs'
import { isAlive, type ProcessIdentity } from '../lib/process/processes.ts'
import { killTree, type ProcessTree } from '../lib/process/process-tree.ts'
import { cgroupAt } from '../lib/process/containment.ts'
import { LineTail, watchGrowth } from '../lib/files/line-tail.ts'
import type { AgentEvent, OpenedSession, WorkerEnded } from '../ports/agent.ts'
import { jsonIn } from '../lib/text/json.ts'
import { DamagedFile, MISSING, linesIn, readStopCause, type WorkerFolder } from './worker-folder.ts'
import {
  replaceResult,
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
import { Journal, recordEnd } from './supervisor/journal.ts'

export interface Followed {
  readonly worker: string
  readonly folder: WorkerFolder
  readonly emit: (event: AgentEvent) => void
  readonly onError: (what: string, error: unknown) => void
}

export interface ReceivedEnd {
  readonly event: WorkerEnded
  readonly result: WorkerResult
}

/** File events report journal growth at once, and so does the exit of our own child. This covers the rest. */
const LOOK_MS = 900
const MAX_LINE_BYTES = 2 * 1024 * 1024
/** Looks in a row that miss the journal: a folder may be moved away and back. */
const MOST_MISSED = 10
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
  #unwatch = (): void => undefined
  #end: ReceivedEnd | null = null
  #seq = 0
  /** Undefined before it was read. It is written whole, and stays as it is. */
  #job: JobRecord | null | undefined
  #owner: string | null = null
  #recovery: Promise<void> | null = null
  /** By the identity file. */
  #supervisor: ProcessIdentity | null = null
  /** By that, else by the journal. */
  #identity: ProcessIdentity | null = null
  #tree: ProcessTree | null = null
  #isRecorded = false
  #isClosed = false
  #missed = 0
  #unreadable = 0
  readonly #standing = new Map<string, AgentEvent>()

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
    await this.#guarded(() => this.#takeIn({ isPast: true }))
    if (this.#end === null && !this.#isClosed)
      this.#unwatch = watchGrowth(this.folder.journal, LOOK_MS, () => this.look())
  }

  /** Events already reported that still hold. */
  get standing(): readonly AgentEvent[] {
    return this.#end === null ? [...this.#standing.values()] : []
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
    this.#isClosed = true
    this.#unwatch()
  }

  /** The end as it stands on disk. */
  settle(result: WorkerResult): void {
    if (this.#end !== null) return
    const agent = this.job?.agent ?? null
    this.#end = { event: endedOf(result, { agent, session: openedIn(this.#standing) }), result }
    this.close()
    this.#hasBegun.resolve()
    this.#isOver.resolve(this.#end)
    this.#followed.emit(this.#end.event)
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
      this.#note(entry)
      const event = eventOf(entry, this.worker)
      if (event === null) continue
      keep(this.#standing, event)
      if (!isPast || event.kind !== 'sign') this.#followed.emit(event)
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
    this.#missed = existsSync(journal) ? 0 : this.#missed + 1
    const isGone = this.#missed >= (isPast ? 1 : MOST_MISSED)
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

  #note(entry: JournalRecord): void {
    this.#seq = Math.max(this.#seq, entry.seq)
    if (entry.kind === 'claimed') this.#identity ??= entry.supervisor
    if (entry.kind === 'ended') this.#isRecorded = true
    if (entry.kind !== 'started') return
    this.#tree = entry.agent
    this.#hasBegun.resolve()
  }

  /** A worker whose supervisor is gone has ended, and nothing of it may go on. */
  async #checkSupervisor(): Promise<void> {
    if (this.#end !== null || this.#recovery !== null || this.#isSupervised()) return
    const identity = readIdentity(this.folder.identity)
    if (identity === null) {
      if (this.#identity !== null) throw new DamagedFile(this.folder.identity, MISSING)
      return
    }
    if (identity.supervisor !== null && this.job === null) throw new DamagedFile(this.folder.job, MISSING)
    this.#identity = identity.supervisor ?? this.#identity
    this.#tree = identity.agent ?? this.#tree
    this.#supervisor = identity.supervisor
    if (this.#isSupervised()) return
    this.#recovery = this.#recover(identity).finally(() => {
      this.#recovery = null
    })
    await this.#recovery
  }

  #isSupervised(): boolean {
    return this.#supervisor !== null && isAlive(this.#supervisor)
  }

  async #recover(identity: IdentityRecord): Promise<void> {
    await this.#killTree()
    if (!existsSync(this.folder.result)) {
      const journal = new Journal(this.folder.journal, { after: this.#seq + 1 })
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
    const parent = this.job?.containment.cgroup ?? null
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
      usage: null,
      lastWords: null,
    }
  }
}

const NO_PROCESS: ProcessIdentity = { boot: '', pid: 0, start: '' }

/** What listeners hear of an entry; null where it is for Bosun alone. */
function eventOf(entry: JournalRecord, worker: string): AgentEvent | null {
  const { kind } = entry
  if (kind === 'claimed' || kind === 'started' || kind === 'stopping' || kind === 'ended') return null
  if (kind !== 'reported' && kind !== 'halted' && kind !== 'paused') return { ...entry, worker }
  const { seq: _, ...fact } = entry
  return { ...fact, worker }
}

/** Keeps the events of a worker that a later listener still has to know. */
function keep(standing: Map<string, AgentEvent>, event: AgentEvent): void {
  const { kind, worker } = event
  if (kind === 'sign') standing.set('lived', { kind: 'lived', worker })
  if (kind === 'session' || kind === 'reported' || kind === 'paused') standing.set(kind, event)
  if (kind === 'halted' && event.isHalted) standing.set(kind, event)
  if (kind === 'halted' && !event.isHalted) standing.delete(kind)
  if (kind === 'permission_asked' && event.decision === 'ask') standing.set(`permission ${event.id}`, event)
  if (kind === 'permission_answered') standing.delete(`permission ${event.id}`)
}

/** The session among them. */
function openedIn(standing: ReadonlyMap<string, AgentEvent>): OpenedSession | null {
  const event = standing.get('session')
  if (event?.kind !== 'session') return null
  const { session, continues, isContinued, lost, note } = event
  return { session, continues, isContinued, lost, note }
}
