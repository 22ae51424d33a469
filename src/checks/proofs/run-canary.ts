/** Runs canary tests at the end of real test files, with the same runner, or breaks a test where it does not know the runner. */
import { randomBytes } from 'node:crypto'
import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Finding, RunEvidence } from '../../core/event-schemas/evidence.ts'
import {
  canarySeen,
  cannotFail,
  filesForCanaries,
  fits,
  markedName,
  notShown,
  testFilesFor,
  withCanary,
  type CanarySeen,
  type TestFile,
} from '../../core/gates/tests/canary.ts'
import { nameFilterArguments, runnerOf, type Runner } from '../../core/test-reports/runner.ts'
import type { ReportHint } from '../../core/test-reports/test-report.ts'
import type { Command } from '../../core/planning/plan.ts'
import { focused, focusedRunner, isShortened, runTests, type TestRun } from '../runner/test-run.ts'
import type { GateSite } from '../runner/gate-site.ts'
import type { Change } from '../../core/gates/change.ts'
import type { TaskProof } from '../runner/task-proof.ts'
import { withFailingEnd, brokenResult, invertTest } from '../../core/gates/tests/test-breaking.ts'

/** A command and how its report is read. */
interface Suite {
  readonly command: Command
  readonly hint: ReportHint
}

export interface CanaryResult {
  readonly findings: readonly Finding[]
  readonly runs: readonly RunEvidence[]
  /** Why a suite that is judged by its exit code alone was not seen to fail, neither with the work nor without it. */
  readonly unshown?: string
}

export const NO_CANARY: CanaryResult = { findings: [], runs: [] }

/** Returns nothing if there is no test to extend or break. */
export async function tryCanary(proof: TaskProof, suite: Suite): Promise<CanaryResult> {
  const { site } = proof.runs
  const { command, hint } = suite
  const runner = runnerOf({ test: command, ...site.script(command) })
  if (runner === null || hint.kind === 'exit') return tryBrokenTests(proof, suite)
  const call = { ...suite, runner, change: proof.change }
  // Steps before the runner may refuse them, as formatters do, and say nothing about it.
  const short = isShortened(site, command) ? await runCanaries(site, call, focusedRunner) : null
  const isTold = short !== null && short.seen.kind !== 'unknown'
  const ran = isTold ? short : await runCanaries(site, call, focused)
  if (ran === null) return NO_CANARY
  const runs = [ran.run]
  if (ran.seen.kind !== 'unknown') return { findings: blindness(ran.seen), runs }
  // It may never report them here. If it does on the base, the work prevents it.
  const isWork = await failsOnBase(proof, call)
  return { findings: [(isWork ? cannotFail : notShown)(ran.seen.why)], runs }
}

const blindness = (seen: CanarySeen): readonly Finding[] =>
  seen.kind === 'blind' ? [cannotFail(seen.why)] : []

interface CanaryCall extends Suite {
  readonly runner: Runner
  readonly change: Change
}

interface CanaryRun {
  readonly seen: CanarySeen
  readonly run: RunEvidence
}

/** `focus` limits the suite's command to the files with canaries, else their names do; null where no file can take one. */
async function runCanaries(
  site: GateSite,
  { command, hint, runner, change }: CanaryCall,
  focus: typeof focused,
): Promise<CanaryRun | null> {
  const files = filesForCanaries({ ...inSite(site), change, isFit: (path) => fits(path, runner.name) })
  if (files.length === 0) return null
  const mark = `t${randomBytes(8).toString('hex')}`
  const limited = focus(
    site,
    command,
    files.map(({ path }) => path),
  )
  const words = nameFilterArguments(runner.name, [markedName(runner.name, mark).trimEnd()])
  const whole = limited === null ? runner.adding(words) : withArguments(limited, words)
  const changed = files.map((file) => withCanary(file, runner.name, mark))
  const { facts, ran } = await runChanged(site, { command: whole, hint }, changed)
  const seen = canarySeen(facts, { runner: runner.name, mark, files: files.length })
  return { seen, run: { ...ran.evidence, mustFail: true } }
}

/** Runs tests with these texts of their files, which are as before afterwards. */
async function runChanged(
  site: GateSite,
  { command, hint }: Suite,
  changed: readonly TestFile[],
): Promise<TestRun> {
  const before = changed.map(({ path }) => ({ path, text: site.files.text(path) ?? '' }))
  try {
    for (const { path, text } of changed) await writeFile(join(site.root, path), text)
    return await runTests(site, command, hint)
  } finally {
    // Newer than their build output, so that they are rebuilt.
    const now = new Date()
    for (const { path, text } of before) {
      await writeFile(join(site.root, path), text)
      await utimes(join(site.root, path), now, now)
    }
  }
}

/** Adds options to a command that names files already: before them, or at the end. */
function withArguments(focused: Command, words: readonly string[]): Command {
  const runner = runnerOf({ test: focused, script: null })
  if (runner !== null) return runner.adding(words)
  return typeof focused === 'string' ? `${focused} ${words.join(' ')}` : [...focused, ...words]
}

/** Whether canaries fail on the base. */
async function failsOnBase(proof: TaskProof, call: CanaryCall): Promise<boolean> {
  await using base = await proof.openBase()
  if ((await base.setUp(proof.runs.commands.setup)) !== null) return false
  const change = { base: proof.change.base, files: [] }
  return (await runCanaries(base, { ...call, change }, focused))?.seen.kind === 'fails'
}

const inSite = ({
  files,
}: GateSite): { readonly files: ReadonlySet<string>; readonly read: typeof files.text } => ({
  files: files.listing().files,
  read: (path) => files.text(path),
})

/** Each takes as long as the suite. A test folder may hold files that no suite runs. */
const MOST_BROKEN = 4

interface Broken extends TestFile {
  readonly how: string
}

/** How, and the broken text; null if it does not apply to this file. */
const INVERTED = ['their assertions are inverted', invertTest] as const
const ENDED = ['the file fails at its end', withFailingEnd] as const

/**
 * Shows that a suite can fail by breaking one of its tests: with its assertions inverted or, where the exit code alone counts,
 * with a failure at its end.
 */
async function tryBrokenTests(proof: TaskProof, suite: Suite): Promise<CanaryResult> {
  const { runs, change } = proof
  const { hint } = suite
  const broken = brokenTestsIn(runs.site, hint, change)
  if (broken.length === 0) return NO_CANARY
  const onTree = await runBroken(runs.site, suite, broken)
  if (onTree.failing !== null) return { findings: [], runs: onTree.runs }
  // An assertion that is never reached fails nowhere. If it fails on the base, the work prevents it.
  const isWork = await brokenFailsOnBase(proof, suite, broken)
  const why = onTree.why ?? 'no test file could be broken'
  if (isWork) return { findings: [cannotFail(why)], runs: onTree.runs }
  const isTrusted = hint.kind !== 'exit' || hint.isAccepted === true
  return { findings: [notShown(why)], runs: onTree.runs, ...(isTrusted ? {} : { unshown: why }) }
}

/** The test file of the tree in `site` that makes the command fail when it is broken; null if none does. */
export async function fileThatFails(site: GateSite, suite: Suite): Promise<string | null> {
  const broken = brokenTestsIn(site, suite.hint, { base: '', files: [] })
  return (await runBroken(site, suite, broken)).failing
}

/** In the order in which they are tried. */
function brokenTestsIn(site: GateSite, hint: ReportHint, change: Change): readonly Broken[] {
  const isExit = hint.kind === 'exit'
  const ways = isExit ? [INVERTED, ENDED] : [INVERTED]
  const isNew = new Set(change.files.flatMap(({ path, kind }) => (kind === 'added' ? [path] : [])))
  return testFilesFor({ ...inSite(site), change })
    .filter(({ path }) => isExit || !isNew.has(path))
    .flatMap(({ path, text }) =>
      ways.flatMap(([how, broken]) => {
        const changed = broken(path, text)
        return changed === null ? [] : [{ path, text: changed, how }]
      }),
    )
    .slice(0, isExit ? MOST_BROKEN : 1)
}

interface Tried {
  /** The first that makes the suite fail. */
  readonly failing: string | null
  /** Why the first one tried does not. */
  readonly why: string | null
  readonly runs: readonly RunEvidence[]
}

async function runBroken(site: GateSite, suite: Suite, broken: readonly Broken[]): Promise<Tried> {
  const runs: RunEvidence[] = []
  let why: string | null = null
  for (const one of broken) {
    const command = focused(site, suite.command, [one.path]) ?? suite.command
    const { facts, ran } = await runChanged(site, { ...suite, command }, [one])
    const seen = brokenResult(facts, one.path, one.how)
    runs.push({ ...ran.evidence, mustFail: true })
    if (seen.kind === 'fails') return { failing: one.path, why: null, runs }
    why ??= seen.why
  }
  return { failing: null, why, runs }
}

async function brokenFailsOnBase(
  proof: TaskProof,
  suite: Suite,
  onTree: readonly Broken[],
): Promise<boolean> {
  await using base = await proof.openBase()
  if ((await base.setUp(proof.runs.commands.setup)) !== null) return false
  const paths = onTree.map(({ path }) => path)
  const broken = brokenTestsIn(base, suite.hint, proof.change).filter(({ path }) => paths.includes(path))
  return (await runBroken(base, suite, broken)).failing !== null
}
