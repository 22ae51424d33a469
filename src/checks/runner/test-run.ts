/** Runs a test command and reads its report from the output or from a file. */
import { readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Counts } from '../../core/event-schemas/evidence.ts'
import type { BaseTests, TestFacts } from '../../core/gates/tests/judge-tests.ts'
import { namedReport, relativeTo, type TestReport } from '../../core/test-reports/report.ts'
import { detectReport, type ReportHint } from '../../core/test-reports/test-report.ts'
import { reportArguments, runnerOf } from '../../core/test-reports/runner.ts'
import { couldRun, type Outcome } from '../../core/gates/verdicts.ts'
import { isOutside } from '../../core/languages/paths.ts'
import type { Command } from '../../core/planning/plan.ts'
import { terminalText } from '../../lib/text/terminal-text.ts'
import { MAX_REPORT_BYTES, type GateSite, type Ran } from './gate-site.ts'

export interface TestRun {
  readonly ran: Ran
  readonly facts: Omit<TestFacts, 'base'>
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
  const report = read.report === null ? null : relativeTo(read.report, site.folders)
  const evidence = { ...ran.evidence, counts: report?.counts ?? null }
  const { ending } = ran.evidence
  const facts = { command: evidence.command, ending, hint, report, noReport: read.why }
  return { ran: { ...ran, evidence }, facts }
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
  try {
    const names = readdirSync(join(site.root, path)).filter((name) => name.endsWith('.xml'))
    return names.map((name) => `${path}/${name}`)
  } catch {
    // Not readable: there is no report.
    return []
  }
}

/** The result of a run, for comparison with later runs. */
export interface SuiteResult {
  readonly base: BaseTests
  /** Null if its output could not be read. */
  readonly counts: Counts | null
  /** By exit code only. */
  readonly isGreen: boolean
  /** By exit code and report. */
  readonly outcome: Outcome
  /** A summary (the key is part of the cache file); absent if it was aborted or not started. */
  readonly trial?: { readonly canRun: boolean; readonly summary: string } | undefined
}
