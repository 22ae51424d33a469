/** Runs tests that must fail beside real ones, by the same runner, in the same checkout. */
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
import { nameWords, runnerOf, type Runner } from '../../core/test-reports/runner.ts'
import type { ReportHint } from '../../core/test-reports/test-report.ts'
import type { Command } from '../../core/planning/plan.ts'
import { seedsIn, type CanaryRequest, type CanaryResult } from './canary-request.ts'
import type { GateSite } from '../runner/gate-site.ts'
import { runTests } from '../runner/test-run.ts'
import { tryTurned } from './inverted-tests.ts'

/** Nothing is said where there is no test to put one beside, or to turn. */
export async function tryCanary(request: CanaryRequest): Promise<CanaryResult> {
  const { runs, command, change } = request
  const { site } = runs
  const runner = runnerOf({ test: command, ...site.script(command) })
  if (runner === null) return tryTurned(request)
  if (request.hint.kind === 'exit') return { findings: [], runs: [] }
  const seeds = seedsIn(site, change, (path) => fits(path, runner.name))
  if (seeds.length === 0) return { findings: [], runs: [] }
  const onTree = await runCanaries(site, { ...request, runner, seeds })
  const done = [onTree.run]
  switch (onTree.seen.kind) {
    case 'fails':
      return { findings: [], runs: done }
    case 'blind':
      return { findings: [cannotFail(onTree.seen.why)], runs: done }
    case 'unknown': {
      // Perhaps it never can be shown here. If it can on the base, the work is in the way.
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
  readonly seeds: readonly Canary[]
}

async function runCanaries(
  site: GateSite,
  { command, hint, runner, seeds }: CanaryCall,
): Promise<{ readonly seen: CanarySeen; readonly run: RunEvidence }> {
  const mark = `t${randomBytes(8).toString('hex')}`
  const canaries = seeds.flatMap((seed, place) => canaryOf(seed, runner.name, mark, place) ?? [])
  try {
    for (const { path, text } of canaries) {
      await mkdir(dirname(join(site.root, path)), { recursive: true })
      await writeFile(join(site.root, path), text)
    }
    const paths = canaries.map(({ path }) => path)
    const focused = focusCommand({ test: command, paths, script: site.script(command).script })
    const words = nameWords(runner.name, markedName(runner.name, mark).trimEnd())
    const whole = focused === null ? runner.adding(words) : withWords(focused, words)
    const { facts, ran } = await runTests(site, whole, hint)
    const seen = canarySeen(facts, { runner: runner.name, mark, files: canaries.length })
    return { seen, run: { ...ran.evidence, mustFail: true } }
  } finally {
    for (const { path } of canaries) await rm(join(site.root, path), { force: true })
  }
}

/** A command that names files already takes its options before them, or at its end. */
function withWords(focused: Command, words: readonly string[]): Command {
  const runner = runnerOf({ test: focused, script: null })
  if (runner !== null) return runner.adding(words)
  return typeof focused === 'string' ? `${focused} ${words.join(' ')}` : [...focused, ...words]
}

/** Null: there is nothing to put one beside. */
async function onBase(request: CanaryRequest, runner: Runner): Promise<CanarySeen | null> {
  const base = await request.openBase()
  try {
    if ((await base.setUp(request.runs.commands.setup)) !== null) return null
    const before = { base: request.change.base, files: [] }
    const seeds = seedsIn(base, before, (path) => fits(path, runner.name))
    if (seeds.length === 0) return null
    return (await runCanaries(base, { ...request, runner, seeds })).seen
  } finally {
    await base.close()
  }
}
