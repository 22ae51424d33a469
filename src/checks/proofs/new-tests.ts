/** Gate 2 in practice: finds how to run the new tests, runs them on the work, and on the code as it was. */
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { RunEvidence } from '../../core/event-schemas/evidence.ts'
import type { Verdict } from '../../core/event-schemas/schemas.ts'
import type { Change } from '../../core/gates/change.ts'
import { covers } from '../../core/gates/plan-alignment/expected-files.ts'
import { focusCommand } from '../../core/test-reports/focus-command.ts'
import { isBaseTest } from '../../core/gates/integrity/protected-paths.ts'
import { NO_BASE, type TestJudgement } from '../../core/gates/tests/judge-tests.ts'
import { reportHintOf } from '../../core/test-reports/test-report.ts'
import { passedIn, passedInBoth, shownOnBase, testsToAdd } from '../../core/gates/tests/tests-to-add.ts'
import type { FileOnBase, RedOnBase } from '../../core/gates/tests/tests-to-add.ts'
import { couldRun, endingWords } from '../../core/gates/verdicts.ts'
import { isFolderPath, isPattern, kindOfPath } from '../../core/languages/paths.ts'
import type { TaskSpec } from '../../core/planning/plan.ts'
import { extendedTests } from '../../core/planning/task-tests.ts'
import type { GateSite } from '../runner/gate-site.ts'
import { checkOwnTests, singleFiles, type Runnable } from './named-tests.ts'
import type { SiteRuns } from '../runner/site-runs.ts'
import type { SuiteResult } from '../runner/test-run.ts'
import { runTests, testCommandOf } from '../runner/test-run.ts'

export interface NewTestsRequest {
  readonly spec: Pick<TaskSpec, 'files' | 'testsToAdd' | 'testsToRun' | 'inferred' | 'inferredTests'>
  readonly change: Change
  readonly runs: SiteRuns
  /** Those that were shown before an edit of the plan had the task done again. */
  readonly standing: readonly string[]
  /** A fresh site of the base, for the new tests to be put on the old code. */
  readonly openBase: () => Promise<GateSite>
  /** The suite on the base; null where there is none. */
  readonly baseSuite: () => Promise<SuiteResult | null>
  /** Tests that failed before anybody worked, by name. */
  readonly baselineFailing: readonly string[]
  readonly requireTestsPass: boolean
  /** How often they are run once more, to find those that come and go. */
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
  const facts = { paths, missing, changesSources, extended: extendedTests(spec) }
  if (paths.length === 0 || missing.length > 0) {
    return testsToAdd({ ...facts, judgements: [], runs: [], base: { kind: 'unknown', why: 'not run' } })
  }
  const broken = await runs.notReady('tests_to_add')
  if (broken !== null) return broken
  const runnables = runnablesFor(request)
  const onTree = []
  for (const { command, hint } of runnables) onTree.push(await runs.tests(command, hint))
  // The suite runs more than the new tests: what failed before in it is not their doing.
  const judgements = onTree.map((run, at) =>
    runnables[at]?.origin === 'suite'
      ? runs.judge(run, { ...NO_BASE, failing: request.baselineFailing }, request.requireTestsPass)
      : runs.judge(run, NO_BASE, true),
  )
  const evidence = onTree.map(({ ran }) => ran.evidence)
  const isRunPassed = judgements.length > 0 && judgements.every(({ outcome }) => outcome === 'passed')
  if (isRunPassed) {
    for (const [at, run] of onTree.entries()) {
      const runnable = runnables[at]
      const own = runnable === undefined ? null : await checkOwnTests(request, runnable, run)
      judgements.push(...(own?.judgements ?? []))
      evidence.push(...(own?.runs ?? []))
    }
  }
  const isPassed = isRunPassed && judgements.every(({ outcome }) => outcome === 'passed')
  const steady = isPassed ? await staySo(request, runnables) : null
  if (steady !== null) {
    judgements.push(steady.judged)
    evidence.push(...steady.runs)
  }
  const isGreen = isPassed && steady?.judged.outcome !== 'failed'
  const passing = onTree.flatMap(({ facts }) => passedIn(facts.report))
  const base = isGreen ? await shownBefore(request, runnables, passing) : unknown('they do not pass yet')
  return testsToAdd({ ...facts, judgements, runs: [...evidence, ...base.runs], base: base.shown })
}

/** New tests pass each time, or prove nothing. Null where they were not run again. */
async function staySo(
  { runs, reruns }: NewTestsRequest,
  runnables: readonly Runnable[],
): Promise<{ readonly judged: TestJudgement; readonly runs: readonly RunEvidence[] } | null> {
  const done: RunEvidence[] = []
  for (const { command, hint, origin } of runnables) {
    // The suite is run once: what comes and goes in it shows when it fails.
    const times = origin === 'suite' ? 0 : reruns
    for (let time = 0; time < times; time++) {
      const run = await runTests(runs.site, command, hint)
      done.push(run.ran.evidence)
      const judged = runs.judge(run, NO_BASE, true)
      if (judged.outcome === 'failed') {
        const words = `flaky: the new tests passed, and failed when run again: ${judged.words}`
        return { judged: { ...judged, words }, runs: done }
      }
    }
  }
  return done.length === 0
    ? null
    : { judged: { outcome: 'passed', words: 'steady', findings: [] }, runs: done }
}

/** A command of the contract that names the tests; else the suite's command for these files; else the suite. */
function runnablesFor({ spec, runs }: NewTestsRequest): readonly Runnable[] {
  const own = spec.testsToRun.filter((command) => spec.testsToAdd.some((path) => command.includes(path)))
  const left = spec.testsToAdd.filter((path) => !own.some((command) => command.includes(path)))
  const named = own.map((command): Runnable => {
    const paths = spec.testsToAdd.filter((path) => command.includes(path))
    return { command, hint: reportHintOf(undefined), origin: 'contract', paths }
  })
  if (left.length === 0 || runs.commands.test === null) return named
  const { command, hint } = testCommandOf(runs.commands.test)
  const plain = left.every((path) => !isPattern(path) && !isFolderPath(path))
  const focused = plain ? focusCommand({ test: command, paths: left, script: runs.site.testScript() }) : null
  const origin = focused === null ? 'suite' : 'focused'
  return [...named, { command: focused ?? command, hint, origin, paths: left }]
}

interface Shown {
  readonly shown: RedOnBase
  readonly runs: readonly RunEvidence[]
}

/** Tests that stand since before the task was done again were red then; the others have to be now. */
async function shownBefore(
  request: NewTestsRequest,
  runnables: readonly Runnable[],
  passing: readonly string[],
): Promise<Shown> {
  const { spec, standing, change } = request
  const isStanding = (path: string): boolean =>
    standing.includes(path) && !change.files.some((file) => covers(path, file.path))
  const fresh = spec.testsToAdd.filter((path) => !isStanding(path))
  if (fresh.length === 0) return { shown: { kind: 'standing' }, runs: [] }
  if (fresh.length === spec.testsToAdd.length) return redOnBase(request, runnables, passing)
  const rest = { ...request, spec: { ...spec, testsToAdd: fresh } }
  return redOnBase(rest, runnablesFor(rest), passing)
}

/** The new tests on the old code: each file has one that fails there, which shows that the work made it pass. */
async function redOnBase(
  request: NewTestsRequest,
  runnables: readonly Runnable[],
  passing: readonly string[],
): Promise<Shown> {
  const suite = runnables.some(({ origin }) => origin === 'suite') ? await request.baseSuite() : null
  if (suite !== null && !suite.isGreen) return unknown('the base fails without them')
  const site = await request.openBase()
  try {
    const { commands } = request.runs
    if ((await site.setUp(commands.setup)) !== null) return unknown('the base could not be set up')
    await overlay(request, site)
    const runs: RunEvidence[] = []
    const seen: FileOnBase[] = []
    for (const { command, hint, paths: files } of runnables.flatMap((one) => byFile(one, request))) {
      const { ran, facts } = await runTests(site, command, hint)
      runs.push(ran.evidence)
      const { ending } = ran.evidence
      if (ending.kind !== 'exited' || !couldRun(ending))
        return { ...unknown(`it ${endingWords(ending)}`), runs }
      const isEmpty = facts.report === null || facts.report.counts.run === 0
      if (ending.code === 0 && isEmpty) return { ...unknown('no tests ran there'), runs }
      const green = passedInBoth(facts.report, passing)
      seen.push({ files, isRed: ending.code !== 0, green })
    }
    return { shown: shownOnBase(seen), runs }
  } finally {
    await site.close()
  }
}

/** Where a few files can be run one by one, each has to show that it is red. */
function byFile(one: Runnable, { runs }: NewTestsRequest): readonly Runnable[] {
  const singles = singleFiles(one, runs)
  return singles.length === 0 ? [one] : singles
}

const unknown = (why: string): Shown => ({ shown: { kind: 'unknown', why }, runs: [] })

/** New and changed tests and what lies beside them go onto the base; links and what is not a file do not. */
async function overlay({ spec, change, runs }: NewTestsRequest, site: GateSite): Promise<void> {
  const changed = change.files.filter(({ kind, path }) => kind !== 'deleted' && isBaseTest(path))
  const paths = new Set([...changed.map(({ path }) => path), ...spec.testsToAdd])
  for (const path of paths) {
    if (!runs.site.files.isFile(path)) continue
    const target = join(site.root, path)
    await mkdir(dirname(target), { recursive: true })
    await copyFile(join(runs.site.root, path), target)
  }
}
