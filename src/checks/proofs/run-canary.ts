/** Runs canary tests beside real ones, with the same runner. */
import { randomBytes } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
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
  type Canary,
  type CanarySeen,
} from '../../core/gates/tests/canary.ts'
import { nameFilterArguments, runnerOf, type Runner } from '../../core/test-reports/runner.ts'
import type { ReportHint } from '../../core/test-reports/test-report.ts'
import type { Command } from '../../core/planning/plan.ts'
import { templatesIn, type CanaryRequest, type CanaryResult } from './canary-request.ts'
import { focused, focusedRunner, isShortened } from '../runner/focused.ts'
import type { GateSite } from '../runner/gate-site.ts'
import { runTests } from '../runner/test-run.ts'
import { tryBrokenTests } from './broken-tests.ts'

/** Returns nothing if there is no test to copy or invert. */
export async function tryCanary(request: CanaryRequest): Promise<CanaryResult> {
  const { runs, command, hint, change } = request
  const { site } = runs
  const runner = runnerOf({ test: command, ...site.script(command) })
  if (runner === null || hint.kind === 'exit') return tryBrokenTests(request)
  const templates = templatesIn(site, change, (path) => fits(path, runner.name))
  if (templates.length === 0) return { findings: [], runs: [] }
  const call = { command, hint, runner, templates }
  // Steps before the runner may refuse the copies, as formatters do, and say nothing about it.
  const short = isShortened(site, command) ? await runCopies(site, call, focusedRunner) : null
  if (short !== null && short.seen.kind !== 'unknown')
    return { findings: blindness(short.seen), runs: [short.run] }
  const copied = await runCopies(site, call, focused)
  if (copied.seen.kind !== 'unknown') return { findings: blindness(copied.seen), runs: [copied.run] }
  // The runner did not collect the copies. It may have a list of files; then a test that it has is extended.
  const extended = await runExtended(request, call)
  const done = [copied.run, ...(extended === null ? [] : [extended.run])]
  if (extended !== null && extended.seen.kind !== 'unknown')
    return { findings: blindness(extended.seen), runs: done }
  // It may never report them here. If it does on the base, the work prevents it.
  const isWork = await failsOnBase(request, runner)
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
async function runExtended({ openFresh }: CanaryRequest, call: CanaryCall): Promise<CanaryRun | null> {
  await using fresh = await openFresh()
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
  { command, hint }: Pick<CanaryCall, 'command' | 'hint'>,
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
async function failsOnBase(request: CanaryRequest, runner: Runner): Promise<boolean> {
  const { openBase, runs, command, hint, change } = request
  await using base = await openBase()
  if ((await base.setUp(runs.commands.setup)) !== null) return false
  const templates = templatesIn(base, { base: change.base, files: [] }, (path) => fits(path, runner.name))
  if (templates.length === 0) return false
  const call = { command, hint, runner, templates }
  if ((await runCopies(base, call, focused)).seen.kind === 'fails') return true
  return (await extendIn(base, call))?.seen.kind === 'fails'
}
