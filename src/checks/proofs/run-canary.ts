/** Runs canary tests beside real ones, with the same runner. */
import { randomBytes } from 'node:crypto'
import { mkdir, rm, writeFile, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Finding, RunEvidence } from '../../core/event-schemas/evidence.ts'
import {
  appendedCanary,
  canaryOf,
  canarySeen,
  cannotFail,
  fits,
  markedName,
  notShown,
  templatesFor,
  testFilesFor,
  type Canary,
  type CanarySeen,
} from '../../core/gates/tests/canary.ts'
import { nameFilterArguments, runnerOf, type Runner } from '../../core/test-reports/runner.ts'
import type { ReportHint } from '../../core/test-reports/test-report.ts'
import type { Command } from '../../core/planning/plan.ts'
import { focused, focusedRunner, isShortened, runTests } from '../runner/test-run.ts'
import type { GateSite } from '../runner/gate-site.ts'
import type { Change } from '../../core/gates/change.ts'
import type { TaskProof } from '../runner/task-proof.ts'
import { withFailingEnd, brokenResult, invertTest } from '../../core/gates/tests/test-breaking.ts'

/** A command and how its report is read. */
type Suite = Pick<CanaryCall, 'command' | 'hint'>

export interface CanaryResult {
  readonly findings: readonly Finding[]
  readonly runs: readonly RunEvidence[]
  /** Why a suite that is judged by its exit code alone was not seen to fail, neither with the work nor without it. */
  readonly unshown?: string
}

export const NO_CANARY: CanaryResult = { findings: [], runs: [] }

/** Returns nothing if there is no test to copy or invert. */
export async function tryCanary(proof: TaskProof, suite: Suite): Promise<CanaryResult> {
  const { change, runs } = proof
  const { command, hint } = suite
  const { site } = runs
  const runner = runnerOf({ test: command, ...site.script(command) })
  if (runner === null || hint.kind === 'exit') return tryBrokenTests(proof, suite)
  const templates = templatesIn(site, change, (path) => fits(path, runner.name))
  if (templates.length === 0) return NO_CANARY
  const call = { command, hint, runner, templates }
  // Steps before the runner may refuse the copies, as formatters do, and say nothing about it.
  const short = isShortened(site, command) ? await runCopies(site, call, focusedRunner) : null
  if (short !== null && short.seen.kind !== 'unknown')
    return { findings: blindness(short.seen), runs: [short.run] }
  const copied = await runCopies(site, call, focused)
  if (copied.seen.kind !== 'unknown') return { findings: blindness(copied.seen), runs: [copied.run] }
  // The runner did not collect the copies. It may have a list of files; then a test that it has is extended.
  const extended = await runExtended(proof, call)
  const done = [copied.run, ...(extended === null ? [] : [extended.run])]
  if (extended !== null && extended.seen.kind !== 'unknown')
    return { findings: blindness(extended.seen), runs: done }
  // It may never report them here. If it does on the base, the work prevents it.
  const isWork = await failsOnBase(proof, suite, runner)
  return { findings: [(isWork ? cannotFail : notShown)(copied.seen.why)], runs: done }
}

const blindness = (seen: CanarySeen): readonly Finding[] =>
  seen.kind === 'blind' ? [cannotFail(seen.why)] : []

interface CanaryCall {
  readonly command: Command
  readonly hint: ReportHint
  readonly runner: Runner
  readonly templates: readonly Canary[]
}

interface CanaryRun {
  readonly seen: CanarySeen
  readonly run: RunEvidence
}

const newMark = (): string => `t${randomBytes(8).toString('hex')}`

/** Runs canaries beside the tests that they are copied from; `focus` limits the suite's command to them, else their names do. */
async function runCopies(site: GateSite, call: CanaryCall, focus: typeof focused): Promise<CanaryRun> {
  const { command, hint, runner, templates } = call
  const mark = newMark()
  const canaries = templates.flatMap((template, place) => canaryOf(template, runner.name, mark, place) ?? [])
  try {
    for (const canary of canaries) await place(site, canary)
    const paths = canaries.map(({ path }) => path)
    const limited = focus(site, command, paths)
    const words = nameFilterArguments(runner.name, [markedName(runner.name, mark).trimEnd()])
    const whole = limited === null ? runner.adding(words) : withArguments(limited, words)
    return await seenIn(site, { command: whole, hint }, { runner: runner.name, mark, files: canaries.length })
  } finally {
    for (const { path } of canaries) await rm(join(site.root, path), { force: true })
  }
}

/** Runs the suite in another checkout, with tests that must fail at the end of one of its files; null without a setup. */
async function runExtended(proof: TaskProof, call: CanaryCall): Promise<CanaryRun | null> {
  await using fresh = await proof.openFresh()
  return (await fresh.setUp()) === null ? await extendIn(fresh.site, call) : null
}

async function extendIn(
  site: GateSite,
  { command, hint, runner, templates }: CanaryCall,
): Promise<CanaryRun | null> {
  const [template] = templates
  if (template === undefined) return null
  const mark = newMark()
  await place(site, appendedCanary(template, runner.name, mark))
  return seenIn(site, { command, hint }, { runner: runner.name, mark, files: 1 })
}

async function place(site: GateSite, { path, text }: Canary): Promise<void> {
  await mkdir(dirname(join(site.root, path)), { recursive: true })
  await writeFile(join(site.root, path), text)
}

async function seenIn(
  site: GateSite,
  { command, hint }: Suite,
  canary: Parameters<typeof canarySeen>[1],
): Promise<CanaryRun> {
  const { facts, ran } = await runTests(site, command, hint)
  return { seen: canarySeen(facts, canary), run: { ...ran.evidence, mustFail: true } }
}

/** Adds options to a command that names files already: before them, or at the end. */
function withArguments(focused: Command, words: readonly string[]): Command {
  const runner = runnerOf({ test: focused, script: null })
  if (runner !== null) return runner.adding(words)
  return typeof focused === 'string' ? `${focused} ${words.join(' ')}` : [...focused, ...words]
}

/** Whether canaries fail on the base, in one way or the other. */
async function failsOnBase(proof: TaskProof, suite: Suite, runner: Runner): Promise<boolean> {
  await using base = await proof.openBase()
  if ((await base.setUp(proof.runs.commands.setup)) !== null) return false
  const unchanged = { base: proof.change.base, files: [] }
  const templates = templatesIn(base, unchanged, (path) => fits(path, runner.name))
  if (templates.length === 0) return false
  const call = { ...suite, runner, templates }
  if ((await runCopies(base, call, focused)).seen.kind === 'fails') return true
  return (await extendIn(base, call))?.seen.kind === 'fails'
}

function templatesIn(site: GateSite, change: Change, isFit: (path: string) => boolean): readonly Canary[] {
  const { files } = site.files.listing()
  return templatesFor({ change, files, isFit, read: (path) => site.files.text(path) })
}

/** Each takes as long as the suite. A test folder may hold files that no suite runs. */
const MOST_BROKEN = 4

interface Broken {
  readonly path: string
  readonly text: string
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
  const { files } = site.files.listing()
  return testFilesFor({ change, files, read: (path) => site.files.text(path) })
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
    const { seen, run } = await runWith(site, suite, one)
    runs.push(run)
    if (seen.kind === 'fails') return { failing: one.path, why: null, runs }
    why ??= seen.why
  }
  return { failing: null, why, runs }
}

async function runWith(
  site: GateSite,
  { command, hint }: Suite,
  { path, text, how }: Broken,
): Promise<CanaryRun> {
  const place = join(site.root, path)
  const before = site.files.text(path) ?? ''
  try {
    await writeFile(place, text)
    const { facts, ran } = await runTests(site, focused(site, command, [path]) ?? command, hint)
    return { seen: brokenResult(facts, path, how), run: { ...ran.evidence, mustFail: true } }
  } finally {
    await writeFile(place, before)
    // Newer than its build output, so that it is rebuilt.
    const now = new Date()
    await utimes(place, now, now)
  }
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
