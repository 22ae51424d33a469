/**
 * Where cheats are tried: a real repository, a worker's clone that the cheat is written into, the naive gate in that
 * folder, and Bosun's gates on what was collected of it. Free of any test runner, so that a bench can open it too.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { CommandGateRunner } from '../../src/checks/runner/command-gate-runner.ts'
import type { GateName, Verdict } from '../../src/core/event-schemas/schemas.ts'
import { gatesDue } from '../../src/core/fold/proof.ts'
import type { Environment, TaskSpec, Tier } from '../../src/core/planning/plan.ts'
import type { TaskState } from '../../src/core/state/state.ts'
import { EvidenceStore } from '../../src/lib/process/output-keeper.ts'
import { systemClock } from '../../src/lib/system/system-clock.ts'
import { CheckoutSlots } from '../../src/workspaces/clones/slots.ts'
import { ClonePool } from '../../src/workspaces/clones/clone-pool.ts'
import { Dependencies } from '../../src/workspaces/clones/dependencies.ts'
import { Git } from '../../src/workspaces/git/git.ts'
import { PlanTrees } from '../../src/workspaces/plan-trees.ts'
import { PlanWorkspace } from '../../src/workspaces/plan-workspace.ts'
import { Quarantine } from '../../src/workspaces/quarantine.ts'
import { openUserRepository } from '../../src/workspaces/user-repository.ts'
import { sourceParser } from '../helpers/child-parser.ts'
import type { Collected } from '../../src/ports/workspace.ts'
import { aTask } from '../helpers/plan-builder.ts'
import { aJob, someGates } from '../helpers/requests.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

/** Shared, since each would be a process of its own. */
const parser = sourceParser()

/** What a worker leaves: a text, a link to somewhere, or nothing where something was. */
export type Left = string | { readonly linkTo: string } | null
export type Work = Readonly<Record<string, Left>>

export interface Honest {
  readonly name: string
  readonly work: Work
  /** Where the contract says something else than the project's. */
  readonly contract?: Partial<TaskSpec>
}

export interface Cheat extends Honest {
  /** The gate that must refuse it, whatever others say; and what it has to say. */
  readonly by: GateName
  readonly words: RegExp
}

export interface Project {
  readonly language: string
  readonly needs: readonly Need[]
  readonly base: Readonly<Record<string, string>>
  /** What the naive gate runs. */
  readonly test: string
  /** What that comes to where the work leaves these files alone: npm itself takes longer than the tests. */
  readonly testDirectly?: { readonly command: string; readonly unless: readonly string[] }
  readonly environment: Partial<Environment>
  /** Tests that fail on the base, by name. */
  readonly failing?: readonly string[]
  readonly contract: Partial<TaskSpec>
  /** Work that is wrong, with the tests that show it: what a cheat wants to get through. */
  readonly wrong: Work
  readonly honest: readonly Honest[]
  readonly cheats: readonly Cheat[]
}

export interface Need {
  readonly program: string
  /** How to get it on Debian. */
  readonly install: string
}

export const LEVELS: readonly Tier[] = ['low', 'normal', 'critical']

export interface Tried {
  /** Whether a gate that looks at nothing but the exit code lets it through. */
  readonly naive: boolean
  readonly verdicts: readonly Verdict[]
}

export const refusals = (verdicts: readonly Verdict[]): readonly Verdict[] =>
  verdicts.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'not_applicable')

/** The Node that runs this comes first, so that a project is tested by the one whose reports are known. */
const ENV = {
  ...process.env,
  PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
}
const TIMEOUT_MS = 60_000
const PLAN = 'shop'
const AT_ONCE = 2

/** So many at a time, the others in the order they came. */
class Turns {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(atOnce: number) {
    this.#free = atOnce
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }
}

export class CheatLab {
  readonly #folder: string
  readonly #project: Project
  readonly #workspace: PlanWorkspace
  readonly #gates: CommandGateRunner
  readonly #queue = new Turns(AT_ONCE)
  #tried = 0

  private constructor(parts: {
    readonly folder: string
    readonly project: Project
    readonly workspace: PlanWorkspace
    readonly gates: CommandGateRunner
  }) {
    this.#folder = parts.folder
    this.#project = parts.project
    this.#workspace = parts.workspace
    this.#gates = parts.gates
  }

  static async open(project: Project): Promise<CheatLab> {
    requireNeeds(project)
    const folder = tempFolder('cheats')
    const repo = join(folder, 'repo')
    write(repo, project.base)
    for (const args of [
      ['init', '-q', '-b', 'main'],
      ['add', '-A'],
      ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-qm', 'Start'],
    ])
      execFileSync('git', args, { cwd: repo })
    const state = join(folder, 'state')
    mkdirSync(state)
    const git = new Git({ path: ENV.PATH, home: folder })
    const user = await openUserRepository(git, repo)
    const quarantine = await Quarantine.open({ git, directory: state, objectFormat: user.objectFormat })
    const pools = { quarantine, directory: state }
    const evidenceDir = join(folder, 'evidence')
    const workspace = new PlanWorkspace({
      approvedSpec: () => null,
      git,
      user,
      quarantine,
      clones: new ClonePool(pools),
      clock: systemClock,
      parser,
      plan: PLAN,
      reviewFolder: 'docs/reviews',
      releaseFolder: 'docs/releases',
      provisioning: {
        quarantine,
        plan: 'shop',
        dependencies: new Dependencies(join(folder, 'workers')),
        environment: { setup: null },
        envFilesFrom: repo,
        processEnv: ENV,
        timeoutMs: TIMEOUT_MS,
        evidence: { store: new EvidenceStore(evidenceDir), folder: evidenceDir },
      },
    })
    const trees = new PlanTrees({ quarantine, slots: new CheckoutSlots(pools), workspace, plan: PLAN })
    const gates = new CommandGateRunner({
      checkouts: trees,
      changes: trees,
      parser,
      evidenceDir,
      cacheDir: join(folder, 'cache'),
      envFilesFrom: null,
      processEnv: ENV,
      timeoutMs: TIMEOUT_MS,
      reruns: 1,
      mutation: { of: 'critical', limitMs: 60_000 },
      followUps: () => [],
      ownFolders: ['docs/reviews', 'docs/releases'],
      environment: { setup: null, lint: null, typecheck: null, build: null, ...project.environment },
    })
    return new CheatLab({ folder, project, workspace, gates })
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }

  /** Writes the work as a worker would, and has it judged: in its folder by the exit code, and by Bosun's gates, or by `only` these. */
  attempt(honest: Honest, tier: Tier, only?: readonly GateName[]): Promise<Tried> {
    return this.#queue.run(() => this.#attempt(honest, tier, only))
  }

  async #attempt({ work, contract }: Honest, tier: Tier, only?: readonly GateName[]): Promise<Tried> {
    this.#tried += 1
    const task = String(this.#tried)
    const worker = `w-${PLAN}-${task}-1`
    const spec = aTask(task, { ...this.#project.contract, ...contract, tier })
    const given = { ports: [], signal: new AbortController().signal }
    const { path } = await this.#workspace.prepare(aJob(worker, { spec }), given)
    write(path, work)
    const naive = await this.#naive(path, work)
    const collected = await this.#workspace.collect({
      kind: 'collect_work',
      key: `collect ${worker}`,
      worker,
      task,
      ahead: [],
      landings: 0,
      attempt: 1,
    })
    if (collected.refused !== undefined) throw new Error(`the work was not collected: ${collected.refused}`)
    const due = dueFor(spec, collected)
    const gates = only === undefined ? due : due.filter((gate) => only.includes(gate))
    const baselineFailing = this.#project.failing ?? []
    const request = someGates({ key: `gates ${task}`, spec, tree: collected.tree, gates, baselineFailing })
    return { naive, verdicts: await this.#gates.run(request, given.signal) }
  }

  #naive(folder: string, work: Work): Promise<boolean> {
    const { test, testDirectly: directly } = this.#project
    const isLeftAlone = directly !== undefined && !directly.unless.some((file) => file in work)
    return new Promise((resolve, reject) => {
      const child = spawn(isLeftAlone ? directly.command : test, {
        cwd: folder,
        env: ENV,
        shell: true,
        stdio: 'ignore',
      })
      child.on('error', reject)
      child.on('close', (code) => resolve(code === 0))
    })
  }
}

const dueFor = (spec: TaskSpec, draft: Pick<Collected, 'changed' | 'scan'> | null = null): GateName[] => [
  ...gatesDue({ spec, recheck: null, draft } as TaskState),
]

/** What is asked of work on the project's task. */
export const gatesOf = ({ contract }: Project, tier: Tier): readonly GateName[] =>
  dueFor(aTask('1', { ...contract, tier }))

function requireNeeds({ language, needs }: Project): void {
  for (const { program, install } of needs) {
    try {
      execFileSync('sh', ['-c', `command -v ${program}`], { env: ENV, stdio: 'ignore' })
    } catch (error) {
      throw new Error(`the cheats in ${language} need ${program}: ${install}`, { cause: error })
    }
  }
}

function write(root: string, files: Work): void {
  for (const [path, left] of Object.entries(files)) {
    const at = join(root, path)
    rmSync(at, { recursive: true, force: true })
    if (left === null) continue
    mkdirSync(dirname(at), { recursive: true })
    if (typeof left === 'string') writeFileSync(at, left)
    else symlinkSync(left.linkTo, at)
  }
}
