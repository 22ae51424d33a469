/** Gate 2: finds a command for the new tests and runs them on the work and on the base. */
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { RunEvidence } from '../../core/event-schemas/evidence.ts'
import type { Verdict } from '../../core/event-schemas/schemas.ts'
import { covers } from '../../core/gates/plan-alignment/expected-files.ts'
import { isBaseTest } from '../../core/gates/integrity/protected-names.ts'
import type { TestJudgement } from '../../core/gates/tests/judge-tests.ts'
import { hintBeside, runnerOf } from '../../core/test-reports/runner.ts'
import {
  failsWithout,
  newNames,
  passedIn,
  passedInBoth,
  shownOnBase,
  testsToAdd,
  calledNames,
  promisesBehaviour,
  judgeNamedTests,
  reportsFiles,
  type FileOnBase,
  type RedOnBase,
  testsMeant,
} from '../../core/gates/tests/tests-to-add.ts'
import { testKey } from '../../core/test-reports/report.ts'
import { literalPattern } from '../../lib/text/counted.ts'
import { couldRun, formatEnding } from '../../core/gates/verdicts.ts'
import { isFolderPath, isPattern, kindOfPath } from '../../core/languages/paths.ts'
import type { TaskSpec, Command } from '../../core/planning/plan.ts'
import type { GateSite } from '../runner/gate-site.ts'
import type { TaskProof } from '../runner/task-proof.ts'
import { focused, focusedRunner, runTests, type TestRun } from '../runner/test-run.ts'
import type { ReportHint } from '../../core/test-reports/test-report.ts'

export const checkNewTests = (proof: TaskProof): Promise<Verdict> => new NewTests(proof).check()

/** A command that runs new tests, and where it comes from. */
interface Runnable {
  readonly command: Command
  readonly hint: ReportHint
  /** `contract`: a command of the plan; `focused`: the suite's command limited to these files; `suite`: the full suite. */
  readonly origin: 'contract' | 'focused' | 'suite'
  /** Whether the steps that come before the runner are left out. */
  readonly isShort?: boolean
  /** The new test files it runs. */
  readonly paths: readonly string[]
}

interface Done {
  readonly one: Runnable
  readonly run: TestRun
}

/** The tests on the work, by name; those that fail failed before too. */
interface WithWork {
  readonly passing: readonly string[]
  readonly failing: readonly string[]
}

/** More files than this are run together. */
const MOST_SINGLE = 10

const unknown = (why: string): RedOnBase => ({ kind: 'unknown', why })

class NewTests {
  readonly #proof: TaskProof
  readonly #spec: TaskSpec
  /** The new test files, and whether each or only one of them has to be red on the base. */
  readonly #paths: readonly string[]
  readonly #needs: 'each' | 'one'
  /** So far, in the order of the runs. */
  readonly #judgements: TestJudgement[] = []
  readonly #evidence: RunEvidence[] = []

  constructor(proof: TaskProof) {
    this.#proof = proof
    this.#spec = proof.request.spec
    const meant = testsMeant(this.#spec, proof.change)
    this.#paths = meant.testsToAdd
    this.#needs = meant.needs
  }

  /** They run with the work, each named file by itself where that has to be shown, again and again, and on the base. */
  async check(): Promise<Verdict> {
    const missing = this.#missing()
    if (this.#paths.length === 0 || missing.length > 0) return this.#verdict(missing, unknown('not run'))
    const broken = await this.#proof.runs.setupFailure('tests_to_add')
    if (broken !== null) return broken
    const planned = this.#runnables(this.#paths)
    const done: Done[] = []
    for (const one of planned) done.push(await this.#runWithWork(one))
    for (const { run } of done) this.#add(run)
    if (this.#isPassed()) for (const one of done) await this.#checkNamed(one)
    if (this.#isPassed()) await this.#rerun(done)
    if (!this.#isPassed()) return this.#verdict(missing, unknown('they do not pass yet'))
    const withWork = {
      passing: done.flatMap(({ run }) => passedIn(run.facts.report)),
      failing: done.flatMap(({ run }) => run.facts.report?.failures ?? []),
    }
    return this.#verdict(missing, await this.#shownBefore(planned, withWork))
  }

  #missing(): readonly string[] {
    const { files } = this.#proof.runs.site
    const listing = this.#paths.some(isPattern) ? [...files.listing().files] : []
    return this.#paths.filter((path) =>
      isPattern(path) ? !listing.some((file) => covers(path, file)) : !files.has(path),
    )
  }

  #verdict(missing: readonly string[], base: RedOnBase): Verdict {
    const { files } = this.#proof.change
    return testsToAdd({
      paths: this.#paths,
      missing,
      changesSources: files.some(({ path }) => !['test', 'doc'].includes(kindOfPath(path))),
      extended: this.#spec.inferredTests ?? [],
      promises: promisesBehaviour(this.#spec),
      isAsked: this.#spec.redOnBase === true,
      judgements: this.#judgements,
      runs: this.#evidence,
      base,
    })
  }

  /** Commands of the contract that name the tests, else the suite's command for these files, else the suite. */
  #runnables(files: readonly string[]): readonly Runnable[] {
    const { commands, site } = this.#proof.runs
    const calls = this.#spec.testsToRun.filter((command) => files.some((path) => command.includes(path)))
    const left = files.filter((path) => !calls.some((command) => command.includes(path)))
    const named = calls.map((command): Runnable => {
      const paths = files.filter((path) => command.includes(path))
      return { command, hint: hintBeside(commands.test?.hint, command), origin: 'contract', paths }
    })
    if (left.length === 0 || commands.test === null) return named
    const { command, hint } = commands.test
    const plain = left.every((path) => !isPattern(path) && !isFolderPath(path))
    const own = plain ? focused(site, command, left) : null
    const origin = own === null ? 'suite' : 'focused'
    return [...named, { command: own ?? command, hint, origin, paths: left }]
  }

  /** By the runner alone where they pass so, else with the steps before it, which they may need. */
  async #runWithWork(one: Runnable): Promise<Done> {
    const { runs, before } = this.#proof
    const { test } = runs.commands
    const isFocused = one.origin === 'focused' && test !== null
    const command = isFocused ? focusedRunner(runs.site, test.command, one.paths) : null
    if (command !== null) {
      const run = await runs.tests(command, one.hint)
      if (runs.judge(run, before).outcome === 'passed')
        return { one: { ...one, command, isShort: true }, run }
    }
    return { one, run: await runs.tests(one.command, one.hint) }
  }

  /** With its judgement. */
  #add(run: TestRun): void {
    this.#evidence.push(run.ran.evidence)
    this.#judgements.push(this.#proof.runs.judge(run, this.#proof.before))
  }

  #isPassed(): boolean {
    return this.#judgements.length > 0 && this.#judgements.every(({ outcome }) => outcome === 'passed')
  }

  /** Checks that the named files of a run that passed ran, one by one if its report does not tell them apart. */
  async #checkNamed({ one, run }: Done): Promise<void> {
    const { report } = run.facts
    const namesEach = one.paths.length < 2 || report === null || reportsFiles(report)
    const singles = namesEach ? [] : this.#singleFiles(one)
    if (singles.length === 0) await this.#judgeNamed(one, run)
    for (const single of singles) {
      const alone = await this.#proof.runs.tests(single.command, single.hint)
      this.#evidence.push(alone.ran.evidence)
      await this.#judgeNamed(single, alone)
    }
  }

  /** One command per file, as short as the one for all; empty if there is none, or there are too many files. */
  #singleFiles(one: Runnable): readonly Runnable[] {
    const { runs } = this.#proof
    const { paths, origin, isShort = false } = one
    const suite = runs.commands.test?.command ?? null
    if (origin !== 'focused' || suite === null || paths.length < 2 || paths.length > MOST_SINGLE) return []
    return paths.flatMap((path) => {
      const command = (isShort ? focusedRunner : focused)(runs.site, suite, [path])
      return command === null ? [] : [{ ...one, command, paths: [path] }]
    })
  }

  /** A command judged by exit code reports no tests. */
  async #judgeNamed(one: Runnable, { facts: { report } }: TestRun): Promise<void> {
    if (report === null) return
    const { files: inWork } = this.#proof.runs.site
    const files = one.paths.map((path) => ({
      path,
      isNew: this.#proof.change.files.some((file) => file.kind === 'added' && covers(path, file.path)),
      text: inWork.isFile(path) ? inWork.text(path) : null,
    }))
    const isAlone = this.#runsNothingElse(one)
    const isPlain = report.counts.skipped === 0 && (isAlone || reportsFiles(report))
    const suite = isPlain ? null : await this.#proof.baseSuite()
    const base = suite === null ? null : { tests: suite.base.tests, counts: suite.counts }
    const judged = judgeNamedTests({ files, isAlone, report, base })
    if (judged !== null) this.#judgements.push(judged)
  }

  /** A command of the plan does if it passes exactly the named files to a known runner. */
  #runsNothingElse({ command, origin, paths }: Runnable): boolean {
    const { site } = this.#proof.runs
    if (origin !== 'contract') return origin === 'focused'
    const text = typeof command === 'string' ? command : command.join(' ')
    if (/&&|;/.test(text) || runnerOf({ test: command, ...site.script(command) }) === null) return false
    const words = text.split(/\s+/).map((word) => word.replace(/^(\.\/)+|::.*$/g, ''))
    return !words.some((word) => !paths.includes(word) && (/[*?]/.test(word) || site.files.has(word)))
  }

  /** New tests must pass every time. The suite is not rerun: its flaky tests are found when it fails. */
  async #rerun(done: readonly Done[]): Promise<void> {
    const { runs, options, before } = this.#proof
    let isRerun = false
    for (const { command, hint, origin } of done.map(({ one }) => one)) {
      for (let time = 0; time < (origin === 'suite' ? 0 : options.reruns); time++) {
        const run = await runTests(runs.site, command, hint)
        this.#evidence.push(run.ran.evidence)
        isRerun = true
        const judged = runs.judge(run, before)
        if (judged.outcome !== 'failed') continue
        const summary = `flaky: the new tests passed, then failed when rerun: ${judged.summary}`
        this.#judgements.push({ ...judged, summary })
        return
      }
    }
    if (isRerun) this.#judgements.push({ outcome: 'passed', summary: 'steady', findings: [] })
  }

  /** Unchanged tests of an earlier round failed on the base then; the others have to fail there now. */
  async #shownBefore(planned: readonly Runnable[], withWork: WithWork): Promise<RedOnBase> {
    const { request, change } = this.#proof
    const alreadyShown = request.earlierWork?.tests ?? []
    const isShown = (path: string): boolean =>
      alreadyShown.includes(path) && !change.files.some((file) => covers(path, file.path))
    const fresh = this.#paths.filter((path) => !isShown(path))
    if (fresh.length === 0) return { kind: 'shown_earlier' }
    const isAll = fresh.length === this.#paths.length
    return this.#redOnBase(fresh, isAll ? planned : this.#runnables(fresh), withWork)
  }

  /** Runs the new tests on the base: a failing test in each file shows that the work made it pass. */
  async #redOnBase(
    paths: readonly string[],
    runnables: readonly Runnable[],
    withWork: WithWork,
  ): Promise<RedOnBase> {
    const own = this.#sourcesWithTests(paths, runnables)
    const others = runnables.flatMap((one) => {
      const rest = one.paths.filter((path) => !own.includes(path))
      return rest.length === 0 ? [] : [{ ...one, paths: rest }]
    })
    const inside = own.length === 0 ? null : await this.#testsInside(own, withWork.passing)
    if (own.length > 0 && inside === null) return unknown('the base names no tests')
    if (others.length === 0 && inside?.isRed === true) return shownOnBase([inside], this.#needs)
    const suite = others.some(({ origin }) => origin === 'suite') ? await this.#proof.baseSuite() : null
    if (suite !== null && !suite.isGreen) return unknown('the suite fails on the base without them')
    await using site = await this.#proof.openBase()
    if ((await site.setUp(this.#proof.runs.commands.setup)) !== null)
      return unknown('setup failed on the base')
    await this.#overlay(site, paths, own)
    const seen: FileOnBase[] = inside === null ? [] : [inside]
    // If the files can run one by one, each must fail there.
    for (const { command, hint, paths: files } of others.flatMap((one) => this.#eachFile(one))) {
      const { ran, facts } = await runTests(site, command, hint)
      this.#evidence.push(ran.evidence)
      const { ending } = ran.evidence
      if (ending.kind !== 'exited' || !couldRun(ending)) return unknown(`it ${formatEnding(ending)}`)
      const isEmpty = facts.report === null ? hint.kind !== 'exit' : facts.report.counts.run === 0
      if (ending.code === 0 && isEmpty) return unknown('no tests ran on the base')
      const green = passedInBoth(facts.report, withWork.passing)
      const isRed = ending.code !== 0 && failsWithout(facts.report, withWork.failing)
      seen.push({ files, isRed, green })
    }
    const shown = shownOnBase(seen, this.#needs)
    return shown.kind === 'green' ? { ...shown, lacks: this.#lackingOn(site) } : shown
  }

  #eachFile(one: Runnable): readonly Runnable[] {
    const singles = this.#singleFiles(one)
    return singles.length === 0 ? [one] : singles
  }

  /**
   * Sources that hold their own tests: they cannot be laid over the base without the work itself. A command of the contract that
   * names such a file runs it as a test.
   */
  #sourcesWithTests(files: readonly string[], runnables: readonly Runnable[]): readonly string[] {
    const named = runnables.flatMap(({ origin, paths }) => (origin === 'contract' ? paths : []))
    const { files: inWork } = this.#proof.runs.site
    return files.filter((path) => !isBaseTest(path) && !named.includes(path) && inWork.isFile(path))
  }

  /** Their new tests are those that only the work reports; null where the base names no tests. */
  async #testsInside(files: readonly string[], passing: readonly string[]): Promise<FileOnBase | null> {
    const tests = (await this.#proof.baseSuite())?.base.tests ?? null
    if (tests === null) return null
    const inside = newNames(tests.map(testKey), passing)
    return { files, isRed: inside.length > 0, green: [], inside }
  }

  /** What the criteria call, the work adds, and no source of the base has. */
  #lackingOn(base: GateSite): readonly string[] {
    const isSource = (path: string): boolean => kindOfPath(path) === 'source'
    const changed = this.#proof.change.files.filter(({ path }) => isSource(path))
    const added = changed.flatMap((file) => file.added)
    const fresh = calledNames(this.#spec).filter((name) => added.some(({ text }) => hasWord(text, name)))
    if (fresh.length === 0) return []
    const sources = [...base.files.listing().files].filter(isSource)
    return fresh.filter((name) => !sources.some((path) => hasWord(base.files.text(path) ?? '', name)))
  }

  /** Copies new and changed test files and their fixtures onto the base; only plain files, and no sources. */
  async #overlay(site: GateSite, files: readonly string[], sources: readonly string[]): Promise<void> {
    const { change, runs } = this.#proof
    const changed = change.files.filter(({ kind, path }) => kind !== 'deleted' && isBaseTest(path))
    for (const path of new Set([...changed.map((file) => file.path), ...files])) {
      if (sources.includes(path) || !runs.site.files.isFile(path)) continue
      const target = join(site.root, path)
      await mkdir(dirname(target), { recursive: true })
      await copyFile(join(runs.site.root, path), target)
    }
  }
}

const hasWord = (text: string, word: string): boolean =>
  text.includes(word) && new RegExp(`(?<![\\w$])${literalPattern(word)}(?![\\w$])`).test(text)
