/** The runs of one site. Each command runs only once, even if several gates need it. */
import { judgeTests, type BaseTests, type TestJudgement } from '../../core/gates/tests/judge-tests.ts'
import type { WorkDone } from '../../core/gates/tests/lost-tests.ts'
import { judgeReported } from '../../core/gates/judge-commands.ts'
import type { ReportHint } from '../../core/test-reports/test-report.ts'
import { failuresIn, failuresPrinted, type KnownFindings } from '../../core/gates/command-output.ts'
import { blocking, judgeRun, note, verdict, worst } from '../../core/gates/verdicts.ts'
import type { Finding, RunEvidence } from '../../core/event-schemas/evidence.ts'
import { commandText, isStepOf } from '../../core/test-reports/runner.ts'
import type { GateName, Verdict } from '../../core/event-schemas/schemas.ts'
import type { Command } from '../../core/planning/plan.ts'
import type { CheckChoice, CheckName } from '../../core/event-schemas/baseline.ts'
import { judgeAsIs, formatLeftOut } from '../baseline/chosen-checks.ts'
import type { BaseSuites, CommandCall, PassedCommands } from './base-suite.ts'
import type { Commands } from './commands.ts'
import type { GateSite, Ran } from './gate-site.ts'
import { runTests, type TestRun } from './test-run.ts'
import { copyFile, lstat, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { restoredManifest } from '../../core/gates/integrity/restore-protected.ts'
import { nameOf, segmentsOf } from '../../core/languages/paths.ts'

/** Protected paths that are restored from the base before anything runs. */
export interface ProtectedRestore {
  readonly paths: readonly string[]
  readonly openBase: () => Promise<GateSite>
}

/** Checks that a person left out, or accepted as they were at the start commit. */
export interface AppliedChoices {
  readonly leftOut: ReadonlyMap<CheckName, CheckChoice>
  readonly asIs: ReadonlyMap<CheckName, CheckChoice>
  readonly atStart: (command: Command) => Promise<KnownFindings | null>
  /** With those of further runs at the start commit. */
  readonly moreAtStart: (command: Command) => Promise<KnownFindings | null>
}

const NOTHING_CHOSEN: AppliedChoices = {
  leftOut: new Map(),
  asIs: new Map(),
  atStart: () => Promise.resolve(null),
  moreAtStart: () => Promise.resolve(null),
}

/** The runs that passed elsewhere, and the name under which this site adds its own. */
export interface SharedRuns {
  readonly suites: BaseSuites
  readonly commands: PassedCommands
  readonly by: string
  /** Where the suite need not run again, lint, types and build of the same tree need not either. */
  readonly isRelease?: boolean
}

export class SiteRuns {
  readonly site: GateSite
  readonly commands: Commands
  readonly #restore: ProtectedRestore | null
  readonly #chosen: AppliedChoices
  readonly #shared: SharedRuns | null
  readonly #plain = new Map<string, Promise<Ran>>()
  readonly #tests = new Map<string, Promise<TestRun>>()
  #setUp: Promise<Ran | null> | null = null

  constructor(
    site: GateSite,
    commands: Commands,
    more: {
      readonly restore?: ProtectedRestore | null
      readonly chosen?: AppliedChoices
      readonly shared?: SharedRuns
    } = {},
  ) {
    this.site = site
    this.commands = commands
    this.#restore = more.restore ?? null
    this.#chosen = more.chosen ?? NOTHING_CHOSEN
    this.#shared = more.shared ?? null
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.site[Symbol.asyncDispose]()
  }

  /** The same commands on another site, which shares no runs. */
  on(site: GateSite): SiteRuns {
    return new SiteRuns(site, this.commands, { restore: this.#restore, chosen: this.#chosen })
  }

  /** The same site, with what ran there, and another test command. */
  withTest(test: Commands['test']): SiteRuns {
    const next = new SiteRuns(this.site, { ...this.commands, test })
    next.#setUp = this.#setUp
    for (const [command, ran] of this.#plain) next.#plain.set(command, ran)
    return next
  }

  /** Paths that every run sees as they are on the base. */
  get restoredPaths(): readonly string[] {
    return this.#restore?.paths ?? []
  }

  /** Null if ready. It overwrites protected files, so gates that read the work run before it. */
  setUp(): Promise<Ran | null> {
    this.#setUp ??= this.#makeReady()
    return this.#setUp
  }

  async #makeReady(): Promise<Ran | null> {
    if (this.#restore !== null && this.#restore.paths.length > 0) {
      await using base = await this.#restore.openBase()
      await restoreProtected(this.site, base, this.#restore.paths)
    }
    return this.site.setUp(this.commands.setup, { isAltered: this.restoredPaths.length > 0 })
  }

  plain(command: Command): Promise<Ran> {
    return once(this.#plain, commandText(command), async () => {
      const ran = await this.site.run(command)
      if (this.#mayShare !== null) this.#mayShare.commands.keep(this.#call(command), this.#mayShare.by, ran)
      return ran
    })
  }

  /** The full suite is shared, whichever gate asks for it. */
  tests(command: Command, hint: ReportHint): Promise<TestRun> {
    const { test } = this.commands
    const key = testKey(command, hint)
    const isSuite = test !== null && key === testKey(test.command, test.hint)
    return once(this.#tests, key, () =>
      isSuite ? this.#sharedSuite(command, hint) : runTests(this.site, command, hint),
    )
  }

  /** The full suite; null if there is none. */
  async suite(): Promise<TestRun | null> {
    const { test } = this.commands
    return test === null ? null : this.tests(test.command, test.hint)
  }

  async #sharedSuite(command: Command, hint: ReportHint): Promise<TestRun> {
    const shared = this.#mayShare
    if (shared === null) return runTests(this.site, command, hint)
    const { suites, commands, by } = shared
    return suites.passedOr({ ...this.#call(command), hint, without: [] }, by, async () => {
      const run = await runTests(this.site, command, hint)
      for (const check of this.#stepsOf(command)) commands.keep(this.#call(check), by, run.ran)
      return run
    })
  }

  /** The checks that a test command runs before its tests: where it passed, they did. */
  #stepsOf(command: Command): readonly Command[] {
    const { lint, typecheck, build } = this.commands
    const chains = [commandText(command), this.site.script(command).script ?? '']
    return [lint, typecheck, build].filter(
      (check): check is Command =>
        check !== null && chains.some((chain) => isStepOf(commandText(check), chain)),
    )
  }

  /** Runs are shared between gates if no file was restored, because only then they ran on the tree itself. */
  get #mayShare(): SharedRuns | null {
    return this.restoredPaths.length > 0 ? null : this.#shared
  }

  #call(command: Command): CommandCall {
    return { tree: this.site.tree, setup: this.commands.setup, command }
  }

  /** Whether the suite need not run here: there is none, or it passed on this tree before. */
  isSuiteSettled(): boolean {
    const { test } = this.commands
    if (test === null) return true
    const call = { ...this.#call(test.command), hint: test.hint, without: [] }
    return this.#mayShare?.suites.knows(call) === true
  }

  /** The run of a command that passed on this tree, unless tests that are still to run may need what it leaves. */
  #settled(command: Command): Ran | null {
    if (this.#mayShare?.isRelease !== true || !this.isSuiteSettled()) return null
    return this.#mayShare.commands.find(this.#call(command))
  }

  /** A gate that judges commands by exit code: lint, types, build. */
  async plainGate(gate: GateName, names: readonly ('lint' | 'typecheck' | 'build')[]): Promise<Verdict> {
    const found = names.flatMap((name) => {
      const command = this.commands[name]
      return command === null ? [] : [{ name, command }]
    })
    const absent = names.filter((name) => this.commands[name] === null)
    if (found.length === 0) {
      return verdict(gate, 'not_applicable', absent.map((name) => this.missingReason(name)).join('; '))
    }
    const isSettled = found.every(({ command }) => this.#settled(command) !== null)
    const broken = isSettled ? null : await this.setupFailure(gate)
    if (broken !== null) return broken
    const judged: JudgedCheck[] = []
    for (const { name, command } of found) {
      const ran = this.#settled(command) ?? (await this.plain(command))
      judged.push({ ...(await this.#judged(name, command, ran)), ran })
    }
    const runs = judged.map(({ ran }) => ran.evidence)
    const outcome = worst(judged.map((one) => one.outcome))
    const shown = outcome === 'passed' ? judged : judged.filter((one) => one.outcome === outcome)
    const summary = [
      ...shown.map((one) => one.summary),
      ...absent.map((name) => this.missingReason(name)),
    ].join('; ')
    const { reused } = this.site
    const findings = [
      ...judged.flatMap((one) => [...one.findings]),
      ...(reused === null ? [] : [note(reused)]),
      ...notesOfReuse(runs),
    ]
    const failures = outcome === 'failed' ? { failures: failuresOf(judged, this.site.folders) } : {}
    return verdict(gate, outcome, summary, { runs, findings, ...failures })
  }

  async #judged(name: CheckName, command: Command, ran: Ran): Promise<ReturnType<typeof judgeReported>> {
    const { folders } = this.site
    const judged = judgeReported(ran.evidence, ran.stdout, folders)
    const choice = this.#chosen.asIs.get(name)
    if (choice === undefined || judged.outcome !== 'failed') return judged
    const compared = (atStart: KnownFindings | null) =>
      judgeAsIs({ ran, judged, choice, atStart, site: this.site })
    const first = compared(await this.#chosen.atStart(command))
    return first.outcome === 'failed' ? compared(await this.#chosen.moreAtStart(command)) : first
  }

  /** Why there is no such command. */
  missingReason(name: CheckName): string {
    const choice = this.#chosen.leftOut.get(name)
    return choice === undefined ? `no ${name} command` : formatLeftOut(choice)
  }

  /** An inconclusive verdict if the setup failed. */
  async setupFailure(gate: GateName): Promise<Verdict | null> {
    const ran = await this.setUp()
    if (ran === null) return null
    const { summary } = judgeRun(ran.evidence)
    return verdict(gate, 'inconclusive', `setup failed: ${summary}`, {
      runs: [ran.evidence],
      findings: [blocking(`setup failed: ${summary}`)],
    })
  }

  judge(run: TestRun, base: BaseTests, done: WorkDone | null = null): TestJudgement {
    return judgeTests({ ...run.facts, base, done })
  }
}

/** Names whose runs were reused; they are evidence about the same tree. */
export function notesOfReuse(runs: readonly RunEvidence[]): readonly Finding[] {
  const by = new Set(runs.flatMap(({ servedBy }) => servedBy ?? []))
  return [...by].map((one) => note(`reused from the run for ${one} on the same tree`))
}

type JudgedCheck = ReturnType<typeof judgeReported> & { readonly ran: Ran }

/** Of tools without a report, the errors they printed: an exit code alone does not show a new one. */
function failuresOf(judged: readonly JudgedCheck[], folders: readonly string[]): string[] {
  return judged.flatMap(({ outcome, summary, findings, ran }) => {
    if (outcome === 'passed') return []
    const hasFindings = findings.some(({ weight }) => weight === 'blocks')
    return [...failuresIn(summary, findings), ...(hasFindings ? [] : failuresPrinted(ran.shown, folders))]
  })
}

const testKey = (command: Command, hint: ReportHint): string => `${hint.kind} ${commandText(command)}`

function once<T>(runs: Map<string, Promise<T>>, key: string, start: () => Promise<T>): Promise<T> {
  const known = runs.get(key)
  if (known !== undefined) return known
  const run = start()
  runs.set(key, run)
  return run
}

/** Restores protected files of the base in a checkout of work and removes whatever blocks their paths. */
async function restoreProtected(site: GateSite, base: GateSite, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const old = base.files.isFile(path) ? base.files.text(path) : null
    const now = site.files.isFile(path) ? site.files.text(path) : null
    const merged =
      nameOf(path) === 'package.json' && old !== null && now !== null ? restoredManifest(old, now) : null
    const target = join(site.root, path)
    await clearWay(site.root, path)
    if (merged === null) await rm(target, { recursive: true, force: true })
    if (merged !== null) await writeFile(target, merged)
    else if (base.files.isFile(path)) {
      await mkdir(dirname(target), { recursive: true })
      await copyFile(join(base.root, path), target)
    }
  }
}

/** Removes links and files that stand where the base has a folder, so that nothing is written through a link. */
async function clearWay(root: string, path: string): Promise<void> {
  let folder = root
  for (const segment of segmentsOf(path).slice(0, -1)) {
    folder = join(folder, segment)
    const found = await lstat(folder).catch(() => null)
    if (found !== null && !found.isDirectory()) await rm(folder, { force: true })
  }
}
