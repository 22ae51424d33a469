/** Runs a test command and reads its report from the output or from a file. */
import { readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunEvidence } from '../../core/event-schemas/evidence.ts'
import {
  rerunArguments,
  flakyJudgement,
  passedNow,
  type TestFacts,
  type TestJudgement,
} from '../../core/gates/tests/judge-tests.ts'
import { namedReport, relativeTo, type TestReport } from '../../core/test-reports/report.ts'
import { detectReport, type ReportHint } from '../../core/test-reports/test-report.ts'
import {
  reportArguments,
  runnerOf,
  focusCommand,
  focusRunner,
  runnerStep,
} from '../../core/test-reports/runner.ts'
import { couldRun } from '../../core/gates/verdicts.ts'
import { isOutside } from '../../core/languages/paths.ts'
import type { Command } from '../../core/planning/plan.ts'
import type { Redactor } from '../../lib/text/redactor.ts'
import { terminalText } from '../../lib/text/terminal-text.ts'
import { MAX_REPORT_BYTES, type GateSite, type Ran } from './gate-site.ts'
import { orElse } from '../../lib/or-else.ts'

export interface TestRun {
  readonly ran: Ran
  /** Names without secrets, as they are kept and compared. */
  readonly facts: Omit<TestFacts, 'base'>
  /** Those names as they were printed, where they differ. */
  readonly printed: ReadonlyMap<string, string>
}

const MAX_REPORT_FILES = 10_000

/** A known runner writes its report outside the checkout; for others, the output is read. */
export async function runTests(site: GateSite, command: Command, hint: ReportHint): Promise<TestRun> {
  // A report that is in the tree already is not from this run.
  if (hint.kind === 'junit' && !isOutside(hint.path)) {
    await rm(join(site.root, hint.path), { recursive: true, force: true })
  }
  const runner = hint.kind === 'auto' ? runnerOf({ test: command, ...site.script(command) }) : null
  const place = runner === null ? null : site.reportPlace()
  const extra = runner === null || place === null ? null : reportArguments(runner, place.path)
  const isOwn = runner !== null && extra !== null
  const ran = await site.run(isOwn ? runner.adding(extra) : command, command)
  const written = await place?.take()
  const read = isOwn
    ? ownReport(written ?? null, couldRun(ran.evidence.ending))
    : hint.kind === 'junit'
      ? reportFile(site, hint.path)
      : { report: detectReport(ran.text, hint), why: null }
  const found = read.report === null ? null : relativeTo(read.report, site.folders)
  const report = site.hide.inAll(found)
  const evidence = { ...ran.evidence, counts: report?.counts ?? null }
  const { ending } = ran.evidence
  const facts = { command: evidence.command, ending, hint, report, noReport: read.why }
  return { ran: { ...ran, evidence }, facts, printed: printedNames(found, site.hide) }
}

function printedNames(report: TestReport | null, hide: Redactor): ReadonlyMap<string, string> {
  const names = report?.failures ?? []
  return new Map(
    names.flatMap((name) => (hide.text(name) === name ? [] : [[hide.text(name), name] as const])),
  )
}

/** Reads only the file that Bosun asked for, because a test can print something that looks like a report. */
function ownReport(text: string | null, isRun: boolean): ReadReport {
  if (text === null || text === '') return { report: null, why: isRun ? 'it wrote no report' : null }
  const report = detectReport(terminalText(text), { kind: 'auto' })
  return { report, why: report === null ? 'its report cannot be read' : null }
}

interface ReadReport {
  readonly report: TestReport | null
  readonly why: string | null
}

/** Reads one file or every XML file of a folder: an unread one could hold the failures. */
function reportFile(site: GateSite, path: string): ReadReport {
  const unread = (why: string): ReadReport => ({ report: null, why })
  const places = site.files.isFile(path) ? [path] : reportsIn(site, path)
  if (places.length === 0) return unread(`it wrote no report at ${path}`)
  if (places.length > MAX_REPORT_FILES)
    return unread(`it wrote ${places.length} reports at ${path}, more than the limit of ${MAX_REPORT_FILES}`)
  const texts: string[] = []
  let room = MAX_REPORT_BYTES
  for (const place of places) {
    const read = site.files.bytes(place, room)
    if (read.kind === 'too_large') return unread(`its report at ${path} is too large to read`)
    if (read.kind !== 'bytes') continue
    room -= read.bytes.length
    texts.push(read.bytes.toString('utf8'))
  }
  if (texts.length === 0) return unread(`it wrote no report at ${path}`)
  const reports = texts.map((text) => detectReport(terminalText(text), { kind: 'junit', path }))
  const known = reports.filter((report) => report !== null)
  if (known.length < reports.length) return unread(`${path} is not a JUnit report`)
  const tests = known.flatMap(({ tests }) => tests ?? [])
  const doubts = known.flatMap((report) => report.doubts)
  return { report: namedReport('junit', tests, doubts), why: null }
}

function reportsIn(site: GateSite, path: string): readonly string[] {
  if (isOutside(path) || !site.files.has(path)) return []
  // In what is not readable there is no report.
  const names = orElse(() => readdirSync(join(site.root, path)), [])
  return names.filter((name) => name.endsWith('.xml')).map((name) => `${path}/${name}`)
}

/** With all steps of the suite's command; null if it cannot be limited to files. */
export const focused = (site: GateSite, test: Command, paths: readonly string[]): Command | null =>
  focusCommand({ test, paths, script: site.script(test).script })

/** Without the steps before its runner, such as lint and build; null unless they have succeeded in this checkout. */
export function focusedRunner(site: GateSite, test: Command, paths: readonly string[]): Command | null {
  const runner = stepOf(site, test)
  return runner === null ? null : focusRunner(runner, paths)
}

/** Whether `focusedRunner` has an answer. */
export const isShortened = (site: GateSite, test: Command): boolean => stepOf(site, test) !== null

const stepOf = (site: GateSite, test: Command): string | null =>
  site.hasPassed(test) ? runnerStep({ test, ...site.script(test) }) : null

/** A run, and what it comes to. */
export interface JudgedRun {
  readonly run: TestRun
  readonly judged: TestJudgement
  /** Further runs that support the judgement. */
  readonly more?: readonly RunEvidence[]
}

/** Reruns only the failed tests, to tell failing from flaky ones. `known` are those that failed at the start commit. */
export async function runFailedAgain(
  site: GateSite,
  { command, hint }: { readonly command: Command; readonly hint: ReportHint },
  first: JudgedRun & { readonly known: readonly string[]; readonly times: number },
): Promise<JudgedRun> {
  const { run, judged } = first
  const before = new Set(first.known)
  const failed = (run.facts.report?.failures ?? []).filter((name) => !before.has(name))
  const runner = runnerOf({ test: command, ...site.script(command) })
  const asPrinted = failed.map((name) => run.printed.get(name) ?? name)
  const extra = runner === null ? null : rerunArguments(runner.name, asPrinted)
  if (judged.outcome !== 'failed' || runner === null || extra === null) return { run, judged }
  const flaky = new Set<string>()
  const runs: RunEvidence[] = []
  for (let time = 0; time < first.times && flaky.size < failed.length; time++) {
    const again = await runTests(site, runner.adding(extra), hint)
    runs.push(again.ran.evidence)
    for (const name of passedNow(failed, again.facts.report)) flaky.add(name)
  }
  return { run, judged: flakyJudgement(judged, failed, [...flaky]), more: runs }
}
