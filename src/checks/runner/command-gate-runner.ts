/** Runs gates in clean checkouts of exactly the trees they judge. */
import { join } from 'node:path'
import type { ChecksAtStart, RunGates, RunReleaseGate, WholeChange } from '../../core/decide/effects.ts'
import type { Verdict } from '../../core/event-schemas/schemas.ts'
import { verdict } from '../../core/gates/verdicts.ts'
import { listingAfter, pathsToRestore } from '../../core/gates/integrity/restore-protected.ts'
import { changeTrees, sidesToParse, type ChangeTrees } from '../../core/gates/change-trees.ts'
import { NO_BASE } from '../../core/gates/tests/judge-tests.ts'
import { filesWithMarkers } from '../../core/gates/conflict-markers.ts'
import { noOrphanTodo } from '../../core/gates/no-orphan-todo.ts'
import type { Command } from '../../core/planning/plan.ts'
import { isTestPath } from '../../core/languages/paths.ts'
import type { GateRunner, ReleaseVerdict } from '../../ports/gate-runner.ts'
import { secretsOfEnvFiles } from '../proofs/check-secrets.ts'
import { BaseSuites } from './base-suite.ts'
import { takeTestBaseline, type BaselineRequest, type TestBaseline } from '../baseline/baseline.ts'
import { tryCanary } from '../proofs/run-canary.ts'
import type { CanaryRequest, CanaryResult } from '../proofs/canary-request.ts'
import { withChoices } from '../baseline/chosen-checks.ts'
import { findTests } from '../baseline/other-tests.ts'
import { commandsFor, type Commands } from './commands.ts'
import { DependencyCache } from './dependency-cache.ts'
import { EvidenceStore } from '../../lib/files/evidence-store.ts'
import type { GateOptions } from './gate-options.ts'
import { GateSite, type SiteParts } from './gate-site.ts'
import { tryMigrations } from '../proofs/migrations.ts'
import { PortLeases } from '../../lib/files/port-leases.ts'
import { runFailedAgain, type AgainRequest } from '../proofs/run-again.ts'
import { HomePool } from '../homes/home-pool.ts'
import { PassedCommands } from './passed-commands.ts'
import { RunningChecks, type RunningCheck } from './running-checks.ts'
import { SiteRuns, type AppliedChoices } from './site-runs.ts'
import { findingsOf, StartFindings } from '../baseline/start-findings.ts'
import { abortedVerdict, runTaskGates, testVerdict } from './task-gates.ts'
import type { SuiteResult } from './test-run.ts'
import type { Change } from '../../core/gates/change.ts'
import type { Parser } from '../../ports/parser.ts'

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
      evidence: new EvidenceStore(options.evidenceDir),
      dependencies: new DependencyCache(join(options.cacheDir, 'dependencies'), options),
      ports: options.ports ?? new PortLeases(),
      homes: options.homes ?? new HomePool(0),
      envFiles: options.environment.env_files ?? [],
      portCount: options.environment.ports ?? 0,
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
    const { spec, attempt, tree } = request
    const openTree = () => GateSite.open(this.parts, { tree, purpose: 'gates', signal, task: spec.id })
    const [changed, opened] = await Promise.allSettled([
      this.#options.changes.changeOf({ task: spec.id, attempt, tree }),
      openTree(),
    ])
    if (opened.status === 'rejected') throw opened.reason
    await using site = opened.value
    if (changed.status === 'rejected') throw changed.reason
    const change = changed.value
    const openBase = () =>
      GateSite.open(this.parts, { tree: change.base, purpose: 'base', signal, task: spec.id })
    const found = await this.#commands({ site, openBase, restored: pathsToRestore(change, spec) })
    const { commands, chosen } = this.#chosen(found, request.atStart ?? null, signal)
    const manifest = site.files.lines('package.json')
    const restore = {
      paths: pathsToRestore(change, spec, { commands: plainCommands(commands), manifest }),
      openBase,
    }
    const shared = { suites: this.#suites, commands: this.#passed, by: `task ${spec.id}` }
    const runs = new SiteRuns(site, commands, { restore, chosen, shared })
    const without = spec.files.delete.filter((path) => isTestPath(path) && site.files.isGone(path))
    const onBase = { tree: change.base, commands, without, signal }
    const baseSuite = () => this.#baseSuite(onBase, openBase)
    const baseAgain = async () =>
      (await this.#baseSuite({ ...onBase, reuse: 'nothing' }, openBase))?.base.tests ?? null
    const { mutation, parser } = this.#options
    const isMutated = mutation.of === 'all' || (mutation.of === 'critical' && request.tier === 'critical')
    // Mutants and canaries may be written to this checkout, so it shares no runs.
    const openFresh = async () => new SiteRuns(await openTree(), commands, { restore, chosen })
    let tried: Promise<CanaryResult> | null = null
    let trees: Promise<ChangeTrees> | null = null
    return await runTaskGates({
      ...this.#options,
      request,
      signal,
      change,
      runs,
      openBase,
      baseSuite,
      baseAgain,
      again: (of) => this.#again(runs, of),
      mutationMs: isMutated ? mutation.limitMs : null,
      canary: () => (tried ??= this.#canary({ runs, change, openBase, openFresh })),
      openFresh,
      trees: () => (trees ??= parseChange(parser, change)),
      noTodoLeft: (whole) => this.#noTodoLeft(whole, tree),
      migrations: this.#options.environment.migrations ?? null,
      knownSecrets: [
        ...(this.#options.knownSecrets?.({ task: spec.id, attempt }) ?? []),
        ...secretsOfEnvFiles(this.parts.envFilesFrom, this.parts.envFiles),
      ],
    })
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
      await this.#noTodoLeft(request.whole, tree),
      await runs.plainGate('lint', ['lint']),
      await runs.plainGate('typecheck', ['typecheck']),
      await runs.plainGate('build', ['build']),
      await this.#wholeSuite(runs, request),
      await tryMigrations(runs, this.#options.environment.migrations ?? null),
    ]
    const order = ['unit', 'lint', 'typecheck', 'build', 'migrations', 'no_orphan_todo']
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
      this.#baseSuite({ tree, commands: one, without: [], reuse }, open, there)
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
      const found = findingsOf(await runs.plain(command), site.folders)
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

  #again(
    runs: SiteRuns,
    of: Pick<AgainRequest, 'run' | 'judged' | 'known'>,
  ): ReturnType<typeof runFailedAgain> {
    const { test } = runs.commands
    if (test === null) return Promise.resolve({ judged: of.judged, runs: [] })
    const times = this.#options.reruns
    return runFailedAgain({ ...of, ...test, site: runs.site, times })
  }

  async #canary(on: Omit<CanaryRequest, 'command' | 'hint'>): Promise<CanaryResult> {
    const { test } = on.runs.commands
    return test === null ? { findings: [], runs: [] } : tryCanary({ ...on, ...test })
  }

  async #baseSuite(
    base: {
      readonly tree: string
      readonly commands: Commands
      readonly without: readonly string[]
      readonly reuse?: 'kept' | 'nothing'
      readonly signal?: AbortSignal
    },
    open: () => Promise<GateSite>,
    there: SiteRuns | null = null,
  ): Promise<SuiteResult | null> {
    const { commands, ...about } = base
    if (commands.test === null) return null
    return this.#suites.result({ ...about, ...commands.test, setup: commands.setup }, open, there)
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

  /** At the release no task is left, so every remaining TODO counts. */
  async #noTodoLeft({ since, letThrough }: WholeChange, tree: string): Promise<Verdict> {
    const { changes, ownFolders, parser } = this.#options
    const { base, files } = await changes.changeSince(since, tree)
    const isOwn = (path: string): boolean => ownFolders.some((folder) => path.startsWith(`${folder}/`))
    const change = { base, files: files.filter(({ path }) => !isOwn(path)) }
    const trees = await parseChange(parser, { base, files: filesWithMarkers(change) })
    return noOrphanTodo({ change, trees, followUps: () => [], letThrough })
  }
}

const plainCommands = ({ test, lint, typecheck, build }: Commands): readonly (Command | null)[] => [
  test?.command ?? null,
  lint,
  typecheck,
  build,
]

/** Parses the files of a change before and after it. */
async function parseChange(parser: Parser, change: Change): Promise<ChangeTrees> {
  const files = sidesToParse(change)
  return changeTrees(await parser.parse(files.before), await parser.parse(files.after))
}
