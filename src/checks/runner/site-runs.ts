/** The runs of one site. Each command runs only once, even if several gates need it. */
import { judgeTests, type BaseTests, type TestJudgement } from '../../core/gates/tests/judge-tests.ts'
import type { WorkDone } from '../../core/gates/tests/lost-tests.ts'
import { judgeReported } from '../../core/gates/sarif.ts'
import type { ReportHint } from '../../core/test-reports/test-report.ts'
import { failuresIn, failuresPrinted } from '../../core/gates/failures.ts'
import { blocking, judgeRun, note, verdict, worst, type Outcome } from '../../core/gates/verdicts.ts'
import { commandText } from '../../core/test-reports/focus-command.ts'
import type { GateName, Verdict } from '../../core/event-schemas/schemas.ts'
import type { Command } from '../../core/planning/plan.ts'
import type { CheckChoice, CheckName } from '../../core/event-schemas/baseline.ts'
import type { KnownFindings } from '../../core/gates/known-findings.ts'
import { judgeAsIs, formatLeftOut } from '../baseline/chosen-checks.ts'
import type { BaseSuites } from './base-suite.ts'
import type { Commands } from './commands.ts'
import type { GateSite, Ran } from './gate-site.ts'
import { restoreProtected } from './restore-protected.ts'
import { runTests, type TestRun } from './test-run.ts'

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

/** The cache of suite runs, and the name under which this site adds its own. */
export interface SharedSuites {
  readonly suites: BaseSuites
  readonly by: string
}

export class SiteRuns {
  readonly site: GateSite
  readonly commands: Commands
  readonly #restore: ProtectedRestore | null
  readonly #chosen: AppliedChoices
  readonly #shared: SharedSuites | null
  readonly #plain = new Map<string, Promise<Ran>>()
  readonly #tests = new Map<string, Promise<TestRun>>()
  #setUp: Promise<Ran | null> | null = null

  constructor(
    site: GateSite,
    commands: Commands,
    more: {
      readonly restore?: ProtectedRestore | null
      readonly chosen?: AppliedChoices
      readonly shared?: SharedSuites
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
    return this.site.setUp(this.commands.setup)
  }

  plain(command: Command): Promise<Ran> {
    return once(this.#plain, commandText(command), () => this.site.run(command))
  }

  tests(command: Command, hint: ReportHint): Promise<TestRun> {
    return once(this.#tests, testKey(command, hint), () => runTests(this.site, command, hint))
  }

  /** The full suite; null if there is none. */
  async suite(): Promise<TestRun | null> {
    if (this.commands.test === null) return null
    const { command, hint } = this.commands.test
    return once(this.#tests, testKey(command, hint), () => this.#sharedSuite(command, hint))
  }

  /** Shares the run between gates if no file was restored, because only then it ran on the tree itself. */
  async #sharedSuite(command: Command, hint: ReportHint): Promise<TestRun> {
    if (this.#shared === null || this.restoredPaths.length > 0) return runTests(this.site, command, hint)
    const { suites, by } = this.#shared
    const call = { tree: this.site.tree, setup: this.commands.setup, command, hint, without: [] }
    return suites.passedOr(call, by, () => runTests(this.site, command, hint))
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
    const broken = await this.setupFailure(gate)
    if (broken !== null) return broken
    const runs: Ran[] = []
    const judged: ReturnType<typeof judgeReported>[] = []
    for (const { name, command } of found) {
      const ran = await this.plain(command)
      runs.push(ran)
      judged.push(await this.#judged(name, command, ran))
    }
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
    ]
    const failures = failuresOf(outcome, judged, runs, this.site.folders)
    const evidence = { runs: runs.map((ran) => ran.evidence), findings, ...failures }
    return verdict(gate, outcome, summary, evidence)
  }

  async #judged(name: CheckName, command: Command, ran: Ran): Promise<ReturnType<typeof judgeReported>> {
    const { folders } = this.site
    const judged = judgeReported(ran.evidence, ran.stdout, folders)
    const choice = this.#chosen.asIs.get(name)
    if (choice === undefined || judged.outcome !== 'failed') return judged
    const compared = (atStart: KnownFindings | null) => judgeAsIs({ ran, judged, choice, atStart, folders })
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

  judge(
    run: TestRun,
    base: BaseTests,
    requireTestsPass: boolean,
    done: WorkDone | null = null,
  ): TestJudgement {
    return judgeTests({ ...run.facts, base, requireTestsPass, done })
  }
}

/** Of tools without a report, the errors they printed: an exit code alone does not show a new one. */
function failuresOf(
  outcome: Outcome,
  judged: readonly ReturnType<typeof judgeReported>[],
  runs: readonly Ran[],
  folders: readonly string[],
): { readonly failures?: string[] } {
  if (outcome !== 'failed') return {}
  const failures = judged.flatMap((one, at) => {
    if (one.outcome === 'passed') return []
    const reported = failuresIn(one.summary, one.findings)
    const hasFindings = one.findings.some(({ weight }) => weight === 'blocks')
    const printed = hasFindings ? [] : failuresPrinted(runs[at]?.text ?? '', folders)
    return [...reported, ...printed]
  })
  return { failures }
}

const testKey = (command: Command, hint: ReportHint): string => `${hint.kind} ${commandText(command)}`

function once<T>(runs: Map<string, Promise<T>>, key: string, start: () => Promise<T>): Promise<T> {
  const known = runs.get(key)
  if (known !== undefined) return known
  const run = start()
  runs.set(key, run)
  return run
}
