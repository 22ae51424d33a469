/** Runs canary tests beside real ones, with the same runner in the same checkout. */
import { randomBytes } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { RunEvidence } from '../../core/event-schemas/evidence.ts'
import {
  canaryOf,
  canarySeen,
  cannotFail,
  fits,
  markedName,
  notShown,
  type Canary,
  type CanarySeen,
} from '../../core/gates/tests/canary.ts'
import { focusCommand } from '../../core/test-reports/focus-command.ts'
import { nameFilterArguments, runnerOf, type Runner } from '../../core/test-reports/runner.ts'
import type { ReportHint } from '../../core/test-reports/test-report.ts'
import type { Command } from '../../core/planning/plan.ts'
import { templatesIn, type CanaryRequest, type CanaryResult } from './canary-request.ts'
import type { GateSite } from '../runner/gate-site.ts'
import { runTests } from '../runner/test-run.ts'
import { tryInvertedTest } from './inverted-tests.ts'

/** Returns nothing if there is no test to copy or invert. */
export async function tryCanary(request: CanaryRequest): Promise<CanaryResult> {
  const { runs, command, change } = request
  const { site } = runs
  const runner = runnerOf({ test: command, ...site.script(command) })
  if (runner === null) return tryInvertedTest(request)
  if (request.hint.kind === 'exit') return { findings: [], runs: [] }
  const templates = templatesIn(site, change, (path) => fits(path, runner.name))
  if (templates.length === 0) return { findings: [], runs: [] }
  const onTree = await runCanaries(site, { ...request, runner, templates })
  const done = [onTree.run]
  switch (onTree.seen.kind) {
    case 'fails':
      return { findings: [], runs: done }
    case 'blind':
      return { findings: [cannotFail(onTree.seen.why)], runs: done }
    case 'unknown': {
      // The runner may never report it here. If it does on the base, the work prevents it.
      const before = await onBase(request, runner)
      const isWork = before !== null && before.kind === 'fails'
      return { findings: [(isWork ? cannotFail : notShown)(onTree.seen.why)], runs: done }
    }
  }
}

interface CanaryCall {
  readonly command: Command
  readonly hint: ReportHint
  readonly runner: Runner
  readonly templates: readonly Canary[]
}

async function runCanaries(
  site: GateSite,
  { command, hint, runner, templates }: CanaryCall,
): Promise<{ readonly seen: CanarySeen; readonly run: RunEvidence }> {
  const mark = `t${randomBytes(8).toString('hex')}`
  const canaries = templates.flatMap((template, place) => canaryOf(template, runner.name, mark, place) ?? [])
  try {
    for (const { path, text } of canaries) {
      await mkdir(dirname(join(site.root, path)), { recursive: true })
      await writeFile(join(site.root, path), text)
    }
    const paths = canaries.map(({ path }) => path)
    const focused = focusCommand({ test: command, paths, script: site.script(command).script })
    const words = nameFilterArguments(runner.name, [markedName(runner.name, mark).trimEnd()])
    const whole = focused === null ? runner.adding(words) : withArguments(focused, words)
    const { facts, ran } = await runTests(site, whole, hint)
    const seen = canarySeen(facts, { runner: runner.name, mark, files: canaries.length })
    return { seen, run: { ...ran.evidence, mustFail: true } }
  } finally {
    for (const { path } of canaries) await rm(join(site.root, path), { force: true })
  }
}

/** Adds options to a command that names files already: before them, or at the end. */
function withArguments(focused: Command, words: readonly string[]): Command {
  const runner = runnerOf({ test: focused, script: null })
  if (runner !== null) return runner.adding(words)
  return typeof focused === 'string' ? `${focused} ${words.join(' ')}` : [...focused, ...words]
}

/** Null if there is no test to copy. */
async function onBase(request: CanaryRequest, runner: Runner): Promise<CanarySeen | null> {
  await using base = await request.openBase()
  if ((await base.setUp(request.runs.commands.setup)) !== null) return null
  const before = { base: request.change.base, files: [] }
  const templates = templatesIn(base, before, (path) => fits(path, runner.name))
  if (templates.length === 0) return null
  return (await runCanaries(base, { ...request, runner, templates })).seen
}
