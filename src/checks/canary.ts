/** Runs tests that must fail beside real ones, by the same runner, in the same checkout. */
import { randomBytes } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Finding, RunEvidence } from '../core/events/evidence.ts'
import {
  canaryOf,
  canarySeen,
  cannotFail,
  markedName,
  notShown,
  seedsFor,
  type Canary,
  type CanarySeen,
} from '../core/gates/canary.ts'
import type { Change } from '../core/gates/change.ts'
import { focusCommand } from '../core/gates/focus-command.ts'
import { nameWords, runnerOf, type Runner } from '../core/gates/runner.ts'
import type { ReportHint } from '../core/gates/test-report.ts'
import type { Command } from '../core/planning/plan.ts'
import type { GateSite } from './gate-site.ts'
import type { SiteRuns } from './site-runs.ts'
import { runTests } from './test-run.ts'

export interface CanaryRequest {
  readonly runs: SiteRuns
  readonly command: Command
  readonly hint: ReportHint
  readonly change: Change
  readonly openBase: () => Promise<GateSite>
}

export interface CanaryResult {
  readonly findings: readonly Finding[]
  readonly runs: readonly RunEvidence[]
}

/** Nothing is said of runners that are not known, and nothing where there is no test to put one beside. */
export async function tryCanary(request: CanaryRequest): Promise<CanaryResult> {
  const { runs, command, change } = request
  const { site } = runs
  const runner = runnerOf({ test: command, ...site.script(command) })
  if (runner === null || request.hint.kind === 'exit') return { findings: [], runs: [] }
  const { files } = site.files.listing()
  const seeds = seedsFor({ change, files, runner: runner.name, read: (path) => site.files.text(path) })
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
    const { files } = base.files.listing()
    const seeds = seedsFor({
      change: { base: request.change.base, files: [] },
      files,
      runner: runner.name,
      read: (path) => base.files.text(path),
    })
    if (seeds.length === 0) return null
    return (await runCanaries(base, { ...request, runner, seeds })).seen
  } finally {
    await base.close()
  }
}
