/** Gate 2: finds a command for the new tests and runs them on the work and on the base. */
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { RunEvidence } from '../../core/event-schemas/evidence.ts'
import type { Verdict } from '../../core/event-schemas/schemas.ts'
import type { Change } from '../../core/gates/change.ts'
import { covers } from '../../core/gates/plan-alignment/expected-files.ts'
import { isBaseTest } from '../../core/gates/integrity/protected-paths.ts'
import { NO_BASE, type TestJudgement } from '../../core/gates/tests/judge-tests.ts'
import { hintBeside } from '../../core/test-reports/runner.ts'
import {
  failsWithout,
  newNames,
  passedIn,
  passedInBoth,
  shownOnBase,
  testsToAdd,
} from '../../core/gates/tests/tests-to-add.ts'
import type { FileOnBase, RedOnBase } from '../../core/gates/tests/tests-to-add.ts'
import {
  calledNames,
  promisesBehaviour,
  type PromisingSpec,
} from '../../core/gates/tests/promised-behaviour.ts'
import { testKey } from '../../core/test-reports/report.ts'
import { literalPattern } from '../../lib/text/literal-pattern.ts'
import { couldRun, formatEnding } from '../../core/gates/verdicts.ts'
import { isFolderPath, isPattern, kindOfPath } from '../../core/languages/paths.ts'
import type { TaskSpec } from '../../core/planning/plan.ts'
import { extendedTests } from '../../core/planning/task-tests.ts'
import type { GateSite } from '../runner/gate-site.ts'
import { focused, focusedRunner } from '../runner/focused.ts'
import { checkNamedTests, singleFiles, type Runnable } from './run-named-tests.ts'
import type { SiteRuns } from '../runner/site-runs.ts'
import { runTests, type SuiteResult, type TestRun } from '../runner/test-run.ts'

export interface NewTestsRequest {
  readonly spec: PromisingSpec &
    Pick<TaskSpec, 'files' | 'testsToAdd' | 'testsToRun' | 'inferred' | 'inferredTests'>
  readonly change: Change
  readonly runs: SiteRuns
  /** Tests already shown to fail on the base, before a plan edit made the task run again. */
  readonly alreadyShown: readonly string[]
  /** Opens a fresh site of the base, to run the new tests on the old code. */
  readonly openBase: () => Promise<GateSite>
  /** The suite on the base; null if there is none. */
  readonly baseSuite: () => Promise<SuiteResult | null>
  /** Tests that failed at the start commit, by name. */
  readonly baselineFailing: readonly string[]
  /** How often they are rerun to find flaky ones. */
  readonly reruns: number
}

export async function checkNewTests(request: NewTestsRequest): Promise<Verdict> {
  const { spec, change, runs } = request
  const { files } = runs.site
  const paths = spec.testsToAdd
  const listing = paths.some(isPattern) ? [...files.listing().files] : []
  const missing = paths.filter((path) =>
    isPattern(path) ? !listing.some((file) => covers(path, file)) : !files.has(path),
  )
  const changesSources = change.files.some(({ path }) => !['test', 'doc'].includes(kindOfPath(path)))
  const promised = { promises: promisesBehaviour(spec), isAsked: spec.redOnBase === true }
  const facts = { paths, missing, changesSources, extended: extendedTests(spec), ...promised }
  if (paths.length === 0 || missing.length > 0) {
    return testsToAdd({ ...facts, judgements: [], runs: [], base: { kind: 'unknown', why: 'not run' } })
  }
  const broken = await runs.setupFailure('tests_to_add')
  if (broken !== null) return broken
  const planned = runnablesFor(request)
  const runnables: Runnable[] = []
  const onTree: TestRun[] = []
  const before = { ...NO_BASE, failing: request.baselineFailing }
  for (const one of planned) {
    const done = (await runShort(request, one)) ?? { one, run: await runs.tests(one.command, one.hint) }
    runnables.push(done.one)
    onTree.push(done.run)
  }
  const judgements = onTree.map((run) => runs.judge(run, before))
  const evidence = onTree.map(({ ran }) => ran.evidence)
  const isRunPassed = judgements.length > 0 && judgements.every(({ outcome }) => outcome === 'passed')
  if (isRunPassed) {
    for (const [at, run] of onTree.entries()) {
      const runnable = runnables[at]
      const own = runnable === undefined ? null : await checkNamedTests(request, runnable, run)
      judgements.push(...(own?.judgements ?? []))
      evidence.push(...(own?.runs ?? []))
    }
  }
  const isPassed = isRunPassed && judgements.every(({ outcome }) => outcome === 'passed')
  const steady = isPassed ? await rerunNewTests(request, runnables) : null
  if (steady !== null) {
    judgements.push(steady.judged)
    evidence.push(...steady.runs)
  }
  const isGreen = isPassed && steady?.judged.outcome !== 'failed'
  const withWork = {
    passing: onTree.flatMap(({ facts }) => passedIn(facts.report)),
    failing: onTree.flatMap(({ facts }) => facts.report?.failures ?? []),
  }
  const base = isGreen ? await shownBefore(request, planned, withWork) : unknown('they do not pass yet')
  return testsToAdd({ ...facts, judgements, runs: [...evidence, ...base.runs], base: base.shown })
}

/** The new tests by the runner alone; null if they do not pass so, since they may need the steps before it. */
async function runShort(
  { runs, baselineFailing: failing }: NewTestsRequest,
  one: Runnable,
): Promise<{ readonly one: Runnable; readonly run: TestRun } | null> {
  const { test } = runs.commands
  if (one.origin !== 'focused' || test === null) return null
  const command = focusedRunner(runs.site, test.command, one.paths)
  if (command === null) return null
  const run = await runs.tests(command, one.hint)
  const { outcome } = runs.judge(run, { ...NO_BASE, failing })
  return outcome === 'passed' ? { one: { ...one, command, isShort: true }, run } : null
}

/** New tests must pass every time. Null if none was rerun. */
async function rerunNewTests(
  { runs, reruns, baselineFailing: failing }: NewTestsRequest,
  runnables: readonly Runnable[],
): Promise<{ readonly judged: TestJudgement; readonly runs: readonly RunEvidence[] } | null> {
  const done: RunEvidence[] = []
  for (const { command, hint, origin } of runnables) {
    // The suite is not rerun: its flaky tests are found when it fails.
    const times = origin === 'suite' ? 0 : reruns
    for (let time = 0; time < times; time++) {
      const run = await runTests(runs.site, command, hint)
      done.push(run.ran.evidence)
      const judged = runs.judge(run, { ...NO_BASE, failing })
      if (judged.outcome === 'failed') {
        const summary = `flaky: the new tests passed, then failed when rerun: ${judged.summary}`
        return { judged: { ...judged, summary }, runs: done }
      }
    }
  }
  return done.length === 0
    ? null
    : { judged: { outcome: 'passed', summary: 'steady', findings: [] }, runs: done }
}

/** Commands of the contract that name the tests, else the suite's command for these files, else the suite. */
function runnablesFor({ spec, runs }: NewTestsRequest): readonly Runnable[] {
  const calls = spec.testsToRun.filter((command) => spec.testsToAdd.some((path) => command.includes(path)))
  const left = spec.testsToAdd.filter((path) => !calls.some((command) => command.includes(path)))
  const named = calls.map((command): Runnable => {
    const paths = spec.testsToAdd.filter((path) => command.includes(path))
    return {
      command,
      hint: hintBeside(runs.commands.test?.hint, command),
      origin: 'contract',
      paths,
    }
  })
  if (left.length === 0 || runs.commands.test === null) return named
  const { command, hint } = runs.commands.test
  const plain = left.every((path) => !isPattern(path) && !isFolderPath(path))
  const own = plain ? focused(runs.site, command, left) : null
  const origin = own === null ? 'suite' : 'focused'
  return [...named, { command: own ?? command, hint, origin, paths: left }]
}

/** The tests on the work, by name; those that fail failed before too. */
interface WithWork {
  readonly passing: readonly string[]
  readonly failing: readonly string[]
}

interface Shown {
  readonly shown: RedOnBase
  readonly runs: readonly RunEvidence[]
}

/** Unchanged tests of an earlier round failed on the base then; the others have to fail there now. */
async function shownBefore(
  request: NewTestsRequest,
  runnables: readonly Runnable[],
  withWork: WithWork,
): Promise<Shown> {
  const { spec, alreadyShown, change } = request
  const isShown = (path: string): boolean =>
    alreadyShown.includes(path) && !change.files.some((file) => covers(path, file.path))
  const fresh = spec.testsToAdd.filter((path) => !isShown(path))
  if (fresh.length === 0) return { shown: { kind: 'shown_earlier' }, runs: [] }
  if (fresh.length === spec.testsToAdd.length) return redOnBase(request, runnables, withWork)
  const rest = { ...request, spec: { ...spec, testsToAdd: fresh } }
  return redOnBase(rest, runnablesFor(rest), withWork)
}

/**
 * Sources that hold their own tests: they cannot be laid over the base without the work itself. A command of the contract that
 * names such a file runs it as a test.
 */
function sourcesWithTests(
  { spec, runs }: NewTestsRequest,
  runnables: readonly Runnable[],
): readonly string[] {
  const named = runnables.flatMap(({ origin, paths }) => (origin === 'contract' ? paths : []))
  return spec.testsToAdd.filter(
    (path) => !isBaseTest(path) && !named.includes(path) && runs.site.files.isFile(path),
  )
}

/** Their new tests are those that only the work reports; null where the base names no tests. */
async function testsInside(
  { baseSuite }: NewTestsRequest,
  files: readonly string[],
  passing: readonly string[],
): Promise<FileOnBase | null> {
  const suite = await baseSuite()
  if (suite === null || suite.base.tests === null) return null
  const inside = newNames(suite.base.tests.map(testKey), passing)
  return { files, isRed: inside.length > 0, green: [], inside }
}

/** What the criteria call, the work adds, and no source of the base has. */
function lackingOn(base: GateSite, { spec, change }: NewTestsRequest): readonly string[] {
  const isSource = (path: string): boolean => kindOfPath(path) === 'source'
  const added = change.files.filter(({ path }) => isSource(path)).flatMap((file) => file.added)
  const fresh = calledNames(spec).filter((name) => added.some(({ text }) => hasWord(text, name)))
  if (fresh.length === 0) return []
  const sources = [...base.files.listing().files].filter(isSource)
  return fresh.filter((name) => !sources.some((path) => hasWord(base.files.text(path) ?? '', name)))
}

const hasWord = (text: string, word: string): boolean =>
  text.includes(word) && new RegExp(`(?<![\\w$])${literalPattern(word)}(?![\\w$])`).test(text)

/** Runs the new tests on the base: a failing test in each file shows that the work made it pass. */
async function redOnBase(
  request: NewTestsRequest,
  runnables: readonly Runnable[],
  withWork: WithWork,
): Promise<Shown> {
  const own = sourcesWithTests(request, runnables)
  const others = runnables.flatMap((one) => {
    const paths = one.paths.filter((path) => !own.includes(path))
    return paths.length === 0 ? [] : [{ ...one, paths }]
  })
  const inside = own.length === 0 ? null : await testsInside(request, own, withWork.passing)
  if (own.length > 0 && inside === null) return unknown('the base names no tests')
  if (others.length === 0 && inside?.isRed === true) return { shown: shownOnBase([inside]), runs: [] }
  const suite = others.some(({ origin }) => origin === 'suite') ? await request.baseSuite() : null
  if (suite !== null && !suite.isGreen) return unknown('the suite fails on the base without them')
  await using site = await request.openBase()
  const { commands } = request.runs
  if ((await site.setUp(commands.setup)) !== null) return unknown('setup failed on the base')
  await overlay(request, site, own)
  const runs: RunEvidence[] = []
  const seen: FileOnBase[] = inside === null ? [] : [inside]
  for (const { command, hint, paths: files } of others.flatMap((one) => byFile(one, request))) {
    const { ran, facts } = await runTests(site, command, hint)
    runs.push(ran.evidence)
    const { ending } = ran.evidence
    if (ending.kind !== 'exited' || !couldRun(ending))
      return { ...unknown(`it ${formatEnding(ending)}`), runs }
    const isEmpty = facts.report === null ? hint.kind !== 'exit' : facts.report.counts.run === 0
    if (ending.code === 0 && isEmpty) return { ...unknown('no tests ran on the base'), runs }
    const green = passedInBoth(facts.report, withWork.passing)
    const isRed = ending.code !== 0 && failsWithout(facts.report, withWork.failing)
    seen.push({ files, isRed, green })
  }
  const shown = shownOnBase(seen)
  return { shown: shown.kind === 'green' ? { ...shown, lacks: lackingOn(site, request) } : shown, runs }
}

/** If the files can run one by one, each must fail on the base. */
function byFile(one: Runnable, { runs }: NewTestsRequest): readonly Runnable[] {
  const singles = singleFiles(one, runs)
  return singles.length === 0 ? [one] : singles
}

const unknown = (why: string): Shown => ({ shown: { kind: 'unknown', why }, runs: [] })

/** Copies new and changed test files and their fixtures onto the base; only plain files, and no sources. */
async function overlay(
  { spec, change, runs }: NewTestsRequest,
  site: GateSite,
  sources: readonly string[],
): Promise<void> {
  const changed = change.files.filter(({ kind, path }) => kind !== 'deleted' && isBaseTest(path))
  const paths = new Set(
    [...changed.map(({ path }) => path), ...spec.testsToAdd].filter((path) => !sources.includes(path)),
  )
  for (const path of paths) {
    if (!runs.site.files.isFile(path)) continue
    const target = join(site.root, path)
    await mkdir(dirname(target), { recursive: true })
    await copyFile(join(runs.site.root, path), target)
  }
}
