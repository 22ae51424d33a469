/** The runs of one site. Each command is run once, however many gates ask for it. */
import { judgeTests, type BaseTests, type TestJudgement } from '../core/gates/judge-tests.ts'
import { judgeReported } from '../core/gates/reports/sarif.ts'
import type { ReportHint } from '../core/gates/test-report.ts'
import { blocking, judgeRun, verdict, worst } from '../core/gates/verdicts.ts'
import { commandText } from '../core/gates/focus-command.ts'
import type { GateName, Verdict } from '../core/events/parts.ts'
import type { Command } from '../core/planning/plan.ts'
import type { Commands } from './commands.ts'
import type { GateSite, Ran } from './gate-site.ts'
import { putBack } from './put-back.ts'
import { runTests, testCommandOf, type TestRun } from './test-run.ts'

/** What decides success and is run as the base has it. */
export interface PutBack {
  readonly paths: readonly string[]
  readonly openBase: () => Promise<GateSite>
}

export class SiteRuns {
  readonly site: GateSite
  readonly commands: Commands
  readonly #back: PutBack | null
  readonly #plain = new Map<string, Promise<Ran>>()
  readonly #tests = new Map<string, Promise<TestRun>>()
  #setUp: Promise<Ran | null> | null = null

  constructor(site: GateSite, commands: Commands, back: PutBack | null = null) {
    this.site = site
    this.commands = commands
    this.#back = back
  }

  /** Paths that are as on the base in every run, whatever the work has there. */
  get putBack(): readonly string[] {
    return this.#back?.paths ?? []
  }

  /** Null when ready. What reads the work itself comes before it. */
  setUp(): Promise<Ran | null> {
    this.#setUp ??= this.#makeReady()
    return this.#setUp
  }

  async #makeReady(): Promise<Ran | null> {
    if (this.#back !== null && this.#back.paths.length > 0) {
      const base = await this.#back.openBase()
      try {
        await putBack(this.site, base, this.#back.paths)
      } finally {
        await base.close()
      }
    }
    return this.site.setUp(this.commands.setup)
  }

  plain(command: Command): Promise<Ran> {
    return once(this.#plain, commandText(command), () => this.site.run(command))
  }

  tests(command: Command, hint: ReportHint): Promise<TestRun> {
    const key = `${hint.kind} ${commandText(command)}`
    return once(this.#tests, key, () => runTests(this.site, command, hint))
  }

  /** The whole suite; null where there is none. */
  async suite(): Promise<TestRun | null> {
    if (this.commands.test === null) return null
    const { command, hint } = testCommandOf(this.commands.test)
    return this.tests(command, hint)
  }

  /** A gate of commands whose exit code is all there is: lint, types, build. */
  async plainGate(gate: GateName, names: readonly ('lint' | 'typecheck' | 'build')[]): Promise<Verdict> {
    const found = names.flatMap((name) => {
      const command = this.commands[name]
      return command === null ? [] : [{ name, command }]
    })
    const absent = names.filter((name) => this.commands[name] === null)
    if (found.length === 0) {
      return verdict(gate, 'not_applicable', `there is no ${absent.join(' and no ')} command`)
    }
    const broken = await this.notReady(gate)
    if (broken !== null) return broken
    const runs: Ran[] = []
    for (const { command } of found) runs.push(await this.plain(command))
    const judged = runs.map((ran) => judgeReported(ran.evidence, ran.stdout, this.site.folders))
    const outcome = worst(judged.map((one) => one.outcome))
    const shown = outcome === 'passed' ? judged : judged.filter((one) => one.outcome === outcome)
    const words = [
      ...shown.map((one) => one.words),
      ...absent.map((name) => `there is no ${name} command`),
    ].join('; ')
    const findings = judged.flatMap((one) => [...one.findings])
    return verdict(gate, outcome, words, { runs: runs.map((ran) => ran.evidence), findings })
  }

  /** What could not be set up was not checked. */
  async notReady(gate: GateName): Promise<Verdict | null> {
    const ran = await this.setUp()
    if (ran === null) return null
    const { words } = judgeRun(ran.evidence)
    return verdict(gate, 'inconclusive', `the set-up did not work: ${words}`, {
      runs: [ran.evidence],
      findings: [blocking(`the set-up did not work: ${words}`)],
    })
  }

  judge(run: TestRun, base: BaseTests, requireTestsPass: boolean): TestJudgement {
    return judgeTests({ ...run.facts, base, requireTestsPass })
  }
}

function once<T>(runs: Map<string, Promise<T>>, key: string, start: () => Promise<T>): Promise<T> {
  const known = runs.get(key)
  if (known !== undefined) return known
  const run = start()
  runs.set(key, run)
  return run
}
