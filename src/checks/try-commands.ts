/** Runs the commands of a repository once, in a clean checkout, to find which of them work on this machine. */
import type { CheckName } from '../core/event-schemas/baseline.ts'
import { commandText } from '../core/test-reports/runner.ts'
import { judgeTests, NO_BASE } from '../core/gates/tests/judge-tests.ts'
import { mainErrorLine } from '../core/gates/command-output.ts'
import { judgeRun } from '../core/gates/verdicts.ts'
import { reportHintOf, type ReportHint } from '../core/test-reports/test-report.ts'
import { isTestPath } from '../core/languages/paths.ts'
import type { Command } from '../core/planning/plan.ts'
import { testCandidates } from '../core/repository-facts/test-candidates.ts'
import type { TriedCommand, TrialRequest, TrialEnvironment } from '../ports/command-trial.ts'
import { commandsFor, type Commands, type GateOptions } from './runner/commands.ts'
import { GateSite, type Ran } from './runner/gate-site.ts'
import { fileThatFails } from './proofs/run-canary.ts'
import { runTests } from './runner/test-run.ts'
import { withTest } from './baseline/baseline.ts'
import { EvidenceStore } from '../lib/process/output-keeper.ts'
import { PortLeases } from '../lib/files/port-leases.ts'
import { DependencyCache } from './runner/dependency-cache.ts'
import type { Rerun } from '../core/delivery/release/compare-rerun.ts'
import { measuredValues } from '../core/gates/judge-commands.ts'
import type { RerunRequest } from '../ports/checkouts.ts'
import { SiteRuns } from './runner/site-runs.ts'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

const ORDER = ['lint', 'typecheck', 'build', 'test'] as const
const LONGEST_LINE = 200

/**
 * In the order they ran, without aborted ones. `place.timeoutMs` applies to each. A detected set-up that cannot run is left out
 * where the tests pass without it.
 */
export async function tryCommands(
  place: TrialPlace,
  tree: string,
  request: TrialRequest,
): Promise<readonly TriedCommand[]> {
  const { environment, isDetected = false, signal } = request
  const open = () => openTrialSite(place, environment, { tree, purpose: 'baseline', signal })
  await using site = await open()
  const { commands } = commandsFor(environment, site.files.listing(), null)
  const tried = await tryIn(site, commands, request)
  const [setup] = tried
  if (!isDetected || setup?.outcome !== 'cannot_run' || setup.check !== 'setup' || signal.aborted)
    return tried
  // What is left of it may help the tests here, and nowhere else.
  await using untouched = await open()
  const without = await tryIn(untouched, { ...commands, setup: null }, request)
  const passes = without.some(
    ({ check, outcome, byExitCode }) => check === 'test' && outcome === 'passed' && byExitCode === undefined,
  )
  return passes ? [setup, ...without] : tried
}

async function tryIn(
  site: GateSite,
  commands: Commands,
  { environment, isDetected = false, signal, onStart }: TrialRequest,
): Promise<readonly TriedCommand[]> {
  const tried: TriedCommand[] = []
  const { setup } = commands
  if (setup !== null) onStart?.(commandText(setup))
  const broken = await site.setUp(setup)
  if (setup !== null && !signal.aborted)
    tried.push(
      broken === null
        ? { check: 'setup', command: commandText(setup), outcome: 'passed', why: 'succeeded' }
        : { ...outcomeOf('setup', setup, broken), outcome: 'cannot_run' },
    )
  for (const check of ORDER) {
    const command = check === 'test' ? (commands.test?.command ?? null) : commands[check]
    if (command === null || signal.aborted) continue
    if (broken !== null) {
      const why = 'setup failed'
      tried.push({ check, command: commandText(command), outcome: 'not_tried', why })
      continue
    }
    onStart?.(commandText(command))
    const mayReplace = isDetected || environment.test === undefined
    const one =
      check === 'test'
        ? await tryAllTests(site, { commands, signal, onStart }, mayReplace)
        : outcomeOf(check, command, await site.run(command))
    if (!signal.aborted) tried.push(one)
  }
  return tried
}

interface TriedTests {
  readonly tried: TriedCommand
  readonly isNamed: boolean
  /** How many tests ran, where that is known. */
  readonly run: number
  readonly command: Command
}

/**
 * The test command or, where it names no test and may be replaced, the first other one that does; else the first that a broken
 * test makes fail, so that its exit code may count.
 */
async function tryAllTests(
  site: GateSite,
  { commands, signal, onStart }: Pick<TrialRequest, 'signal' | 'onStart'> & { readonly commands: Commands },
  mayReplace: boolean,
): Promise<TriedCommand> {
  const first = await tryTests(site, commands)
  const all = [first]
  for (const command of first.isNamed || !mayReplace ? [] : candidatesFor(site, commands)) {
    if (signal.aborted) break
    onStart?.(commandText(command))
    const next = await tryTests(site, withTest(commands, command))
    if (next.isNamed && next.run >= first.run) return insteadOf(next.tried, first.tried)
    all.push(next)
  }
  const others = all.slice(1).map(({ tried }) => `${tried.command} (${tried.why})`)
  for (const { tried, command } of all) {
    if (tried.outcome !== 'unnamed' || signal.aborted) continue
    const failsWith = await fileThatFails(site, { command, hint: reportHintOf('exit') })
    if (failsWith === null) continue
    const shown = { ...tried, byExitCode: { failsWith } }
    return tried === first.tried ? shown : insteadOf(shown, first.tried)
  }
  const { tried } = first
  return others.length === 0 ? tried : { ...tried, why: `${tried.why}; tried as well: ${others.join('; ')}` }
}

/** Without a set-up npx would fetch what is not installed. */
const candidatesFor = (site: GateSite, { setup }: Commands): readonly Command[] =>
  testCandidates(site.files.listing()).filter(
    (command) => setup !== null || !commandText(command).startsWith('npx '),
  )

const insteadOf = (tried: TriedCommand, first: TriedCommand): TriedCommand => ({
  ...tried,
  insteadOf: `${first.command} names no test: ${first.why}`,
})

/** Reads tests as a gate does: unnamed tests prove nothing about a task. Where there are no tests yet, none can be named. */
async function tryTests(site: GateSite, { test }: Commands): Promise<TriedTests> {
  if (test === null) throw new Error('there is no test command to try')
  const { command, hint } = test
  const { facts, ran } = await runTests(site, command, hint)
  const { outcome, summary } = judgeTests({ ...facts, base: NO_BASE })
  const tried = outcomeOf('test', command, ran)
  if (hint.kind === 'exit') {
    const failsWith = outcome === 'passed' ? await fileThatFails(site, test) : null
    return { tried: { ...tried, byExitCode: { failsWith } }, isNamed: true, run: 0, command }
  }
  const isTested = [...site.files.listing().files].some(isTestPath)
  const { run = 0, passed = 0, failed = 0 } = facts.report?.counts ?? {}
  const isNamed = !isTested || (run > 0 && (passed > 0 || failed < 2))
  const isUnnamed = isTested && run === 0 && tried.outcome === 'passed'
  return { tried: isUnnamed ? { ...tried, outcome: 'unnamed', why: summary } : tried, isNamed, run, command }
}

function outcomeOf(check: CheckName, command: Command, { evidence }: Ran): TriedCommand {
  const { outcome, summary } = judgeRun(evidence)
  const errorLine = outcome === 'passed' ? '' : mainErrorLine(evidence.keyLines).slice(0, LONGEST_LINE)
  return {
    check,
    command: commandText(command),
    outcome: outcome === 'passed' || outcome === 'failed' ? outcome : 'cannot_run',
    why: errorLine === '' ? summary : `${summary}: ${errorLine}`,
  }
}

export interface TrialPlace extends Pick<GateOptions, 'checkouts' | 'processEnv' | 'timeoutMs' | 'walls'> {
  /** Holds outputs and dependencies; the caller removes it. */
  readonly folder: string
  /** The user's work tree, where `env_files` come from. */
  readonly root: string
}

/**
 * Opens a clean checkout for commands outside of any plan. Everything it stores is in the caller's folder. The caller closes
 * it.
 */
export async function openTrialSite(
  { folder, root, ...place }: TrialPlace,
  environment: TrialEnvironment,
  call: Parameters<typeof GateSite.open>[1],
): Promise<GateSite> {
  const cache = join(folder, 'dependencies')
  await mkdir(cache, { recursive: true })
  const parts = {
    ...place,
    evidence: new EvidenceStore(join(folder, 'evidence')),
    dependencies: new DependencyCache(cache),
    ports: new PortLeases(),
    envFilesFrom: root,
    envFiles: environment.env_files ?? [],
    portCount: environment.ports ?? 0,
    network: environment.network,
  }
  return GateSite.open(parts, call)
}

/** The order of the release: tests may need build output. */
const RELEASE_ORDER = ['lint', 'typecheck', 'build', 'unit', 'migrations', 'milestone']
/** The length at which gate-site.ts cuts a command's text. */
const KEPT_COMMAND = 500

/** Reruns the commands that a release is based on, in a clean checkout of the released tree. */
export async function rerunEvidence(
  place: TrialPlace,
  request: RerunRequest,
  signal: AbortSignal,
): Promise<readonly Rerun[]> {
  const { environment, onStart } = request
  const call = { tree: request.tree, purpose: 'release' as const, signal }
  await using site = await openTrialSite(place, environment, call)
  const { commands } = commandsFor(environment, site.files.listing(), null)
  const runs = new SiteRuns(site, commands)
  if (commands.setup !== null && request.evidence.length > 0) onStart?.(commandText(commands.setup))
  const broken = request.evidence.length === 0 ? null : await runs.setUp()
  const ready = broken === null ? '' : `setup failed: ${judgeRun(broken.evidence).summary}`
  const reruns: Rerun[] = []
  for (const one of inOrder(request.evidence)) {
    if (ready === '') onStart?.(one.command)
    reruns.push(await again(runs, one, ready))
  }
  return reruns
}

const gateOf = (claim: string): string => claim.split(' ')[0] ?? ''

function inOrder(evidence: RerunRequest['evidence']): RerunRequest['evidence'] {
  return evidence.toSorted(
    (a, b) => RELEASE_ORDER.indexOf(gateOf(a.claim)) - RELEASE_ORDER.indexOf(gateOf(b.claim)),
  )
}

async function again(
  runs: SiteRuns,
  { claim, command, values }: RerunRequest['evidence'][number],
  notReady: string,
): Promise<Rerun> {
  const isCut = command.length >= KEPT_COMMAND
  const notRun = isCut ? 'its command was too long to be recorded in full' : notReady
  const common = { claim, command, notRun }
  if (notRun !== '') return { ...common, ending: { kind: 'aborted' }, counts: null }
  if (gateOf(claim) !== 'unit') {
    // Migrations run "up" twice, and the second run counts.
    const isOnce = gateOf(claim) !== 'migrations'
    const { evidence, stdout } = await (isOnce ? runs.plain(command) : runs.site.run(command))
    const measured = values === undefined ? {} : { values: measuredValues(stdout, values) }
    return { ...common, ending: evidence.ending, counts: null, ...measured }
  }
  const { ran } = await runs.tests(command, hintFor(runs.commands, command))
  return { ...common, ending: ran.evidence.ending, counts: ran.evidence.counts }
}

/** How to read its report, if the settings still name this command. */
function hintFor({ test }: Commands, command: string): ReportHint {
  return test !== null && commandText(test.command) === command ? test.hint : reportHintOf(undefined)
}
