/** Runs the commands of a repository once, in a clean checkout, to find which of them work on this machine. */
import type { CheckName } from '../core/event-schemas/baseline.ts'
import { commandText } from '../core/test-reports/focus-command.ts'
import { judgeTests, NO_BASE } from '../core/gates/tests/judge-tests.ts'
import { mainErrorLine } from '../core/gates/key-lines.ts'
import { judgeRun } from '../core/gates/verdicts.ts'
import { reportHintOf } from '../core/test-reports/test-report.ts'
import { isTestPath } from '../core/languages/paths.ts'
import type { Command } from '../core/planning/plan.ts'
import { testCandidates } from '../core/repository-facts/test-candidates.ts'
import type { TriedCommand, TrialRequest } from '../ports/command-trial.ts'
import { commandsFor, type Commands } from './runner/commands.ts'
import type { GateSite, Ran } from './runner/gate-site.ts'
import { fileThatFails } from './proofs/broken-tests.ts'
import { runTests } from './runner/test-run.ts'
import { withTest } from './baseline/other-tests.ts'
import { openTrialSite, type TrialPlace } from './trial-site.ts'

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
