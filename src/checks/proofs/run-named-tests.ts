/** Checks that the named test files ran, running them one by one if a report does not tell them apart. */
import type { RunEvidence } from '../../core/event-schemas/evidence.ts'
import type { Change } from '../../core/gates/change.ts'
import { covers } from '../../core/gates/plan-alignment/expected-files.ts'
import type { TestJudgement } from '../../core/gates/tests/judge-tests.ts'
import { judgeNamedTests, reportsFiles, type SuiteOnBase } from '../../core/gates/tests/named-tests.ts'
import { runnerOf } from '../../core/test-reports/runner.ts'
import type { ReportHint } from '../../core/test-reports/test-report.ts'
import type { Command } from '../../core/planning/plan.ts'
import { focused, focusedRunner } from '../runner/focused.ts'
import type { SiteRuns } from '../runner/site-runs.ts'
import type { SuiteResult, TestRun } from '../runner/test-run.ts'

/** A command that runs new tests, and where it comes from. */
export interface Runnable {
  readonly command: Command
  readonly hint: ReportHint
  /** `contract`: a command of the plan; `focused`: the suite's command limited to these files; `suite`: the full suite. */
  readonly origin: 'contract' | 'focused' | 'suite'
  /** Whether the steps that come before the runner are left out. */
  readonly isShort?: boolean
  /** The new test files it runs. */
  readonly paths: readonly string[]
}

export interface NamedTestsRequest {
  readonly change: Change
  readonly runs: SiteRuns
  readonly baseSuite: () => Promise<SuiteResult | null>
}

export interface NamedTestsResult {
  readonly judgements: readonly TestJudgement[]
  readonly runs: readonly RunEvidence[]
}

/** More files than this are run together. */
const MOST_SINGLE = 10

/** Called only for a run that passed. A command judged by exit code reports no tests. */
export async function checkNamedTests(
  request: NamedTestsRequest,
  one: Runnable,
  run: TestRun,
): Promise<NamedTestsResult> {
  if (!namesEachFile(one, run)) {
    const singles = singleFiles(one, request.runs)
    if (singles.length > 0) return oneByOne(request, singles)
  }
  const judged = await judge(request, one, run)
  return { judgements: judged === null ? [] : [judged], runs: [] }
}

const namesEachFile = ({ paths }: Runnable, { facts }: TestRun): boolean =>
  paths.length < 2 || facts.report === null || reportsFiles(facts.report)

async function oneByOne(request: NamedTestsRequest, singles: readonly Runnable[]): Promise<NamedTestsResult> {
  const judgements: TestJudgement[] = []
  const runs: RunEvidence[] = []
  for (const single of singles) {
    const run = await request.runs.tests(single.command, single.hint)
    const judged = await judge(request, single, run)
    runs.push(run.ran.evidence)
    if (judged !== null) judgements.push(judged)
  }
  return { judgements, runs }
}

/** One command per file, as short as the one for all; empty if there is none, or there are too many files. */
export function singleFiles(one: Runnable, runs: SiteRuns): readonly Runnable[] {
  const { paths, origin, isShort = false } = one
  if (origin !== 'focused' || paths.length < 2 || paths.length > MOST_SINGLE) return []
  const suite = runs.commands.test?.command ?? null
  if (suite === null) return []
  return paths.flatMap((path) => {
    const command = (isShort ? focusedRunner : focused)(runs.site, suite, [path])
    return command === null ? [] : [{ ...one, command, paths: [path] }]
  })
}

async function judge(
  request: NamedTestsRequest,
  one: Runnable,
  { facts }: TestRun,
): Promise<TestJudgement | null> {
  const { report } = facts
  if (report === null) return null
  const { site } = request.runs
  const files = one.paths.map((path) => ({
    path,
    isNew: isAdded(request.change, path),
    text: site.files.isFile(path) ? site.files.text(path) : null,
  }))
  const isAlone = runsNothingElse(one, request.runs)
  const isPlain = report.counts.skipped === 0 && (isAlone || reportsFiles(report))
  const base = isPlain ? null : await onBase(request)
  return judgeNamedTests({ files, isAlone, report, base })
}

const isAdded = ({ files }: Change, path: string): boolean =>
  files.some((file) => file.kind === 'added' && covers(path, file.path))

async function onBase({ baseSuite }: NamedTestsRequest): Promise<SuiteOnBase | null> {
  const suite = await baseSuite()
  return suite === null ? null : { tests: suite.base.tests, counts: suite.counts }
}

/** A command of the plan does if it passes exactly the named files to a known runner. */
function runsNothingElse({ command, origin, paths }: Runnable, { site }: SiteRuns): boolean {
  if (origin !== 'contract') return origin === 'focused'
  const text = typeof command === 'string' ? command : command.join(' ')
  if (/&&|;/.test(text) || runnerOf({ test: command, ...site.script(command) }) === null) return false
  const words = text.split(/\s+/).map((word) => word.replace(/^(\.\/)+|::.*$/g, ''))
  return !words.some((word) => !paths.includes(word) && (/[*?]/.test(word) || site.files.has(word)))
}
