/** What the gates of one task share: its change, the checkout of the work, and whatever is enough to run or parse once. */
import type { RunGates } from '../../core/decide/effects.ts'
import { changeTrees, sidesToParse, type Change, type ChangeTrees } from '../../core/gates/change.ts'
import type { HeldSecret } from '../../core/gates/secrets/secret-values.ts'
import { NO_BASE, type BaseTests } from '../../core/gates/tests/judge-tests.ts'
import { isTestPath } from '../../core/languages/paths.ts'
import type { CheckoutPurpose } from '../../ports/checkouts.ts'
import type { Parser } from '../../ports/parser.ts'
import { NO_CANARY, tryCanary, type CanaryResult } from '../proofs/run-canary.ts'
import type { BaseSuites, SuiteResult } from './base-suite.ts'
import type { GateOptions } from './commands.ts'
import type { GateSite } from './gate-site.ts'
import type { SiteRuns } from './site-runs.ts'

interface ProofParts {
  readonly options: GateOptions
  readonly request: RunGates
  readonly signal: AbortSignal
  readonly change: Change
  /** On the work. */
  readonly runs: SiteRuns
  readonly open: (tree: string, purpose: CheckoutPurpose) => Promise<GateSite>
  readonly suites: BaseSuites
  readonly knownSecrets: readonly HeldSecret[]
}

export class TaskProof {
  readonly options: GateOptions
  readonly request: RunGates
  readonly signal: AbortSignal
  readonly change: Change
  readonly runs: SiteRuns
  readonly knownSecrets: readonly HeldSecret[]
  /** Of the start commit, for runs that are not compared with the suite on the base. */
  readonly before: BaseTests
  readonly #parts: ProofParts
  /** Test files that the contract deletes, looked for before files of the base are restored. */
  readonly #without: readonly string[]
  #canary: Promise<CanaryResult> | null = null
  #trees: Promise<ChangeTrees> | null = null

  constructor(parts: ProofParts) {
    this.#parts = parts
    this.options = parts.options
    this.request = parts.request
    this.signal = parts.signal
    this.change = parts.change
    this.runs = parts.runs
    this.knownSecrets = parts.knownSecrets
    this.before = { ...NO_BASE, failing: parts.request.baselineFailing }
    const { files } = parts.runs.site
    this.#without = parts.request.spec.files.delete.filter((path) => isTestPath(path) && files.isGone(path))
  }

  /** A fresh site of the base. */
  openBase(): Promise<GateSite> {
    return this.#parts.open(this.change.base, 'base')
  }

  /** Another checkout of the work, in which no command has run. Mutants and canaries may be written to it, so it shares no runs. */
  async openFresh(): Promise<SiteRuns> {
    return this.runs.on(await this.#parts.open(this.request.tree, 'gates'))
  }

  /** The suite on the base, from an earlier run of it where there is one; null without a test command. */
  baseSuite(reuse: 'kept' | 'nothing' = 'kept'): Promise<SuiteResult | null> {
    const { commands } = this.runs
    const call = { tree: this.change.base, commands, without: this.#without, signal: this.signal, reuse }
    return this.#parts.suites.result(call, () => this.openBase())
  }

  /** Tests that must fail beside those of the work. */
  canary(): Promise<CanaryResult> {
    const { test } = this.runs.commands
    this.#canary ??= test === null ? Promise.resolve(NO_CANARY) : tryCanary(this, test)
    return this.#canary
  }

  /** The files of the change. */
  trees(): Promise<ChangeTrees> {
    this.#trees ??= parseChange(this.options.parser, this.change)
    return this.#trees
  }
}

/** Parses the files of a change before and after it. */
export async function parseChange(parser: Parser, change: Change): Promise<ChangeTrees> {
  const files = sidesToParse(change)
  return changeTrees(await parser.parse(files.before), await parser.parse(files.after))
}
