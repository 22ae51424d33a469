/** Takes the baseline: failing tests, other checks and existing work at the start commit. */
import type {
  Audit,
  CheckChoice,
  CheckTrial,
  FoundFile,
  StartFacts,
} from '../../core/event-schemas/baseline.ts'
import type { RunEvidence } from '../../core/event-schemas/evidence.ts'
import type { Verdict } from '../../core/event-schemas/schemas.ts'
import { auditTask, type AuditVerdict } from '../../core/repository-facts/audit.ts'
import { trialOf, testTrial } from '../../core/gates/check-trials.ts'
import { commandText } from '../../core/test-reports/runner.ts'
import { withErrorLine } from '../../core/gates/command-output.ts'
import { NO_BASE } from '../../core/gates/tests/judge-tests.ts'
import type { Outline } from '../../core/languages/file-outline.ts'
import { countTests } from '../../core/test-reports/report.ts'
import { expectedPaths } from '../../core/repository-facts/concurrent-branches.ts'
import { isPattern, isTestPath, normalPath } from '../../core/languages/paths.ts'
import type { TaskSpec, Command } from '../../core/planning/plan.ts'
import { judgeRun } from '../../core/gates/verdicts.ts'
import type { SuiteResult } from '../runner/base-suite.ts'
import { focused } from '../runner/test-run.ts'
import type { SiteRuns } from '../runner/site-runs.ts'
import type { Listing } from '../../core/repository-facts/detect-commands.ts'
import { testCandidates } from '../../core/repository-facts/test-candidates.ts'
import { reportHintOf } from '../../core/test-reports/test-report.ts'
import type { Commands } from '../runner/commands.ts'

export interface BaselineRequest {
  readonly tree: string
  readonly tasks: readonly TaskSpec[]
  /** The outline of a file in the tree, without files that commands created; null if it is not there. */
  readonly inTree: (path: string) => Outline | null
  /** The text of an expected file in the tree; null if it is missing or unreadable. */
  readonly textOf: (path: string) => string | null
  /** How often it was taken before, and a person's choices since. */
  readonly round?: number | undefined
  readonly choices?: readonly CheckChoice[] | undefined
}

export interface TestBaseline {
  /** By name; empty also if the tests could not run, which is not a failure. */
  readonly failing: readonly string[]
  readonly tests: StartFacts['tests']
  /** The command that names tests, where the detected one does not. */
  readonly testCommand: string | null
  /** Lint, types and build at the start commit. */
  readonly checks: StartFacts['checks']
  readonly audits: readonly Audit[]
  readonly warnings: readonly string[]
  /** Checks to ask a person about before work starts. */
  readonly trials: readonly CheckTrial[]
}

const MOST_FILES = 12

export async function takeTestBaseline(facts: {
  readonly request: BaselineRequest
  readonly runs: SiteRuns
  readonly tests: FoundTests
  readonly warnings: readonly string[]
}): Promise<TestBaseline> {
  const { request, runs } = facts
  const { suite, other } = facts.tests
  const verdicts = [
    await runs.plainGate('lint', ['lint']),
    await runs.plainGate('typecheck', ['typecheck']),
    await runs.plainGate('build', ['build']),
  ]
  const auditor = new Auditor(request, runs, suite)
  const audits: Audit[] = []
  for (const spec of request.tasks) audits.push(await auditor.audit(spec))
  const tests = testsOf(suite)
  const warnings =
    tests.outcome === 'not_run' ? [...facts.warnings, 'no test ran at the start commit'] : facts.warnings
  const checks = verdicts.map(({ gate, outcome, summary }) => ({ gate, outcome, summary }))
  const trials = await trialsOf(runs, facts.tests, verdicts)
  return { failing: suite?.base.failing ?? [], tests, testCommand: other, checks, audits, warnings, trials }
}

/** If the setup failed, no check ran, so only the setup is reported. */
async function trialsOf(
  runs: SiteRuns,
  { suite, tried }: Pick<FoundTests, 'suite' | 'tried'>,
  verdicts: readonly Verdict[],
): Promise<readonly CheckTrial[]> {
  const { commands, site } = runs
  const broken = await runs.setUp()
  if (broken !== null && commands.setup !== null) {
    if (broken.evidence.ending.kind === 'aborted') return []
    const why = withErrorLine(judgeRun(broken.evidence).summary, broken.evidence.keyLines)
    return [{ check: 'setup', state: 'cannot_run', command: commandText(commands.setup), why }]
  }
  const plain = (['lint', 'typecheck', 'build'] as const).flatMap((check) => {
    const command = commands[check]
    const found = verdicts.find(({ gate }) => gate === check)
    return command === null || found === undefined ? [] : (trialOf(check, commandText(command), found) ?? [])
  })
  const test = suiteTrial(commands, suite, site.files.listing().files)
  if (test === null) return plain
  const why = tried.length === 0 ? test.why : `${test.why}; tried as well: ${tried.join('; ')}`
  return [{ ...test, why }, ...plain]
}

function testsOf(suite: SuiteResult | null): StartFacts['tests'] {
  if (suite === null) return { outcome: 'none', counts: null }
  const { tests, failing } = suite.base
  const counts = tests === null ? null : countTests(tests)
  if (suite.outcome === 'passed') return { outcome: 'passed', counts }
  const hasRun = counts === null ? failing.length > 0 : counts.run > 0
  return { outcome: suite.outcome === 'failed' && hasRun ? 'failed' : 'not_run', counts }
}

interface TestResult {
  readonly passes: boolean | null
  readonly run: RunEvidence | null
}

const NOT_KNOWN: TestResult = { passes: null, run: null }

class Auditor {
  readonly #request: BaselineRequest
  readonly #runs: SiteRuns
  readonly #suite: SuiteResult | null

  constructor(request: BaselineRequest, runs: SiteRuns, suite: SuiteResult | null) {
    this.#request = request
    this.#runs = runs
    this.#suite = suite
  }

  async audit(spec: TaskSpec): Promise<Audit> {
    const isInTree = (path: string): boolean => this.#request.inTree(path) !== null
    const { textOf } = this.#request
    const optimistic = auditTask({ spec, isInTree, textOf, passes: () => true })
    const results = await this.#results(spec, optimistic)
    const passes = (path: string): boolean | null => results.get(normalPath(path))?.passes ?? null
    const verdict = auditTask({ spec, isInTree, textOf, passes })
    const runs = verdict.status === 'EXISTS' ? [...results.values()].flatMap(({ run }) => run ?? []) : []
    return { task: spec.id, ...verdict, files: this.#found(spec, passes), runs }
  }

  /** Always runs a test if it alone decides whether a task exists already. */
  async #results(spec: TaskSpec, optimistic: AuditVerdict): Promise<ReadonlyMap<string, TestResult>> {
    const results = new Map<string, TestResult>()
    const tests = new Set([...spec.testsToAdd.map(normalPath), ...expectedPaths(spec).filter(isTestPath)])
    for (const path of tests) {
      if (isPattern(path) || this.#request.inTree(path) === null) continue
      const decides =
        optimistic.status === 'EXISTS' && spec.testsToAdd.some((one) => normalPath(one) === path)
      results.set(path, decides ? await this.#alone(path) : { passes: this.#inSuite(path), run: null })
    }
    return results
  }

  #found(spec: TaskSpec, passes: (path: string) => boolean | null): FoundFile[] {
    const tests = new Set(spec.testsToAdd.map(normalPath))
    const there = expectedPaths(spec).flatMap((path) => {
      const outline = this.#request.inTree(path)
      return outline === null ? [] : [{ path, outline }]
    })
    return there.slice(0, MOST_FILES).map(({ path, outline }) => {
      const isTest = tests.has(path) || isTestPath(path)
      const { holds, more } = outline
      return { path, holds: [...holds], more, isTest, passes: isTest ? passes(path) : null }
    })
  }

  /** By its file where the suite names files, else by the names of its tests; a suite that passed counts for all of its files. */
  #inSuite(path: string): boolean | null {
    const tests = this.#suite?.base.tests ?? []
    const holds = new Set(this.#request.inTree(path)?.holds)
    const own = tests.filter(({ file, name }) =>
      file === null ? holds.has(name.split(' > ').at(-1) ?? name) : normalPath(file) === path,
    )
    const { run, failed } = countTests(own)
    if (run > 0) return failed === 0
    return this.#suite?.outcome === 'passed' && !tests.some(({ file }) => file !== null) ? true : null
  }

  /** If a file cannot run alone, a passing suite counts for it. */
  async #alone(path: string): Promise<TestResult> {
    const runs = this.#runs
    if (runs.commands.test === null || (await runs.setUp()) !== null) return NOT_KNOWN
    const { command, hint } = runs.commands.test
    const alone = focused(runs.site, command, [path])
    if (alone === null) return { passes: this.#suite?.outcome === 'passed' ? true : null, run: null }
    const run = await runs.tests(alone, hint)
    const { outcome } = runs.judge(run, NO_BASE)
    return { passes: outcome === 'inconclusive' ? null : outcome === 'passed', run: run.ran.evidence }
  }
}

interface FoundTests {
  readonly commands: Commands
  readonly suite: SuiteResult | null
  /** The command, where it is not the detected one. */
  readonly other: string | null
  /** Commands that named no test either, with why. */
  readonly tried: readonly string[]
}

/**
 * Finds a command that names the tests of the start commit, where the detected one does not. Never called where a person has
 * set the command.
 */
export async function findTests(of: {
  readonly commands: Commands
  readonly suite: SuiteResult | null
  readonly listing: Listing
  readonly run: (commands: Commands) => Promise<SuiteResult | null>
}): Promise<FoundTests> {
  const { commands, suite, listing, run } = of
  const tried: string[] = []
  for (const command of namesNoTest(commands, suite, listing.files) ? testCandidates(listing) : []) {
    const other = commandText(command)
    const next = withTest(commands, command)
    const result = await run(next)
    const known = Math.max(1, suite?.counts?.run ?? 0)
    const isFound = (result?.counts?.run ?? 0) >= known && !namesNoTest(next, result, listing.files)
    if (isFound) return { commands: next, suite: result, other, tried }
    tried.push(`${other} (${result?.trial?.summary ?? 'it did not run'})`)
  }
  return { commands, suite, other: null, tried }
}

export const withTest = (commands: Commands, command: Command): Commands => ({
  ...commands,
  test: { command, hint: reportHintOf(undefined) },
})

/**
 * Also where there is no command although there are tests, and where several fail and none passes, which the right command
 * would hardly do. A set-up that fails says nothing about the command.
 */
function namesNoTest(commands: Commands, suite: SuiteResult | null, files: ReadonlySet<string>): boolean {
  if (commands.test === null) return [...files].some(isTestPath)
  const trial = suiteTrial(commands, suite, files)
  return trial !== null && (trial.state !== 'red' || suite?.counts?.passed === 0)
}

/** Null where a person need not be asked about the tests. */
function suiteTrial(
  { test }: Commands,
  suite: SuiteResult | null,
  files: ReadonlySet<string>,
): CheckTrial | null {
  if (test === null || suite?.trial === undefined) return null
  return testTrial({
    ...suite.trial,
    command: commandText(test.command),
    isGreen: suite.isGreen,
    isPassed: suite.outcome === 'passed',
    failing: suite.base.failing,
    passed: suite.counts?.passed ?? null,
    files,
  })
}
