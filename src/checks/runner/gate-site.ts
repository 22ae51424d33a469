/** A checkout prepared for gates with dependencies, env files, ports and a temporary folder; disposing of it removes them all. */
import { realpathSync } from 'node:fs'
import { lstat, readFile } from 'node:fs/promises'
import { commandText } from '../../core/test-reports/focus-command.ts'
import { keyLines } from '../../core/gates/key-lines.ts'
import { scriptIn } from '../../core/test-reports/runner.ts'
import { prepareCommand, setupReuse } from '../../core/repository-facts/setup-cache.ts'
import { outOfProcesses } from '../../core/gates/out-of-processes.ts'
import { judgeRun } from '../../core/gates/verdicts.ts'
import type { Ending, RunEvidence } from '../../core/event-schemas/evidence.ts'
import { envFilePaths } from '../../core/planning/brief/env-files.ts'
import type { Command } from '../../core/planning/plan.ts'
import { placeFiles, removeFiles } from '../../lib/files/env-file-copies.ts'
import type { Environment } from '../../lib/process/built-environment.ts'
import { commandEnvironment } from '../../lib/process/command-environment.ts'
import type { RunningChecks } from './running-checks.ts'
import { OutputKeeper, textOf } from '../../lib/process/output-keeper.ts'
import { runCapped, type CappedOutcome } from '../../lib/process/run-capped.ts'
import { terminalLine, terminalText } from '../../lib/text/terminal-text.ts'
import type { Checkout, CheckoutPurpose } from '../../ports/checkouts.ts'
import { expireTestResults, type HomeCaches } from '../homes/home-caches.ts'
import { restoreHome, withHome, type GateHome, type HomePool } from '../homes/home-pool.ts'
import { definitionSha256 } from './definition.ts'
import { CheckoutFiles } from './checkout-files.ts'
import type { GateOptions } from './gate-options.ts'
import { leftSince, look, type Sight } from './left-behind.ts'
import type { DependencyCache } from './dependency-cache.ts'
import type { EvidenceStore } from '../../lib/files/evidence-store.ts'
import type { PortLeases } from '../../lib/files/port-leases.ts'

export interface SiteParts extends Pick<
  GateOptions,
  'checkouts' | 'processEnv' | 'envFilesFrom' | 'timeoutMs' | 'shells' | 'onInstalled'
> {
  readonly evidence: EvidenceStore
  readonly dependencies: DependencyCache
  readonly ports: PortLeases
  readonly homes: HomePool
  readonly homeCaches?: HomeCaches | undefined
  readonly envFiles: readonly string[]
  readonly portCount: number
  readonly running?: RunningChecks
}

export interface SiteRequest {
  readonly tree: string
  readonly purpose: CheckoutPurpose
  readonly signal: AbortSignal
  /** The task whose gates run here, if any. */
  readonly task?: string
}

/** Evidence and output of one command; the output is bounded and free of escape sequences. */
export interface Ran {
  readonly evidence: RunEvidence
  readonly text: string
  /** Standard output only. */
  readonly stdout: string
}

const KEPT_OUTPUT_BYTES = 8 * 1024 * 1024
export const MAX_REPORT_BYTES = 64 * 1024 * 1024

export class GateSite {
  readonly files: CheckoutFiles
  readonly tree: string
  /** The path of the checkout and its real path. */
  readonly folders: readonly string[]
  readonly #parts: SiteParts
  readonly #request: SiteRequest
  readonly #env: Environment
  readonly #own: GateHome
  #setup: Command | null = null
  #reused: string | null = null
  #keptAt: string | null = null
  #cached: Promise<void> | null = null
  readonly #passed = new Set<string>()
  readonly #leave: () => Promise<void>

  private constructor(site: {
    readonly parts: SiteParts
    readonly request: SiteRequest
    readonly folders: readonly string[]
    readonly env: Environment
    readonly own: GateHome
    readonly leave: () => Promise<void>
  }) {
    this.#parts = site.parts
    this.#request = site.request
    this.#env = site.env
    this.#own = site.own
    this.#leave = site.leave
    this.tree = site.request.tree
    this.folders = site.folders
    this.files = new CheckoutFiles(this.root, site.folders[1])
  }

  get root(): string {
    return this.folders[0] ?? ''
  }

  static async open(parts: SiteParts, request: SiteRequest): Promise<GateSite> {
    const checkout = await parts.checkouts.checkout(request.tree, request.purpose)
    const undo: (() => Promise<void> | void)[] = [() => checkout.release()]
    const leave = async (): Promise<void> => {
      for (const step of undo.splice(0).reverse()) await step()
    }
    try {
      undo.push(() => parts.dependencies.giveBack(checkout.path))
      const own = parts.homes.take()
      undo.push(() => parts.homes.giveBack(own))
      if (request.purpose === 'baseline') undo.push(() => parts.homeCaches?.keep(own.home))
      const lease = await parts.ports.lease(parts.portCount)
      undo.push(() => lease.release())
      undo.push(await placeEnvFiles(parts, checkout))
      const folders = [checkout.path, realpathSync.native(checkout.path)]
      const env = commandEnvironment(parts.processEnv, { ports: lease.ports, temporary: own.folder })
      return new GateSite({ parts, request, folders, env, own, leave })
    } catch (error) {
      await leave()
      throw error
    }
  }

  /** A note for verdicts if dependencies without a lock file were reused. */
  get reused(): string | null {
    return this.#reused
  }

  /** Idempotent. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#leave()
  }

  /** The package.json script that a command runs, and whether it has pre or post scripts. */
  script(command: Command): { readonly script: string | null; readonly isHooked: boolean } {
    const name = scriptIn(command)
    const scripts = this.#scripts()
    if (name === null) return { script: null, isHooked: false }
    const isHooked = Object.hasOwn(scripts, `pre${name}`) || Object.hasOwn(scripts, `post${name}`)
    return { script: scripts[name] ?? null, isHooked }
  }

  #scripts(): Readonly<Record<string, string>> {
    try {
      const text = this.files.text('package.json') ?? 'null'
      const manifest = JSON.parse(text) as { readonly scripts?: Readonly<Record<string, unknown>> } | null
      const scripts = Object.entries(manifest?.scripts ?? {})
      return Object.fromEntries(
        scripts.flatMap(([name, run]) => (typeof run === 'string' ? [[name, run]] : [])),
      )
    } catch {
      // An unreadable manifest has no scripts.
      return {}
    }
  }

  /** A new path outside the checkout for a runner's report; `take` reads and removes the file. */
  reportPlace(): { readonly path: string; readonly take: () => Promise<string | null> } {
    const file = this.#parts.evidence.open()
    return {
      path: file.path,
      take: async () => {
        const text = await textIn(file.path)
        this.#parts.evidence.drop(file)
        return text
      },
    }
  }

  /** Null if the setup succeeded, else its run. `isAltered`: the files are not those of the tree. */
  async setUp(setup: Command | null, { isAltered = false } = {}): Promise<Ran | null> {
    if (setup === null) return null
    this.#setup = setup
    const { files } = this.files.listing()
    const reuse = setupReuse(setup, files, (path) => this.files.text(path))
    if (reuse === null || (reuse === 'tree' && isAltered)) return this.#install(setup)
    const before = look(this.root)
    const failed = await (reuse === 'inputs'
      ? this.#installInputs(setup, files)
      : this.#installTree(setup, { before, isAltered, files: reuse === 'packages' ? files : null }))
    if (failed === null && this.#request.purpose === 'baseline') {
      const entries = leftSince(before, this.root).added
      await this.#parts.onInstalled?.({
        tree: this.tree,
        root: this.root,
        setup: commandText(setup),
        entries,
        keptAt: this.#keptAt,
      })
    }
    return failed
  }

  async #install(setup: Command): Promise<Ran | null> {
    const ran = await this.#run(setup, setup, this.#env)
    return judgeRun(ran.evidence).outcome === 'passed' ? null : ran
  }

  async #installInputs(setup: Command, files: ReadonlySet<string>): Promise<Ran | null> {
    const { dependencies } = this.#parts
    const key = await dependencies.keyFor(this.root, files, commandText(setup))
    this.#keptAt = key === null ? null : dependencies.place(key.hash)
    if (key !== null && (await dependencies.restore(key.hash, this.root))) {
      if (key.keyedBy === 'manifests')
        this.#reused = `dependencies reused, keyed by ${key.keyFiles} (no lock file)`
      return null
    }
    const failed = await this.#install(setup)
    if (failed === null && key !== null) await dependencies.keep(key.hash, this.root)
    return failed
  }

  /** `files`: where its packages can come from another tree; null where they cannot. */
  async #installTree(
    setup: Command,
    how: { readonly before: Sight; readonly isAltered: boolean; readonly files: ReadonlySet<string> | null },
  ): Promise<Ran | null> {
    const { dependencies } = this.#parts
    const of = { tree: this.tree, setup: commandText(setup) }
    if (!how.isAltered && (await dependencies.restoreTree(of, this.root))) return null
    const key = how.files === null ? null : await dependencies.keyFor(this.root, how.files, of.setup)
    const hasPackages = key !== null && (await dependencies.restore(key.hash, this.root))
    const failed = await this.#install(hasPackages ? prepareCommand(setup) : setup)
    if (failed !== null) return failed
    // What a draft prepares may reach into its packages, so those come from the start commit alone.
    if (key !== null && !hasPackages && this.#request.purpose === 'baseline')
      await dependencies.keep(key.hash, this.root)
    const { added, changed, removed } = leftSince(how.before, this.root)
    if (!how.isAltered && removed.length === 0)
      await dependencies.keepTree(of, this.root, [...added, ...changed])
    return null
  }

  /** `called` is the command to record if `command` has extra arguments. */
  async run(command: Command, called: Command = command): Promise<Ran> {
    return this.#run(command, called, await this.#atHome())
  }

  /** Whether it was run here and exited with 0. */
  hasPassed(command: Command): boolean {
    return this.#passed.has(commandText(command))
  }

  /** Runs with a shorter timeout. */
  async runWithin(command: Command, limitMs: number): Promise<Ran> {
    const timeoutMs = Math.min(this.#parts.timeoutMs, Math.ceil(limitMs))
    return this.#run(command, command, await this.#atHome(), timeoutMs)
  }

  async #atHome(): Promise<Environment> {
    restoreHome(this.#own)
    const { home } = this.#own
    await (this.#cached ??= this.#parts.homeCaches?.give(home) ?? Promise.resolve())
    expireTestResults(home)
    return withHome(this.#env, this.#own.home)
  }

  async #run(
    command: Command,
    called: Command,
    env: Environment,
    timeoutMs = this.#parts.timeoutMs,
  ): Promise<Ran> {
    const file = this.#parts.evidence.open()
    const stdout = new OutputKeeper(KEPT_OUTPUT_BYTES)
    const { task } = this.#request
    const shown = task === undefined ? null : this.#parts.running?.begin(task, commandText(called))
    const { outcome, output, durationMs, survivors } = await runCapped({
      command,
      cwd: this.root,
      env,
      timeoutMs,
      maxOutputBytes: KEPT_OUTPUT_BYTES,
      outputFile: file,
      onOutput: (chunk, from) => {
        if (from === 'stdout') stdout.add(chunk)
        shown?.output(chunk)
      },
      signal: this.#request.signal,
      shells: this.#parts.shells,
    })
      .catch((error: unknown) => {
        this.#parts.evidence.drop(file)
        throw error
      })
      .finally(() => shown?.end())
    if (survivors.length > 0) this.#parts.dependencies.forget(this.root)
    const text = terminalText(textOf(output))
    if (outcome.kind === 'exited' && outcome.code === 0) this.#passed.add(commandText(called))
    const storedAt = await this.#parts.evidence.keep(file, output)
    const evidence: RunEvidence = {
      command: terminalLine(commandText(called)).slice(0, 500),
      tree: this.tree,
      on: this.#request.purpose === 'base' ? 'base' : 'tree',
      ending: endingOf(outcome, text),
      durationMs: Math.round(durationMs),
      counts: null,
      keyLines: keyLines(text),
      outputSha256: storedAt === null ? null : output.sha256,
      storedAt,
      commandSha256: definitionSha256({ command: called, setup: this.#setup, env }),
    }
    return { evidence, text, stdout: terminalText(textOf(stdout.finish())) }
  }
}

/** Null if it is not a plain file, or too large. */
async function textIn(path: string): Promise<string | null> {
  try {
    const found = await lstat(path)
    return found.isFile() && found.size <= MAX_REPORT_BYTES ? await readFile(path, 'utf8') : null
  } catch {
    // The runner stopped before writing it.
    return null
  }
}

/** A machine without room for another process says nothing about the work. */
function endingOf(outcome: CappedOutcome, output: string): Ending {
  const line = outcome.kind === 'exited' && outcome.code !== 0 ? outOfProcesses(output) : null
  if (line === null) return outcome
  const reason = `process limit of this machine reached (${line}); see ulimit -u`
  return { kind: 'not_started', reason: terminalLine(reason) }
}

/** Copies env files from the user's work tree; never overwrites files of the tree. */
async function placeEnvFiles(parts: SiteParts, { path: to }: Checkout): Promise<() => Promise<void>> {
  const from = parts.envFilesFrom
  const paths = from === null ? [] : envFilePaths(parts.envFiles)
  const placed = await placeFiles({ from: from ?? '', to, paths })
  return () => removeFiles(to, placed)
}
