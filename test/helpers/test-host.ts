/** A host on a log in memory, with a folder of its own and scripted worlds. */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Host, type HostParts, type WatchPace } from '../../src/app/host/host.ts'
import type { HostedPlan } from '../../src/app/host/hosted-plan.ts'
import { systemClock } from '../../src/lib/system/system-clock.ts'
import { planFigures } from '../../src/core/planning/plan-figures.ts'
import type { Plan, TaskSpec } from '../../src/core/planning/plan.ts'
import { defaultSettings, type Settings } from '../../src/core/settings/settings.ts'
import { logCodec, type LogEvent } from '../../src/core/log/log-events.ts'
import { registerPlan, type RegisteredPlan } from '../../src/app/plans/register-plan.ts'
import type { Repositories, Repository } from '../../src/ports/repositories.ts'
import type { Caretaker } from '../../src/ports/caretaker.ts'
import type { WorkDiffs } from '../../src/ports/checkouts.ts'
import { MemoryEventLog } from '../../src/store/memory-event-log.ts'
import { GroupCommit } from '../../src/store/sqlite/group-commit.ts'
import { prepareSchema } from '../../src/store/sqlite/schema.ts'
import { SqliteNoteLog } from '../../src/store/sqlite/sqlite-note-log.ts'
import { transactionsOf } from '../../src/store/sqlite/sqlite-connection.ts'
import { repositoryId } from '../../src/store/sqlite/sqlite-repositories.ts'
import { aMachine } from './a-machine.ts'
import { scriptedWorld, type ScriptedWorld, type WorldScript } from './scripted-world.ts'
import { tempFolder } from './temp-folder.ts'

export const SECRET = 'ab'.repeat(32)

export class TestHost {
  readonly root = tempFolder('host')
  readonly log = new MemoryEventLog<LogEvent>(logCodec)
  readonly worlds = new Map<string, ScriptedWorld>()
  readonly troubles: string[] = []
  caretaker: Caretaker | null = null
  diffs: WorkDiffs | null = null
  machine = aMachine()
  openInterviews: HostParts['openInterviews']
  openNotices: HostParts['openNotices']
  transcripts: HostParts['transcripts']
  /** Why no plan can be taken up, where none can. */
  noWorld: string | null = null
  /** Workers who were asked to end past their plan. */
  readonly stoppedOrphans: string[] = []
  readonly #repositories = new MemoryRepositories()
  readonly #script: WorldScript
  readonly #watch: WatchPace
  #notes: SqliteNoteLog | null = null
  #host: Host | null = null

  constructor(script: WorldScript = {}, watch: WatchPace = {}) {
    this.#script = script
    this.#watch = watch
  }

  get host(): Host {
    if (this.#host === null) throw new Error('the host is not open')
    return this.#host
  }

  get notes(): SqliteNoteLog {
    if (this.#notes === null) throw new Error('the host is not open')
    return this.#notes
  }

  async open(): Promise<this> {
    this.#notes ??= await notesInMemory()
    this.#host = await Host.open({
      root: this.root,
      clock: systemClock,
      log: this.log,
      repositories: this.#repositories,
      notes: this.#notes,
      secret: SECRET,
      watch: this.#watch,
      onError: (what, error) => this.troubles.push(`${what}: ${String(error)}`),
      caretakerOf: async () => this.caretaker,
      diffsOf: async () => this.diffs,
      stopOrphans: async ({ workers }) => void this.stoppedOrphans.push(...workers),
      detach: async () => undefined,
      openInterviews: this.openInterviews,
      openNotices: this.openNotices,
      transcripts: this.transcripts,
      machineIn: () => Promise.resolve(this.machine),
      worldFor: async ({ plan, repository }) => {
        if (this.noWorld !== null) throw new Error(this.noWorld)
        const key = `${repository.id}/${plan.id}`
        const world = this.worlds.get(key) ?? scriptedWorld(systemClock, this.#script)
        this.worlds.set(key, world)
        return world
      },
    })
    return this
  }

  /** Ends the host without a word, as a crash does, and opens another on the same log. */
  async reopen(): Promise<this> {
    await this.host.close()
    return this.open()
  }

  async dispose(): Promise<void> {
    await this.#host?.close()
    rmSync(this.root, { recursive: true, force: true })
  }

  repository(name = 'shop'): string {
    const path = join(this.root, 'work', name)
    mkdirSync(path, { recursive: true })
    return path
  }

  register(
    tasks: readonly TaskSpec[],
    options: {
      id?: string
      source?: string
      text?: string
      repository?: string
      settings?: Partial<Settings>
      by?: string
      expectedVersion?: number
    } = {},
  ): Promise<RegisteredPlan> {
    const made = aPlan(options.id ?? 'shop', tasks)
    const { source = made.header.source } = options
    const plan = { ...made, header: { ...made.header, source } }
    const reading = { plan, figures: planFigures(plan, ['low']), text: options.text ?? JSON.stringify(tasks) }
    const settings = { ...defaultSettings(), ...options.settings }
    const { by, expectedVersion, repository = this.repository() } = options
    return registerPlan(this.host, { reading, settings, repository, by, expectedVersion })
  }

  /** Resolves as soon as the plan's state is as described. */
  until(plan: HostedPlan, isSo: (plan: HostedPlan) => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      if (isSo(plan)) return resolve()
      const stop = this.log.subscribe(
        0,
        () =>
          setImmediate(() => {
            if (!isSo(plan)) return
            stop()
            resolve()
          }),
        reject,
      )
    })
  }
}

export async function notesInMemory(): Promise<SqliteNoteLog> {
  const db = new DatabaseSync(':memory:')
  prepareSchema(db, ':memory:')
  return new SqliteNoteLog(db, new GroupCommit(transactionsOf(db, ':memory:')))
}

export function aPlan(id: string, tasks: readonly TaskSpec[]): Plan {
  return {
    header: {
      id,
      title: 'Shop',
      source: 'plan.md',
      design: null,
      format: 'markdown',
      goal: null,
      architecture: null,
      techStack: null,
      constraints: [],
      specFile: null,
    },
    tasks,
    order: tasks.map((task) => task.id),
    integration: [],
    environment: {},
    removedSteps: [],
    problems: [],
  }
}

class MemoryRepositories implements Repositories {
  readonly #known = new Map<string, Repository>()

  async register(path: string, registeredAt: number): Promise<Repository> {
    const { id, name } = repositoryId(path)
    const repository = this.#known.get(id) ?? { id, name, path, registeredAt }
    await this.restore(repository)
    return repository
  }

  async restore(repository: Repository): Promise<void> {
    if (!this.#known.has(repository.id)) this.#known.set(repository.id, repository)
  }

  async find(id: string): Promise<Repository | null> {
    return this.#known.get(id) ?? null
  }

  async list(): Promise<readonly Repository[]> {
    return [...this.#known.values()]
  }
}
