/** One run of a task's gates: what can be told by reading comes first, then what has to be run. */
import type { RunGates } from '../../core/decide/effects.ts'
import type { Finding, RunEvidence } from '../../core/event-schemas/evidence.ts'
import type { GateName, Verdict } from '../../core/event-schemas/schemas.ts'
import type { Change } from '../../core/gates/change.ts'
import type { ChangeTrees } from '../../core/gates/change-trees.ts'
import { contractGate } from '../../core/gates/contract/contract-gate.ts'
import type { Migrations } from '../../core/planning/plan.ts'
import { isBuiltIn, type BuiltInGate } from '../../core/planning/gate-names.ts'
import { integrity } from '../../core/gates/integrity/integrity.ts'
import { filesOfCommands } from '../../core/gates/integrity/gate-scripts.ts'
import { saysPutBack } from '../../core/gates/integrity/restore-protected.ts'
import { NO_BASE } from '../../core/gates/tests/judge-tests.ts'
import { noOrphanTodo } from '../../core/gates/no-orphan-todo.ts'
import { planAlignment } from '../../core/gates/plan-alignment/plan-alignment.ts'
import { reviewNote } from '../../core/gates/review-note.ts'
import { reportHintOf, type ReportHint } from '../../core/test-reports/test-report.ts'
import { verdict, worst } from '../../core/gates/verdicts.ts'
import { isTestCommand } from '../../core/planning/task-tests.ts'
import { dependenciesGate } from '../../core/gates/dependencies/dependencies-gate.ts'
import type { TreeFiles } from '../../core/gates/tree-files.ts'
import type { CheckoutFiles } from './checkout-files.ts'
import type { HeldSecret } from '../../core/gates/secrets/held-values.ts'
import type { Parser } from '../../ports/parser.ts'
import { parseYamlText } from '../../lib/files/yaml-text.ts'
import type { GateSite } from './gate-site.ts'
import { checkSecrets } from '../proofs/check-secrets.ts'
import { tryTaskMigrations } from '../proofs/migrations.ts'
import { runImpacted, type ImpactedRuns, type JudgedRun } from '../proofs/impacted.ts'
import type { CanaryResult } from '../proofs/canary-request.ts'
import { runHeldOut } from '../proofs/held-out.ts'
import { withMutation } from '../proofs/mutation.ts'
import { checkNewTests } from '../proofs/new-tests.ts'
import { runOwnGate } from '../proofs/custom-gate.ts'
import type { AgainRequest, runFailedAgain } from '../proofs/run-again.ts'
import type { SiteRuns } from './site-runs.ts'
import { testCommandOf, type SuiteResult } from './test-run.ts'
import { withParsed } from './with-parsed.ts'

export interface TaskGatesContext {
  readonly request: RunGates
  readonly signal: AbortSignal
  readonly change: Change
  readonly parser: Parser
  /** The files of the change, parsed once however many gates ask. */
  readonly trees: () => Promise<ChangeTrees>
  readonly runs: SiteRuns
  readonly openBase: () => Promise<GateSite>
  readonly baseSuite: () => Promise<SuiteResult | null>
  /** What failed of the suite, run again. */
  readonly again: (of: Pick<AgainRequest, 'run' | 'judged' | 'known'>) => ReturnType<typeof runFailedAgain>
  readonly reruns: number
  /** How long faults are put into the change; null: not for this task. */
  readonly mutationMs: number | null
  /** Tests that must fail, run once however many gates rest on the suite. */
  readonly canary: () => Promise<CanaryResult>
  /** The work once more, in a checkout in which nothing was run. */
  readonly openFresh: () => Promise<SiteRuns>
  readonly requireTestsPass: boolean
  readonly followUps: () => readonly string[]
  readonly migrations: Migrations | null
  readonly knownSecrets: readonly HeldSecret[]
  /** Folders that Bosun writes its reviews and manifests into. */
  readonly ownFolders: readonly string[]
}

/** Where the gates of the plan's author come. */
const OWN = 'own'
/** Reading before running: a test may write to its checkout. Checks before tests, for the same reason. */
const ORDER: readonly (BuiltInGate | typeof OWN)[] = [
  'plan_alignment',
  'no_orphan_todo',
  'review_note',
  'integrity',
  'secrets',
  'dependencies',
  'contract',
  'lint_typecheck',
  'lint',
  'typecheck',
  'build',
  OWN,
  'tests_to_run',
  'unit',
  'tests_to_add',
  'held_out',
]

/** One verdict a gate, in the order they were asked for. */
export async function runTaskGates(context: TaskGatesContext): Promise<readonly Verdict[]> {
  const asked = context.request.gates
  const verdicts = new Map<GateName, Verdict>()
  const place = (gate: GateName): number => {
    const known = ORDER.indexOf(isBuiltIn(gate) ? gate : OWN)
    return known === -1 ? ORDER.length : known
  }
  for (const gate of [...new Set(asked)].sort((a, b) => place(a) - place(b))) {
    const found = context.signal.aborted ? cutShort(gate) : await runGate(gate, context)
    verdicts.set(gate, saysPutBack(found, context.runs.restoreProtected))
  }
  return asked.map((gate) => {
    const found = verdicts.get(gate) ?? cutShort(gate)
    // What was cut short has not seen everything, whatever it says.
    return context.signal.aborted && found.outcome === 'passed' ? cutShort(gate) : found
  })
}

export const cutShort = (gate: GateName): Verdict => verdict(gate, 'inconclusive', 'the gates were cut short')

async function runGate(gate: GateName, context: TaskGatesContext): Promise<Verdict> {
  const { request, change, runs } = context
  const { spec, report } = request
  const { files } = runs.site
  const own = spec.ownGates?.find(({ name }) => name === gate)
  if (own !== undefined) return runOwnGate(gate, own, runs)
  if (!isBuiltIn(gate)) return verdict(gate, 'inconclusive', 'the plan does not say how it is run')
  switch (gate) {
    case 'plan_alignment':
      return planAlignment({
        spec,
        change,
        claims: report?.criteria ?? [],
        earlierWork: request.earlierWork,
        fileInTree: (path) => files.lines(path),
        isInTree: (path) => files.has(path),
      })
    case 'no_orphan_todo': {
      const isOther = (id: string): boolean => id !== spec.id && !spec.dependsOn.includes(id)
      const followUps = () => context.followUps().filter(isOther)
      return noOrphanTodo({ change, trees: await context.trees(), followUps })
    }
    case 'review_note':
      return reviewNote({ spec, change, note: report?.reviewNote ?? null })
    case 'secrets':
      return checkSecrets({ change, files, held: context.knownSecrets, report })
    case 'integrity': {
      const { test, lint, typecheck } = runs.commands
      const suite = test === null ? null : testCommandOf(test).command
      const judges = filesOfCommands([suite, lint, typecheck], files.lines('package.json'))
      return integrity({ spec, change, trees: await context.trees(), judges, ownFolders: context.ownFolders })
    }
    case 'dependencies':
      return dependenciesGate({ change, tree: treeFiles(files), parseDocument: parseYamlText })
    case 'lint_typecheck':
      return runs.plainGate(gate, ['lint', 'typecheck'])
    case 'lint':
    case 'typecheck':
    case 'build':
      return runs.plainGate(gate, [gate])
    case 'tests_to_run':
      return testsToRun(context)
    case 'unit':
      return suiteGate(context, gate)
    case 'tests_to_add': {
      const found = await checkNewTests({
        spec,
        change,
        runs,
        standing: request.earlierWork?.tests ?? [],
        openBase: context.openBase,
        baseSuite: context.baseSuite,
        baselineFailing: request.baselineFailing,
        requireTestsPass: context.requireTestsPass,
        reruns: context.reruns,
      })
      const { mutationMs: limitMs, openFresh: open, trees, signal } = context
      return limitMs === null ? found : withMutation(found, { spec, change, trees, open, limitMs, signal })
    }
    case 'held_out':
      return runHeldOut({ commands: spec.heldOut, open: context.openFresh })
    case 'contract':
      return withParsed(context.parser, (parsed) =>
        contractGate({
          spec,
          change,
          tree: treeFiles(files),
          allPaths: () => files.listing().files,
          parsed,
          parseDocument: parseYamlText,
        }),
      )
    case 'numeric':
      return verdict(gate, 'not_applicable', 'the task names no reference values')
    case 'integration':
      return verdict(gate, 'not_applicable', 'it runs when its milestone is reached')
    case 'migrations':
      return tryTaskMigrations(runs, { migrations: context.migrations, tier: request.tier })
  }
}

const treeFiles = (files: CheckoutFiles): TreeFiles => ({
  has: (path) => files.isFile(path),
  text: (path) => files.text(path),
})

/** The commands of the contract; where it names none, the suite. */
async function testsToRun(context: TaskGatesContext): Promise<Verdict> {
  const { request, runs } = context
  const { testsToRun: named } = request.spec
  if (named.length === 0) return suiteGate(context, 'tests_to_run', await impactOf(context))
  const broken = await runs.notReady('tests_to_run')
  if (broken !== null) return broken
  const base = { ...NO_BASE, failing: request.baselineFailing }
  const done: JudgedRun[] = []
  for (const command of named) {
    const run = await runs.tests(command, hintFor(command, runs))
    done.push({ run, judged: runs.judge(run, base, context.requireTestsPass) })
  }
  // A plan that asks for no unit gate does not thereby allow the tests that were there to go.
  const suite = request.spec.gates.includes('unit') ? null : await heldSuite(context)
  const impact = await impactOf(context)
  return testVerdict(
    'tests_to_run',
    [...done, ...(suite === null ? [] : [suite]), ...impact.runs],
    impact.findings,
  )
}

/** The suite is read as the user says; of other commands, those that run no tests have nothing but their exit code. */
function hintFor(command: string, { commands }: SiteRuns): ReportHint {
  const suite = commands.test === null ? null : testCommandOf(commands.test)
  if (suite?.command === command) return suite.hint
  return reportHintOf(isTestCommand(command) ? undefined : 'exit')
}

/** The whole suite, held against what the base reported by name. */
async function suiteGate(context: TaskGatesContext, gate: GateName, impact = NO_IMPACT): Promise<Verdict> {
  const { runs } = context
  if (runs.commands.test === null) return verdict(gate, 'not_applicable', runs.absence('test'))
  const broken = await runs.notReady(gate)
  if (broken !== null) return broken
  const suite = await heldSuite(context)
  return suite === null
    ? verdict(gate, 'not_applicable', runs.absence('test'))
    : testVerdict(gate, [suite, ...impact.runs], impact.findings)
}

/** Null where there is no suite. A suite that passes is shown to be able to fail. */
async function heldSuite(context: TaskGatesContext): Promise<JudgedRun | null> {
  const { runs, request } = context
  const run = await runs.suite()
  if (run === null) return null
  const suite = context.signal.aborted ? null : await context.baseSuite()
  const base = suite?.base ?? NO_BASE
  const known = base.tests === null ? { ...base, failing: request.baselineFailing } : base
  const judged = runs.judge(run, known, context.requireTestsPass)
  if (context.signal.aborted) return { run, judged }
  if (judged.outcome !== 'passed') {
    const again = await context.again({ run, judged, known: known.failing })
    return { run, judged: again.judged, more: again.runs }
  }
  const canary = await context.canary()
  const findings = [...judged.findings, ...canary.findings]
  const blind = canary.findings.find(({ weight }) => weight === 'blocks')
  const told = { run, more: canary.runs }
  return blind === undefined
    ? { ...told, judged: { ...judged, findings } }
    : { ...told, judged: { outcome: 'failed', words: `${judged.words}, but ${blind.text}`, findings } }
}

const NO_IMPACT: ImpactedRuns = { findings: [], runs: [] }

/** What was cut short, or could not be set up, has run nothing that could tell. */
async function impactOf(context: TaskGatesContext): Promise<ImpactedRuns> {
  if (context.signal.aborted || (await context.runs.notReady('tests_to_run')) !== null) return NO_IMPACT
  return runImpacted(context)
}

export function testVerdict(
  gate: GateName,
  done: readonly JudgedRun[],
  besides: readonly Finding[] = [],
): Verdict {
  const outcome = worst(done.map(({ judged }) => judged.outcome))
  const shown = done.filter(({ judged }) => judged.outcome === outcome).map(wordsOf)
  const runs: RunEvidence[] = done.flatMap(({ run, more }) => [run.ran.evidence, ...(more ?? [])])
  return verdict(gate, outcome, shown.join('; '), {
    runs,
    findings: [...done.flatMap(({ judged }) => [...judged.findings]), ...besides],
  })
}

function wordsOf({ run, judged }: JudgedRun): string {
  const { servedBy } = run.ran.evidence
  return servedBy === undefined
    ? judged.words
    : `${judged.words} (in the run for ${servedBy}, on the same tree)`
}
