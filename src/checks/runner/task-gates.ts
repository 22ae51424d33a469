/** Runs the gates of one task: first those that only read the change, then those that run commands. */
import type { RunGates, WholeChange } from '../../core/decide/effects.ts'
import type { Finding, RunEvidence } from '../../core/event-schemas/evidence.ts'
import type { GateName, Verdict } from '../../core/event-schemas/schemas.ts'
import type { Change, ChangedFile } from '../../core/gates/change.ts'
import type { ChangeTrees } from '../../core/gates/change-trees.ts'
import { contractGate } from '../../core/gates/contract/contract-gate.ts'
import type { Migrations, CustomGate } from '../../core/planning/plan.ts'
import { isBuiltIn, type BuiltInGate } from '../../core/planning/gate-names.ts'
import { integrity } from '../../core/gates/integrity/integrity.ts'
import { filesOfCommands } from '../../core/gates/integrity/gate-scripts.ts'
import { noteRestored } from '../../core/gates/integrity/restore-protected.ts'
import { NO_BASE, type BaseTests } from '../../core/gates/tests/judge-tests.ts'
import type { WorkDone } from '../../core/gates/tests/lost-tests.ts'
import { noOrphanTodo } from '../../core/gates/no-orphan-todo.ts'
import { covers } from '../../core/gates/plan-alignment/expected-files.ts'
import { planAlignment } from '../../core/gates/plan-alignment/plan-alignment.ts'
import { reviewNote } from '../../core/gates/review-note.ts'
import { hintBeside } from '../../core/test-reports/runner.ts'
import { reportHintOf, type ReportHint } from '../../core/test-reports/test-report.ts'
import { verdict, worst } from '../../core/gates/verdicts.ts'
import { isTestCommand } from '../../core/planning/task-tests.ts'
import { dependenciesGate } from '../../core/gates/dependencies/dependencies-gate.ts'
import type { TreeFiles } from '../../core/gates/tree-files.ts'
import type { CheckoutFiles } from './checkout-files.ts'
import type { HeldSecret } from '../../core/gates/secrets/held-values.ts'
import { parseYamlText } from '../../lib/files/yaml-text.ts'
import type { GateOptions } from './gate-options.ts'
import type { GateSite } from './gate-site.ts'
import { checkSecrets } from '../proofs/check-secrets.ts'
import { tryTaskMigrations } from '../proofs/migrations.ts'
import { runImpacted, type ImpactedRuns, type JudgedRun } from '../proofs/impacted.ts'
import type { CanaryResult } from '../proofs/canary-request.ts'
import { runHeldOut } from '../proofs/run-held-out.ts'
import { withMutation } from '../proofs/mutation.ts'
import { checkNewTests } from '../proofs/new-tests.ts'
import type { AgainRequest, runFailedAgain } from '../proofs/run-again.ts'
import { notesOfReuse, type SiteRuns } from './site-runs.ts'
import type { SuiteResult } from './test-run.ts'
import { withParsed } from './with-parsed.ts'
import { judgeValues } from '../../core/gates/tests/reference-values.ts'
import { judgeReported } from '../../core/gates/sarif.ts'

type Configured = Pick<GateOptions, 'parser' | 'reruns' | 'followUps' | 'ownFolders'>

export interface TaskGatesContext extends Configured {
  readonly request: RunGates
  readonly signal: AbortSignal
  readonly change: Change
  /** The files of the change, parsed once however many gates ask. */
  readonly trees: () => Promise<ChangeTrees>
  readonly runs: SiteRuns
  readonly openBase: () => Promise<GateSite>
  readonly baseSuite: () => Promise<SuiteResult | null>
  /** The tests of another run of it; null without names. */
  readonly baseAgain: () => Promise<BaseTests['tests']>
  /** Reruns the failed tests of the suite. */
  readonly again: (of: Pick<AgainRequest, 'run' | 'judged' | 'known'>) => ReturnType<typeof runFailedAgain>
  /** Time limit for mutation testing; null turns it off for this task. */
  readonly mutationMs: number | null
  /** Runs the canary tests once for all gates that use the suite. */
  readonly canary: () => Promise<CanaryResult>
  /** Opens another checkout of the work, in which no command has run. */
  readonly openFresh: () => Promise<SiteRuns>
  /** The TODO gate of the release, on the work. */
  readonly noTodoLeft: (whole: WholeChange) => Promise<Verdict>
  readonly migrations: Migrations | null
  readonly knownSecrets: readonly HeldSecret[]
}

/** The place of the plan's custom gates. */
const CUSTOM = 'custom'
/** Gates that read come before gates that run, and checks before tests, because a test may write to its checkout. */
const ORDER: readonly (BuiltInGate | typeof CUSTOM)[] = [
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
  CUSTOM,
  'tests_to_run',
  'unit',
  'tests_to_add',
  'held_out',
]

/** One verdict per gate, in the requested order. */
export async function runTaskGates(context: TaskGatesContext): Promise<readonly Verdict[]> {
  const asked = context.request.gates
  const verdicts = new Map<GateName, Verdict>()
  const place = (gate: GateName): number => {
    const known = ORDER.indexOf(isBuiltIn(gate) ? gate : CUSTOM)
    return known === -1 ? ORDER.length : known
  }
  for (const gate of [...new Set(asked)].sort((a, b) => place(a) - place(b))) {
    const found = context.signal.aborted ? abortedVerdict(gate) : await runGate(gate, context)
    verdicts.set(gate, noteRestored(found, context.runs.restoredPaths))
  }
  return asked.map((gate) => {
    const found = verdicts.get(gate) ?? abortedVerdict(gate)
    // An aborted run is incomplete, so a pass does not count.
    return context.signal.aborted && found.outcome === 'passed' ? abortedVerdict(gate) : found
  })
}

export const abortedVerdict = (gate: GateName): Verdict =>
  verdict(gate, 'inconclusive', 'the gate run was aborted')

async function runGate(gate: GateName, context: TaskGatesContext): Promise<Verdict> {
  const { request, change, runs } = context
  const { spec, report } = request
  const { files } = runs.site
  const own = spec.ownGates?.find(({ name }) => name === gate)
  if (own !== undefined) return runCustomGate(gate, own, runs)
  if (!isBuiltIn(gate)) return verdict(gate, 'inconclusive', 'the plan defines no command for this gate')
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
      if (request.whole !== null) return context.noTodoLeft(request.whole)
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
      const checks = [test?.command ?? null, lint, typecheck]
      const gateScripts = filesOfCommands(checks, files.lines('package.json'))
      return integrity({
        spec,
        change,
        trees: await context.trees(),
        gateScripts,
        ownFolders: context.ownFolders,
      })
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
        alreadyShown: request.earlierWork?.tests ?? [],
        openBase: context.openBase,
        baseSuite: context.baseSuite,
        baselineFailing: request.baselineFailing,
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
      return verdict(gate, 'not_applicable', 'runs when its milestone is reached')
    case 'migrations':
      return tryTaskMigrations(runs, { migrations: context.migrations, tier: request.tier })
  }
}

const treeFiles = (files: CheckoutFiles): TreeFiles => ({
  has: (path) => files.isFile(path),
  text: (path) => files.text(path),
})

/** Runs the commands of the contract or, if it names none, the suite. */
async function testsToRun(context: TaskGatesContext): Promise<Verdict> {
  const { request, runs } = context
  const { testsToRun: named } = request.spec
  if (named.length === 0) return suiteGate(context, 'tests_to_run', await impactOf(context))
  const broken = await runs.setupFailure('tests_to_run')
  if (broken !== null) return broken
  const base = { ...NO_BASE, failing: request.baselineFailing }
  const done: JudgedRun[] = []
  for (const command of named) {
    const run = await runs.tests(command, hintFor(command, runs))
    done.push({ run, judged: runs.judge(run, base) })
  }
  // A plan without the unit gate still may not lose existing tests.
  const suite = request.spec.gates.includes('unit') ? null : await heldSuite(context)
  const impact = await impactOf(context)
  return testVerdict(
    'tests_to_run',
    [...done, ...(suite === null ? [] : [suite]), ...impact.runs],
    impact.findings,
  )
}

/** The suite is read as configured; of other commands that run no tests, only the exit code counts. */
function hintFor(command: string, { commands }: SiteRuns): ReportHint {
  if (commands.test?.command === command) return commands.test.hint
  return isTestCommand(command) ? hintBeside(commands.test?.hint, command) : reportHintOf('exit')
}

/** Compares the full suite with the tests that the base reported by name. */
async function suiteGate(context: TaskGatesContext, gate: GateName, impact = NO_IMPACT): Promise<Verdict> {
  const { runs } = context
  if (runs.commands.test === null) return verdict(gate, 'not_applicable', runs.missingReason('test'))
  const broken = await runs.setupFailure(gate)
  if (broken !== null) return broken
  const suite = await heldSuite(context)
  return suite === null
    ? verdict(gate, 'not_applicable', runs.missingReason('test'))
    : testVerdict(gate, [suite, ...impact.runs], impact.findings)
}

/** Null if there is no suite. If it passes, a canary shows that it can fail. */
async function heldSuite(context: TaskGatesContext): Promise<JudgedRun | null> {
  const { runs, request } = context
  const run = await runs.suite()
  if (run === null) return null
  const suite = context.signal.aborted ? null : await context.baseSuite()
  const base = suite?.base ?? NO_BASE
  const isAtStart = base.tests === null || request.spec.repairs === true
  const known = isAtStart ? { ...base, failing: request.baselineFailing } : base
  const done = workDone(context)
  const first = runs.judge(run, known, done)
  if (context.signal.aborted) return { run, judged: first }
  const isMissing = first.isMissing === true
  const judged = isMissing ? runs.judge(run, { ...known, again: await context.baseAgain() }, done) : first
  if (judged.outcome !== 'passed') {
    const again = await context.again({ run, judged, known: known.failing })
    return { run, judged: again.judged, more: again.runs }
  }
  const canary = await context.canary()
  const findings = [...judged.findings, ...canary.findings]
  const blind = canary.findings.find(({ weight }) => weight === 'blocks')
  const shown = { run, more: canary.runs }
  if (canary.unshown !== undefined) {
    const summary = `${judged.summary}, but a failing test does not make it fail: ${canary.unshown}`
    return { ...shown, judged: { outcome: 'inconclusive', summary, findings } }
  }
  return blind === undefined
    ? { ...shown, judged: { ...judged, findings } }
    : { ...shown, judged: { outcome: 'failed', summary: `${judged.summary}, but ${blind.text}`, findings } }
}

/** A file that was restored runs as it is on the base, whatever the work did to it. */
function workDone({ change, request, runs }: TaskGatesContext): WorkDone {
  const { files, testsToAdd } = request.spec
  const named = [...files.create, ...files.modify, ...files.delete, ...testsToAdd]
  const isNamed = ({ path }: ChangedFile): boolean =>
    named.some((pattern) => covers(pattern, path)) && !runs.restoredPaths.includes(path)
  return { change, isNamed }
}

const NO_IMPACT: ImpactedRuns = { findings: [], runs: [] }

/** After an abort or a failed setup there are no runs to compare. */
async function impactOf(context: TaskGatesContext): Promise<ImpactedRuns> {
  if (context.signal.aborted || (await context.runs.setupFailure('tests_to_run')) !== null) return NO_IMPACT
  return runImpacted(context)
}

export function testVerdict(
  gate: GateName,
  done: readonly JudgedRun[],
  besides: readonly Finding[] = [],
): Verdict {
  const outcome = worst(done.map(({ judged }) => judged.outcome))
  const shown = done.filter(({ judged }) => judged.outcome === outcome).map(({ judged }) => judged.summary)
  const runs: RunEvidence[] = done.flatMap(({ run, more }) => [run.ran.evidence, ...(more ?? [])])
  const findings = [...done.flatMap(({ judged }) => [...judged.findings]), ...besides, ...notesOfReuse(runs)]
  const failedBefore = [...new Set(done.flatMap(({ judged }) => judged.failedBefore ?? []))]
  return verdict(gate, outcome, shown.join('; '), { runs, findings, failedBefore })
}

/** Runs a custom gate of the plan in the clean checkout and judges its exit code or its values. */
async function runCustomGate(gate: GateName, custom: CustomGate, runs: SiteRuns): Promise<Verdict> {
  const broken = await runs.setupFailure(gate)
  if (broken !== null) return broken
  const { evidence, stdout } = await runs.plain(custom.command)
  switch (custom.kind) {
    case 'command': {
      const { outcome, summary, findings } = judgeReported(evidence, stdout, runs.site.folders)
      return verdict(gate, outcome, summary, { runs: [evidence], findings: [...findings] })
    }
    case 'numeric': {
      const { outcome, summary, findings } = judgeValues(evidence, stdout, custom.reference)
      return verdict(gate, outcome, summary, { runs: [evidence], findings: [...findings] })
    }
  }
}
