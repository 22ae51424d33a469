/** A checkout made ready for gates: dependencies, environment files, ports, a temporary folder; all gone afterwards. */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandText } from '../core/gates/focus-command.ts'
import { keyLines } from '../core/gates/key-lines.ts'
import { isReusableSetup } from '../core/gates/setup-cache.ts'
import { judgeRun } from '../core/gates/verdicts.ts'
import type { Ending, RunEvidence } from '../core/events/evidence.ts'
import { envFilePaths } from '../core/planning/env-files.ts'
import { nameOf } from '../core/planning/paths.ts'
import type { Command } from '../core/planning/plan.ts'
import { placeFiles, removeFiles } from '../lib/loose-files.ts'
import type { Environment } from '../lib/process/built-environment.ts'
import { commandEnvironment } from '../lib/process/command-environment.ts'
import { OutputKeeper, textOf } from '../lib/process/output-keeper.ts'
import { runCapped, type CappedOutcome } from '../lib/process/run-capped.ts'
import { terminalLine, terminalText } from '../lib/terminal-text.ts'
import type { Checkout, CheckoutPurpose, Checkouts } from '../ports/checkouts.ts'
import { CheckoutFiles } from './checkout-files.ts'
import type { DependencyCache } from './dependency-cache.ts'
import type { EvidenceStore } from '../lib/evidence-store.ts'
import type { PortLeases } from '../lib/port-leases.ts'

export interface SiteParts {
  readonly checkouts: Checkouts
  readonly evidence: EvidenceStore
  readonly dependencies: DependencyCache
  readonly ports: PortLeases
  /** What Bosun was started with; only what a program needs is passed on. */
  readonly processEnv: Readonly<Record<string, string | undefined>>
  /** The user's work tree, where files that are not in git come from. */
  readonly envFilesFrom: string | null
  readonly envFiles: readonly string[]
  readonly portCount: number
  readonly timeoutMs: number
}

export interface SiteRequest {
  readonly tree: string
  readonly purpose: CheckoutPurpose
  readonly signal: AbortSignal
}

/** What one command did, and everything it said (bounded, without escape sequences). */
export interface Ran {
  readonly evidence: RunEvidence
  readonly text: string
  /** What it said on stdout alone. */
  readonly stdout: string
}

const KEPT_OUTPUT_BYTES = 8 * 1024 * 1024

export class GateSite {
  readonly files: CheckoutFiles
  readonly tree: string
  /** The folder as it was given, and as the system calls it. */
  readonly folders: readonly string[]
  readonly #parts: SiteParts
  readonly #request: SiteRequest
  readonly #env: Environment
  readonly #leave: () => Promise<void>

  private constructor(site: {
    readonly parts: SiteParts
    readonly request: SiteRequest
    readonly folders: readonly string[]
    readonly env: Environment
    readonly leave: () => Promise<void>
  }) {
    this.#parts = site.parts
    this.#request = site.request
    this.#env = site.env
    this.#leave = site.leave
    this.tree = site.request.tree
    this.folders = site.folders
    this.files = new CheckoutFiles(this.root)
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
      const temporary = await mkdtemp(join(tmpdir(), 'bosun-gate-'))
      undo.push(() => rm(temporary, { recursive: true, force: true }))
      const lease = await parts.ports.lease(parts.portCount)
      undo.push(() => lease.release())
      undo.push(await placeEnvFiles(parts, checkout))
      const folders = [checkout.path, await realpath(checkout.path)]
      const env = commandEnvironment(parts.processEnv, { ports: lease.ports, temporary })
      return new GateSite({ parts, request, folders, env, leave })
    } catch (error) {
      await leave()
      throw error
    }
  }

  /** Idempotent. */
  async close(): Promise<void> {
    await this.#leave()
  }

  /** What the script behind `npm test` runs. */
  testScript(): string | null {
    try {
      const text = this.files.text('package.json') ?? 'null'
      const manifest = JSON.parse(text) as { readonly scripts?: { readonly test?: unknown } } | null
      const script = manifest?.scripts?.test
      return typeof script === 'string' ? script : null
    } catch {
      // A manifest that cannot be read names no script.
      return null
    }
  }

  /** Null when all is ready; else the run that shows why not. */
  async setUp(setup: Command | null): Promise<Ran | null> {
    if (setup === null) return null
    const text = commandText(setup)
    const { files } = this.files.listing()
    const manifests = [...files].filter((path) => nameOf(path) === 'package.json')
    const isReusable =
      files.has('package.json') &&
      isReusableSetup(
        setup,
        manifests.map((path) => this.files.text(path)),
      )
    const key = isReusable ? await this.#parts.dependencies.keyFor(this.root, files, text) : null
    if (key !== null && (await this.#parts.dependencies.restore(key, this.root))) return null
    const ran = await this.run(setup)
    if (judgeRun(ran.evidence).outcome !== 'passed') return ran
    if (key !== null) await this.#parts.dependencies.keep(key, this.root)
    return null
  }

  async run(command: Command): Promise<Ran> {
    const file = this.#parts.evidence.open()
    const said = new OutputKeeper(KEPT_OUTPUT_BYTES)
    const { outcome, output, durationMs } = await runCapped({
      command,
      cwd: this.root,
      env: this.#env,
      timeoutMs: this.#parts.timeoutMs,
      maxOutputBytes: KEPT_OUTPUT_BYTES,
      outputFile: file,
      onOutput: (chunk, from) => {
        if (from === 'stdout') said.add(chunk)
      },
      signal: this.#request.signal,
    })
    const isSilent = output.totalBytes === 0
    const text = terminalText(textOf(output))
    const storedAt = isSilent ? null : await this.#parts.evidence.keep(file, output.sha256)
    if (isSilent) await this.#parts.evidence.drop(file)
    const evidence: RunEvidence = {
      command: terminalLine(commandText(command)).slice(0, 500),
      tree: this.tree,
      on: this.#request.purpose === 'base' ? 'base' : 'tree',
      ending: endingOf(outcome),
      durationMs: Math.round(durationMs),
      counts: null,
      keyLines: keyLines(text),
      outputSha256: isSilent ? null : output.sha256,
      storedAt,
    }
    return { evidence, text, stdout: terminalText(textOf(said.finish())) }
  }
}

function endingOf(outcome: CappedOutcome): Ending {
  switch (outcome.kind) {
    case 'exited':
    case 'signalled':
    case 'aborted':
      return outcome
    case 'timed_out':
      return { kind: 'timed_out', afterMs: Math.round(outcome.afterMs) }
    case 'not_started':
      return { kind: 'not_started', reason: terminalLine(outcome.why) }
  }
}

/** Files that are not in git, copied from the user's work tree; what the tree itself holds is not overwritten. */
async function placeEnvFiles(parts: SiteParts, { path: to }: Checkout): Promise<() => Promise<void>> {
  const from = parts.envFilesFrom
  const paths = from === null ? [] : envFilePaths(parts.envFiles)
  const placed = await placeFiles({ from: from ?? '', to, paths })
  return () => removeFiles(to, placed)
}
