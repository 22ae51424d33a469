/** A checkout prepared for gates with dependencies, env files, ports and a temporary folder; disposing of it removes them all. */
import { randomUUID } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { lstat, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { commandText, scriptIn } from '../../core/test-reports/runner.ts'
import { jsonObject, mapping } from '../../core/gates/documents.ts'
import { keyLines, outOfProcesses } from '../../core/gates/command-output.ts'
import { prepareCommand, setupReuse } from '../../core/repository-facts/setup-cache.ts'
import { judgeRun } from '../../core/gates/verdicts.ts'
import type { Ending, RunEvidence } from '../../core/event-schemas/evidence.ts'
import { envFilePaths } from '../../core/planning/brief/nearby-files.ts'
import type { Command } from '../../core/planning/plan.ts'
import { placeFiles, removeFiles } from '../../lib/files/env-file-copies.ts'
import { commandEnvironment, type Environment } from '../../lib/process/built-environment.ts'
import type { RunningChecks } from './check-slots.ts'
import { OutputKeeper, textOf, type EvidenceStore } from '../../lib/process/output-keeper.ts'
import { runCapped, type CappedOutcome } from '../../lib/process/run-capped.ts'
import type { Redactor } from '../../lib/text/redactor.ts'
import { terminalLine, terminalText } from '../../lib/text/terminal-text.ts'
import type { Checkout, CheckoutPurpose } from '../../ports/checkouts.ts'
import {
  expireTestResults,
  restoreHome,
  withHome,
  type HomeCaches,
  type GateHome,
  makeHome,
  removeHome,
} from '../gate-homes.ts'
import { definitionSha256, type GateOptions } from './commands.ts'
import { CheckoutFiles } from './checkout-files.ts'
import { leftSince, look, type Sight, type DependencyCache } from './dependency-cache.ts'
import type { PortLeases } from '../../lib/files/port-leases.ts'

export interface SiteParts extends Pick<
  GateOptions,
  'checkouts' | 'processEnv' | 'envFilesFrom' | 'timeoutMs' | 'onInstalled' | 'walls'
> {
  readonly evidence: EvidenceStore
  readonly dependencies: DependencyCache
  readonly ports: PortLeases
  readonly homeCaches?: HomeCaches | undefined
  readonly envFiles: readonly string[]
  readonly portCount: number
  /** `false`: commands reach only what they start themselves, but for the set-up. */
  readonly network?: boolean | undefined
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
  /** As it was printed, for readers of reports. */
  readonly text: string
  /** The same without secrets, for what is kept of it. */
  readonly shown: string
  /** Standard output only. */
  readonly stdout: string
}

const KEPT_OUTPUT_BYTES = 8 * 1024 * 1024
export const MAX_REPORT_BYTES = 64 * 1024 * 1024

interface Opened {
  readonly parts: SiteParts
  readonly request: SiteRequest
  readonly root: string
  readonly env: Environment
  readonly own: GateHome
  /** Removes all that was placed. */
  readonly undo: AsyncDisposableStack
}

export class GateSite {
  readonly files: CheckoutFiles
  readonly root: string
  readonly tree: string
  /** The path of the checkout and its real path. */
  readonly folders: readonly string[]
  readonly #opened: Opened
  #setup: Command | null = null
  #reused: string | null = null
  #cached: Promise<void> | null = null
  readonly #passed = new Set<string>()

  private constructor(opened: Opened) {
    this.#opened = opened
    this.root = opened.root
    this.tree = opened.request.tree
    const real = realpathSync.native(this.root)
    this.folders = [this.root, real]
    this.files = new CheckoutFiles(this.root, real)
  }

  static async open(parts: SiteParts, request: SiteRequest): Promise<GateSite> {
    await using undo = new AsyncDisposableStack()
    const checkout = await parts.checkouts.checkout(request.tree, request.purpose)
    undo.defer(() => checkout.release())
    const own = makeHome()
    undo.defer(() => removeHome(own))
    if (request.purpose === 'baseline') undo.defer(() => parts.homeCaches?.keep(own.home))
    const lease = await parts.ports.lease(parts.portCount)
    undo.defer(() => lease.release())
    undo.defer(await placeEnvFiles(parts, checkout))
    const env = commandEnvironment(parts.processEnv, { ports: lease.ports, temporary: own.folder })
    return new GateSite({ parts, request, root: checkout.path, env, own, undo: undo.move() })
  }

  /** Takes secrets out of what is kept. */
  get hide(): Redactor {
    return this.#opened.parts.evidence.hide
  }

  /** A note for verdicts if dependencies without a lock file were reused. */
  get reused(): string | null {
    return this.#reused
  }

  /** Idempotent. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.undo.disposeAsync()
  }

  /** The package.json script that a command runs, and whether it has pre or post scripts. */
  script(command: Command): { readonly script: string | null; readonly isHooked: boolean } {
    const name = scriptIn(command)
    if (name === null) return { script: null, isHooked: false }
    // An unreadable manifest has no scripts.
    const scripts = mapping(jsonObject(this.files.text('package.json') ?? '')?.['scripts'])
    const scriptOf = (key: string): string | null => {
      const script = Object.hasOwn(scripts, key) ? scripts[key] : null
      return typeof script === 'string' ? script : null
    }
    const isHooked = scriptOf(`pre${name}`) !== null || scriptOf(`post${name}`) !== null
    return { script: scriptOf(name), isHooked }
  }

  /** A new path outside the checkout for a runner's report; `take` reads and removes the file. */
  reportPlace(): { readonly path: string; readonly take: () => Promise<string | null> } {
    const path = join(this.#opened.own.folder, `report-${randomUUID()}`)
    return {
      path,
      take: async () => {
        const text = await textIn(path)
        await rm(path, { recursive: true, force: true })
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
    if (failed === null && this.#opened.request.purpose === 'baseline') {
      const entries = leftSince(before, this.root).added
      await this.#opened.parts.onInstalled?.({
        tree: this.tree,
        root: this.root,
        setup: commandText(setup),
        entries,
      })
    }
    return failed
  }

  async #install(setup: Command): Promise<Ran | null> {
    const ran = await this.#run(setup, setup, this.#opened.env, { network: 'open' })
    return judgeRun(ran.evidence).outcome === 'passed' ? null : ran
  }

  async #installInputs(setup: Command, files: ReadonlySet<string>): Promise<Ran | null> {
    const { dependencies } = this.#opened.parts
    const key = await dependencies.keyFor(this.root, files, commandText(setup))
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
    const { dependencies } = this.#opened.parts
    const of = { tree: this.tree, setup: commandText(setup) }
    if (!how.isAltered && (await dependencies.restoreTree(of, this.root))) return null
    const key = how.files === null ? null : await dependencies.keyFor(this.root, how.files, of.setup)
    const hasPackages = key !== null && (await dependencies.restore(key.hash, this.root))
    const failed = await this.#install(hasPackages ? prepareCommand(setup) : setup)
    if (failed !== null) return failed
    // What a draft prepares may reach into its packages, so those come from the start commit alone.
    if (key !== null && !hasPackages && this.#opened.request.purpose === 'baseline')
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
    const timeoutMs = Math.min(this.#opened.parts.timeoutMs, Math.ceil(limitMs))
    return this.#run(command, command, await this.#atHome(), { timeoutMs })
  }

  async #atHome(): Promise<Environment> {
    const { env, own, parts } = this.#opened
    restoreHome(own)
    await (this.#cached ??= parts.homeCaches?.give(own.home) ?? Promise.resolve())
    expireTestResults(own.home)
    return withHome(env, own.home)
  }

  async #run(
    command: Command,
    called: Command,
    env: Environment,
    {
      timeoutMs = this.#opened.parts.timeoutMs,
      network = this.#opened.parts.network === false ? 'none' : 'open',
    }: { readonly timeoutMs?: number; readonly network?: 'open' | 'none' } = {},
  ): Promise<Ran> {
    const file = this.#opened.parts.evidence.open()
    const stdout = new OutputKeeper(KEPT_OUTPUT_BYTES)
    const { task } = this.#opened.request
    const progress = task === undefined ? null : this.#opened.parts.running?.begin(task, commandText(called))
    const { outcome, output, durationMs } = await runCapped({
      command,
      cwd: this.root,
      env,
      timeoutMs,
      maxOutputBytes: KEPT_OUTPUT_BYTES,
      outputFile: file,
      walls: this.#opened.parts.walls?.({ writable: [this.root, this.#opened.own.folder], network }),
      onOutput: (chunk, from) => {
        if (from === 'stdout') stdout.add(chunk)
        progress?.output(chunk)
      },
      signal: this.#opened.request.signal,
    })
      .catch((error: unknown) => {
        this.#opened.parts.evidence.drop(file)
        throw error
      })
      .finally(() => progress?.end())
    const { hide } = this
    const text = terminalText(textOf(output))
    const shown = hide.text(text)
    if (outcome.kind === 'exited' && outcome.code === 0) this.#passed.add(commandText(called))
    const storedAt = await this.#opened.parts.evidence.keep(file, output)
    const evidence: RunEvidence = {
      command: hide.text(terminalLine(commandText(called))).slice(0, 500),
      tree: this.tree,
      on: this.#opened.request.purpose === 'base' ? 'base' : 'tree',
      ending: endingOf(outcome, shown),
      durationMs: Math.round(durationMs),
      counts: null,
      keyLines: keyLines(shown),
      outputSha256: storedAt === null ? null : output.sha256,
      storedAt,
      commandSha256: definitionSha256({ command: called, setup: this.#setup, env }),
    }
    return { evidence, text, shown, stdout: terminalText(textOf(stdout.finish())) }
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
