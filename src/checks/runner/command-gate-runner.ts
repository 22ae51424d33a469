/** Runs gates in clean checkouts of exactly the trees they judge. */
import { join } from 'node:path'
import type { ChecksAtStart, RunGates, RunReleaseGate } from '../../core/decide/effects.ts'
import type { Verdict } from '../../core/event-schemas/schemas.ts'
import { verdict } from '../../core/gates/verdicts.ts'
import { listingAfter, pathsToRestore } from '../../core/gates/integrity/restore-protected.ts'
import { NO_BASE } from '../../core/gates/tests/judge-tests.ts'
import type { Command } from '../../core/planning/plan.ts'
import type { GateRunner, ReleaseVerdict } from '../../ports/gate-runner.ts'
import { secretsOfEnvFiles } from './checkout-files.ts'
import { BaseSuites, PassedCommands } from './base-suite.ts'
import { takeTestBaseline, findTests, type BaselineRequest, type TestBaseline } from '../baseline/baseline.ts'
import { withChoices, findingsOf, StartFindings } from '../baseline/chosen-checks.ts'
import { commandsFor, type Commands, type GateOptions } from './commands.ts'
import { DependencyCache } from './dependency-cache.ts'
import { EvidenceStore } from '../../lib/process/output-keeper.ts'
import { GateSite, type SiteParts } from './gate-site.ts'
import { tryMigrations } from '../proofs/further-proofs.ts'
import { PortLeases } from '../../lib/files/port-leases.ts'
import { RunningChecks, type RunningCheck } from './check-slots.ts'
import { SiteRuns, type AppliedChoices } from './site-runs.ts'
import { abortedVerdict, noTodoLeft, runTaskGates, testVerdict } from './task-gates.ts'
import { TaskProof } from './task-proof.ts'
import { RELEASE_GATES } from '../../core/planning/gates.ts'
import type { CheckoutPurpose } from '../../ports/checkouts.ts'

export class CommandGateRunner implements GateRunner {
  readonly #options: GateOptions
  /** Shared by all sites of this plan. */
  readonly parts: SiteParts
  readonly #suites: BaseSuites
  readonly #passed = new PassedCommands()
  readonly #running = new RunningChecks()
  readonly #findings: StartFindings

  constructor(options: GateOptions) {
    this.#options = options
    this.#suites = new BaseSuites(join(options.cacheDir, 'suites'))
    this.#findings = new StartFindings(join(options.cacheDir, 'findings'))
    this.parts = {
      ...options,
      evidence: new EvidenceStore(options.evidenceDir, options.hide),
      dependencies: new DependencyCache(join(options.cacheDir, 'dependencies'), options.plan),
      ports: options.ports ?? new PortLeases(),
      envFiles: options.environment.env_files ?? [],
      portCount: options.environment.ports ?? 0,
      network: options.environment.network,
      running: this.#running,
    }
  }

  /** The command that runs for a task now, if any. */
  running(task: string): RunningCheck | null {
    return this.#running.of(task)
  }

  run(request: RunGates, signal: AbortSignal): Promise<readonly Verdict[]> {
    return this.#inSlot(signal, () => this.#run(request, signal))
  }

  runRelease(request: RunReleaseGate, signal: AbortSignal): Promise<ReleaseVerdict> {
    return this.#inSlot(signal, () => this.#runRelease(request, signal))
  }

  #inSlot<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const { checkSlots } = this.#options
    return checkSlots === undefined ? work() : checkSlots.run(signal, work)
  }

  async #run(request: RunGates, signal: AbortSignal): Promise<readonly Verdict[]> {
    const { spec, attempt } = request
    const open = (tree: string, purpose: CheckoutPurpose) =>
      GateSite.open(this.parts, { tree, purpose, signal, task: spec.id })
    const [changed, opened] = await Promise.allSettled([
      this.#options.changes.changeOf({ task: spec.id, attempt, tree: request.tree }),
      open(request.tree, 'gates'),
    ])
    if (opened.status === 'rejected') throw opened.reason
    await using site = opened.value
    if (changed.status === 'rejected') throw changed.reason
    const change = changed.value
    const openBase = () => open(change.base, 'base')
    const found = await this.#commands({ site, openBase, restored: pathsToRestore(change, spec) })
    const { commands, chosen } = this.#chosen(found, request.atStart ?? null, signal)
    const { test, lint, typecheck, build } = commands
    const plain = [test?.command ?? null, lint, typecheck, build]
    const manifest = site.files.lines('package.json')
    const restore = { paths: pathsToRestore(change, spec, { commands: plain, manifest }), openBase }
    const shared = { suites: this.#suites, commands: this.#passed, by: `task ${spec.id}` }
    const runs = new SiteRuns(site, commands, { restore, chosen, shared })
    const knownSecrets = [
      ...(this.#options.knownSecrets?.({ task: spec.id, attempt }) ?? []),
      ...secretsOfEnvFiles(this.parts.envFilesFrom, this.parts.envFiles),
    ]
    const [options, suites] = [this.#options, this.#suites]
    const proof = new TaskProof({ options, request, signal, change, runs, open, suites, knownSecrets })
    return await runTaskGates(proof)
  }

  async #runRelease(request: RunReleaseGate, signal: AbortSignal): Promise<ReleaseVerdict> {
    const tree = await this.#options.changes.provenTree()
    await using site = await GateSite.open(this.parts, { tree, purpose: 'release', signal })
    const found = commandsFor(this.#options.environment, site.files.listing(), null).commands
    const { commands, chosen } = this.#chosen(found, request.atStart ?? null, signal)
    const isRelease = (this.#options.environment.migrations ?? null) === null
    const shared = { suites: this.#suites, commands: this.#passed, by: 'the release gate', isRelease }
    const runs = new SiteRuns(site, commands, { chosen, shared })
    const verdicts = [
      await noTodoLeft(this.#options, request.whole, tree),
      await runs.plainGate('lint', ['lint']),
      await runs.plainGate('typecheck', ['typecheck']),
      await runs.plainGate('build', ['build']),
      await this.#wholeSuite(runs, request),
      await tryMigrations(runs, this.#options.environment.migrations ?? null),
    ]
    const order: readonly string[] = RELEASE_GATES
    const reported = signal.aborted ? verdicts.map(({ gate }) => abortedVerdict(gate)) : verdicts
    return { tree, verdicts: reported.sort((a, b) => order.indexOf(a.gate) - order.indexOf(b.gate)) }
  }

  /** Takes the baseline of the start commit. Its suite runs only once. */
  async takeBaseline(request: BaselineRequest, signal: AbortSignal): Promise<TestBaseline> {
    const open = () => GateSite.open(this.parts, { tree: request.tree, purpose: 'baseline', signal })
    await using site = await open()
    const found = commandsFor(this.#options.environment, site.files.listing(), null)
    const { choices = [], round = 0, tree } = request
    const { commands } = this.#chosen(found.commands, { tree, choices }, signal)
    const reuse = round === 0 ? 'kept' : 'nothing'
    const first = new SiteRuns(site, commands)
    // As for the work: checks come before tests, which may write to the checkout.
    for (const check of ['lint', 'typecheck', 'build'] as const) await first.plainGate(check, [check])
    const run = (one: Commands, there: SiteRuns | null = null) =>
      this.#suites.result({ tree, commands: one, without: [], reuse }, open, there)
    const suite = await run(commands, first)
    const isSet =
      this.#options.environment.test !== undefined || choices.some(({ check }) => check === 'test')
    const tests = isSet
      ? { commands, suite, other: null, tried: [] }
      : await findTests({ commands, suite, listing: site.files.listing(), run })
    const runs = first.withTest(tests.commands.test)
    const baseline = await takeTestBaseline({ request, runs, tests, warnings: found.warnings })
    await this.#keepFindings(runs, baseline.trials)
    const { environment } = this.#options
    const trials = baseline.trials.map((trial) =>
      environment[trial.check] === undefined ? { ...trial, detected: true as const } : trial,
    )
    return { ...baseline, trials }
  }

  /** Stores the findings of red checks, to compare later work with if a person accepts a check as it is. */
  async #keepFindings(runs: SiteRuns, trials: TestBaseline['trials']): Promise<void> {
    const { site, commands } = runs
    for (const { check, state } of trials) {
      if (state !== 'red' || check === 'setup' || check === 'test') continue
      const command = commands[check]
      if (command === null) continue
      const found = findingsOf(await runs.plain(command), site)
      await this.#findings.keep({ tree: site.tree, setup: commands.setup, command }, found)
    }
  }

  #chosen(
    found: Commands,
    atStart: ChecksAtStart | null,
    signal: AbortSignal,
  ): { readonly commands: Commands; readonly chosen: AppliedChoices } {
    const { commands, leftOut, asIs } = withChoices(found, this.#options.environment, atStart)
    const tree = atStart?.tree ?? ''
    const open = () => GateSite.open(this.parts, { tree, purpose: 'base', signal })
    const call = (command: Command) => ({ tree, setup: commands.setup, command })
    const known = (command: Command) => this.#findings.result(call(command), open)
    const moreAtStart = (command: Command) => this.#findings.moreResults(call(command), open)
    return { commands, chosen: { leftOut, asIs, atStart: known, moreAtStart } }
  }

  /** Opens the base only if a command has to be detected. */
  async #commands(work: {
    readonly site: GateSite
    readonly openBase: () => Promise<GateSite>
    readonly restored: readonly string[]
  }): Promise<Commands> {
    const { environment } = this.#options
    const names = ['setup', 'test', 'lint', 'typecheck', 'build'] as const
    if (names.every((name) => environment[name] !== undefined))
      return commandsFor(environment, null, null).commands
    await using base = await work.openBase()
    const before = base.files.listing()
    const allowed = listingAfter(work.restored, work.site.files.listing(), before)
    return commandsFor(environment, before, allowed).commands
  }

  async #wholeSuite(runs: SiteRuns, request: RunReleaseGate): Promise<Verdict> {
    if (runs.commands.test === null) return verdict('unit', 'not_applicable', runs.missingReason('test'))
    const broken = runs.isSuiteSettled() ? null : await runs.setupFailure('unit')
    if (broken !== null) return broken
    const run = await runs.suite()
    if (run === null) return verdict('unit', 'not_applicable', runs.missingReason('test'))
    const base = { ...NO_BASE, failing: request.baselineFailing }
    return testVerdict('unit', [{ run, judged: runs.judge(run, base) }])
  }
}
