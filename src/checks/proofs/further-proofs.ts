/** Further proofs of a task: impacted suites, mutation testing, migrations and held-out checks. */
import type { Finding, RunEvidence } from '../../core/event-schemas/evidence.ts'
import { note, blocking, verdict, judgeRun } from '../../core/gates/verdicts.ts'
import { quotedList } from '../../lib/text/quoted.ts'
import { impactedSuites, notReported } from '../../core/review/impacted-suites.ts'
import { focused, focusedRunner, type JudgedRun } from '../runner/test-run.ts'
import type { SiteRuns } from '../runner/site-runs.ts'
import type { TaskProof } from '../runner/task-proof.ts'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Verdict } from '../../core/event-schemas/schemas.ts'
import { judgeMutants, mutantsOf, type Mutant, type MutantResult } from '../../core/gates/tests/mutants.ts'
import { isFolderPath, isPattern } from '../../core/languages/paths.ts'
import type { Command, Migrations } from '../../core/planning/plan.ts'
import type { GateSite } from '../runner/gate-site.ts'
import { MIGRATIONS_UNTRIED } from '../../core/gates/written-findings.ts'
import { heldOutVerdict } from '../../core/gates/judge-commands.ts'

export interface ImpactedRuns {
  readonly findings: readonly Finding[]
  /** Runs of suites that the full suite left out. */
  readonly runs: readonly JudgedRun[]
}

const MOST_NAMED = 10

/** Checks that every suite that imports a changed file ran, with the full suite or by name. */
export async function runImpacted({ change, runs, request, before }: TaskProof): Promise<ImpactedRuns> {
  const { files } = runs.site
  const tree = { files: files.listing().files, read: (path: string) => files.text(path) }
  const impact = impactedSuites(
    change.files.map(({ path }) => path),
    tree,
  )
  const { test } = runs.commands
  const onlyNote = (text: string): ImpactedRuns => ({ findings: [note(text)], runs: [] })
  const suite = test === null ? null : await runs.suite()
  if (impact.kind === 'all') {
    const how = suite === null ? 'no test command to run them' : 'the full suite ran'
    return onlyNote(`impacted suites: all (${impact.why}); ${how}`)
  }
  const { suites } = impact
  if (suites.length === 0) return onlyNote('impacted suites: none imports a changed file')
  const named = quotedList(suites.slice(0, MOST_NAMED), Math.max(0, suites.length - MOST_NAMED))
  if (test === null || suite === null)
    return onlyNote(`impacted suites: ${named}; no test command to run them`)
  const missing = notReported(suites, suite.facts.report?.tests ?? null)
  if (missing === null || missing.length === 0) {
    const how = missing === null ? 'the full suite ran' : 'all ran, by name'
    return onlyNote(`impacted suites: ${named}; ${how}`)
  }
  const left = quotedList(missing.slice(0, MOST_NAMED), Math.max(0, missing.length - MOST_NAMED))
  const { command, hint } = test
  const whole = focused(runs.site, command, missing)
  if (whole === null || request.tier === 'low')
    return onlyNote(`impacted suites: ${named}; the full suite does not report ${left}`)
  const short = focusedRunner(runs.site, command, missing)
  const first = await runs.tests(short ?? whole, hint)
  const isEnough = short === null || runs.judge(first, before).outcome === 'passed'
  const run = isEnough ? first : await runs.tests(whole, hint)
  // A benchmark, say: it imports a changed file and lies beside the tests, and the runner finds no test in it.
  if (run.facts.report?.counts.run === 0)
    return onlyNote(`impacted suites: ${named}; the runner finds no test in ${left}`)
  const judged = runs.judge(run, before)
  const text = `impacted suites: ${named}; the full suite left out ${left}, which ran by name`
  return { findings: [note(text)], runs: [{ run, judged }] }
}

const MOST = 12

/** Adds the result of mutation testing, where the task gets it, to a passed verdict; returns any other verdict unchanged. */
export async function withMutation(found: Verdict, proof: TaskProof): Promise<Verdict> {
  const { mutation } = proof.options
  const isMutated = mutation.of === 'all' || (mutation.of === 'critical' && proof.request.tier === 'critical')
  if (!isMutated || found.outcome !== 'passed') return found
  const mutants = mutantsOf(proof.change, await proof.trees(), MOST)
  if (mutants.length === 0) return found
  await using runs = await proof.openFresh()
  if ((await runs.setUp()) !== null) return found
  const commands = commandsFor(runs, proof.request.spec.testsToAdd)
  if (commands.length === 0) return found
  const tried = await tryAll(runs.site, mutants, commands, {
    limitMs: mutation.limitMs,
    signal: proof.signal,
  })
  const { isEnough, summary, survivors } = judgeMutants(tried)
  const findings = survivors.map(({ path, line, what }) =>
    (isEnough ? note : blocking)(`no test detects ${what}`, path, line),
  )
  const all = [...found.evidence.findings, ...findings]
  const outcome = isEnough ? 'passed' : 'failed'
  return verdict(found.gate, outcome, `${found.summary}; ${summary}`, { ...found.evidence, findings: all })
}

/** The new tests first, because they are quick, then the suite. */
function commandsFor({ commands, site }: SiteRuns, paths: readonly string[]): readonly Command[] {
  if (commands.test === null) return []
  const { command, hint } = commands.test
  if (hint.kind === 'exit') return []
  const isPlain = paths.every((path) => !isPattern(path) && !isFolderPath(path))
  const own = isPlain ? focused(site, command, paths) : null
  return own === null ? [command] : [own, command]
}

async function tryAll(
  site: GateSite,
  mutants: readonly Mutant[],
  commands: readonly Command[],
  { limitMs, signal }: { readonly limitMs: number; readonly signal: AbortSignal },
): Promise<readonly MutantResult[]> {
  const started = performance.now()
  const seen: MutantResult[] = []
  for (const mutant of mutants) {
    const left = limitMs - (performance.now() - started)
    if (left <= 0 || signal.aborted) break
    const isDetected = await isMutantDetected(site, mutant, commands, left)
    if (isDetected !== null) seen.push({ mutant, isDetected })
  }
  return seen
}

/** Null if time ran out, or the file is not the one that was parsed. */
async function isMutantDetected(
  site: GateSite,
  mutant: Mutant,
  commands: readonly Command[],
  leftMs: number,
): Promise<boolean | null> {
  if (!site.files.isFile(mutant.path)) return null
  const path = join(site.root, mutant.path)
  const before = await readFile(path, 'utf8')
  const { start, from, to } = mutant
  if (!before.startsWith(from, start)) return null
  const started = performance.now()
  try {
    await writeFile(path, `${before.slice(0, start)}${to}${before.slice(start + from.length)}`)
    for (const command of commands) {
      const left = leftMs - (performance.now() - started)
      if (left <= 0) return null
      const { ending } = (await site.runWithin(command, left)).evidence
      // A mutant may make a test hang; a timeout does not show which.
      if (ending.kind !== 'exited') return null
      if (ending.code !== 0) return true
    }
    return false
  } finally {
    await writeFile(path, before)
  }
}

/** A person decides on a critical migration without commands to try it; by the release they have. */
export async function tryTaskMigrations({ options, request, runs }: TaskProof): Promise<Verdict> {
  const { migrations = null } = options.environment
  if (migrations !== null || request.tier !== 'critical') return tryMigrations(runs, migrations)
  return verdict('migrations', 'inconclusive', MIGRATIONS_UNTRIED)
}

/**
 * Tries a migration up, down and up again, which reveals leftovers of the down migration. Stops at the first command that
 * fails.
 */
export async function tryMigrations(runs: SiteRuns, migrations: Migrations | null): Promise<Verdict> {
  if (migrations === null) return verdict('migrations', 'not_applicable', 'no migration commands configured')
  const { up, down } = migrations
  const broken = await runs.setupFailure('migrations')
  if (broken !== null) return broken
  const steps =
    down === null
      ? [{ name: 'up', command: up }]
      : [
          { name: 'up', command: up },
          { name: 'down', command: down },
          { name: 'up again', command: up },
        ]
  const done: RunEvidence[] = []
  for (const { name, command } of steps) {
    const { evidence } = await runs.site.run(command)
    done.push(evidence)
    const { outcome, summary } = judgeRun(evidence)
    if (outcome !== 'passed') return verdict('migrations', outcome, `${name}: ${summary}`, { runs: done })
  }
  const tried = steps.map(({ name }) => name).join(', ')
  return down === null
    ? verdict('migrations', 'passed', `${tried} succeeded; there is no down migration to try`, {
        runs: done,
        findings: [note('environment.migrations.down is null; no down migration was tried')],
      })
    : verdict('migrations', 'passed', `${tried} succeeded`, { runs: done })
}

/** Runs held-out checks, each as its own process, in a fresh checkout, free of files that tests left. */
export async function runHeldOut(proof: TaskProof): Promise<Verdict> {
  const commands = proof.request.spec.heldOut
  if (commands.length === 0) return verdict('held_out', 'not_applicable', 'the plan has no held-out checks')
  await using runs = await proof.openFresh()
  const broken = await runs.setupFailure('held_out')
  if (broken !== null) return broken
  const done: RunEvidence[] = []
  for (const command of commands) done.push((await runs.site.run(command)).evidence)
  return heldOutVerdict(done)
}
