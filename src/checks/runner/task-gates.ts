/** Runs the gates of one task: first those that only read the change, then those that run commands. */
import type { WholeChange } from '../../core/decide/effects.ts'
import type { Finding, RunEvidence } from '../../core/event-schemas/evidence.ts'
import type { GateName, Verdict } from '../../core/event-schemas/schemas.ts'
import type { ChangedFile, TreeFiles } from '../../core/gates/change.ts'
import { contractGate } from '../../core/gates/contract/contract-gate.ts'
import type { CustomGate } from '../../core/planning/plan.ts'
import { isBuiltIn, type BuiltInGate } from '../../core/planning/gates.ts'
import { integrity } from '../../core/gates/integrity/integrity.ts'
import { filesOfCommands } from '../../core/gates/integrity/file-parts.ts'
import { noteRestored } from '../../core/gates/integrity/restore-protected.ts'
import { NO_BASE } from '../../core/gates/tests/judge-tests.ts'
import type { WorkDone } from '../../core/gates/tests/lost-tests.ts'
import { filesWithMarkers, noOrphanTodo } from '../../core/gates/no-orphan-todo.ts'
import { covers } from '../../core/gates/plan-alignment/expected-files.ts'
import { planAlignment } from '../../core/gates/plan-alignment/plan-alignment.ts'
import { reviewNote } from '../../core/gates/review-note.ts'
import { hintBeside } from '../../core/test-reports/runner.ts'
import { reportHintOf, type ReportHint } from '../../core/test-reports/test-report.ts'
import { verdict, worst } from '../../core/gates/verdicts.ts'
import { isTestCommand } from '../../core/planning/task-files.ts'
import { dependenciesGate } from '../../core/gates/dependencies/dependencies-gate.ts'
import { checkSecrets, type CheckoutFiles } from './checkout-files.ts'
import { parseYamlText } from '../../lib/files/yaml-text.ts'
import type { GateOptions } from './commands.ts'
import {
  tryTaskMigrations,
  runImpacted,
  withMutation,
  runHeldOut,
  type ImpactedRuns,
} from '../proofs/further-proofs.ts'
import { checkNewTests } from '../proofs/new-tests.ts'
import { parseChange, type TaskProof } from './task-proof.ts'
import { runFailedAgain, type JudgedRun } from './test-run.ts'
import { notesOfReuse, type SiteRuns } from './site-runs.ts'
import { judgeValues, judgeReported } from '../../core/gates/judge-commands.ts'
import type { Parsed } from '../../core/languages/syntax.ts'
import type { FileToParse, Parser } from '../../ports/parser.ts'

type RunGate = (proof: TaskProof) => Verdict | Promise<Verdict>

/**
 * In the order in which they run: gates that read come before gates that run, and checks before tests, because a test may write
 * to its checkout.
 */
const GATES: Readonly<Record<BuiltInGate, RunGate>> = {
  plan_alignment: ({ request, change, runs: { site } }) =>
    planAlignment({
      spec: request.spec,
      change,
      claims: request.report?.criteria ?? [],
      earlierWork: request.earlierWork,
      fileInTree: (path) => site.files.lines(path),
      isInTree: (path) => site.files.has(path),
    }),
  async no_orphan_todo(proof) {
    const { request, change, options } = proof
    if (request.whole !== null) return noTodoLeft(options, request.whole, request.tree)
    const { id: own, dependsOn } = request.spec
    const isOther = (id: string): boolean => id !== own && !dependsOn.includes(id)
    const followUps = () => options.followUps().filter(isOther)
    return noOrphanTodo({ change, trees: await proof.trees(), followUps })
  },
  review_note: ({ request: { spec, report }, change }) =>
    reviewNote({ spec, change, note: report?.reviewNote ?? null }),
  async integrity(proof) {
    const { change, options, runs } = proof
    const { commands, site } = runs
    const checks = [commands.test?.command ?? null, commands.lint, commands.typecheck]
    const gateScripts = filesOfCommands(checks, site.files.lines('package.json'))
    const { ownFolders } = options
    const trees = await proof.trees()
    return integrity({ spec: proof.request.spec, change, trees, gateScripts, ownFolders })
  },
  secrets: ({ request, change, runs, knownSecrets: held, options: { places } }) =>
    checkSecrets({ change, files: runs.site.files, held, places, report: request.report }),
  dependencies: ({ change, runs }) =>
    dependenciesGate({ change, tree: treeFiles(runs.site.files), parseDocument: parseYamlText }),
  contract: ({ request: { spec }, change, options, runs: { site } }) =>
    withParsed(options.parser, (parsed) =>
      contractGate({
        spec,
        change,
        tree: treeFiles(site.files),
        allPaths: () => site.files.listing().files,
        parsed,
        parseDocument: parseYamlText,
      }),
    ),
  lint_typecheck: ({ runs }) => runs.plainGate('lint_typecheck', ['lint', 'typecheck']),
  lint: ({ runs }) => runs.plainGate('lint', ['lint']),
  typecheck: ({ runs }) => runs.plainGate('typecheck', ['typecheck']),
  build: ({ runs }) => runs.plainGate('build', ['build']),
  tests_to_run: (proof) => testsToRun(proof),
  unit: (proof) => suiteGate(proof, 'unit'),
  tests_to_add: async (proof) => withMutation(await checkNewTests(proof), proof),
  held_out: runHeldOut,
  migrations: tryTaskMigrations,
  numeric: () => verdict('numeric', 'not_applicable', 'the task names no reference values'),
  integration: () => verdict('integration', 'not_applicable', 'runs when its milestone is reached'),
}

/** Gates of the plan itself run between checks and tests. */
const ORDER: readonly string[] = Object.keys(GATES)
const placeOf = (gate: GateName): number =>
  isBuiltIn(gate) ? ORDER.indexOf(gate) : ORDER.indexOf('build') + 0.5

/** One verdict per gate, in the requested order. */
export async function runTaskGates(proof: TaskProof): Promise<readonly Verdict[]> {
  const asked = proof.request.gates
  const verdicts = new Map<GateName, Verdict>()
  for (const gate of [...new Set(asked)].sort((a, b) => placeOf(a) - placeOf(b))) {
    const found = proof.signal.aborted ? abortedVerdict(gate) : await runGate(gate, proof)
    verdicts.set(gate, noteRestored(found, proof.runs.restoredPaths))
  }
  return asked.map((gate) => {
    const found = verdicts.get(gate) ?? abortedVerdict(gate)
    // An aborted run is incomplete, so a pass does not count.
    return proof.signal.aborted && found.outcome === 'passed' ? abortedVerdict(gate) : found
  })
}

export const abortedVerdict = (gate: GateName): Verdict =>
  verdict(gate, 'inconclusive', 'the gate run was aborted')

async function runGate(gate: GateName, proof: TaskProof): Promise<Verdict> {
  const own = proof.request.spec.ownGates?.find(({ name }) => name === gate)
  if (own !== undefined) return runCustomGate(gate, own, proof.runs)
  if (!isBuiltIn(gate)) return verdict(gate, 'inconclusive', 'the plan defines no command for this gate')
  return GATES[gate](proof)
}

const treeFiles = (files: CheckoutFiles): TreeFiles => ({
  has: (path) => files.isFile(path),
  text: (path) => files.text(path),
})

/** Of a whole change: no task is left, so every remaining TODO counts. */
export async function noTodoLeft(
  { changes, ownFolders, parser }: Pick<GateOptions, 'changes' | 'ownFolders' | 'parser'>,
  { since, letThrough }: WholeChange,
  tree: string,
): Promise<Verdict> {
  const { base, files } = await changes.changeSince(since, tree)
  const isOwn = (path: string): boolean => ownFolders.some((folder) => path.startsWith(`${folder}/`))
  const change = { base, files: files.filter(({ path }) => !isOwn(path)) }
  const trees = await parseChange(parser, { base, files: filesWithMarkers(change) })
  return noOrphanTodo({ change, trees, followUps: () => [], letThrough })
}

/** Runs the commands of the contract or, if it names none, the suite. */
async function testsToRun(proof: TaskProof): Promise<Verdict> {
  const { request, runs } = proof
  const { testsToRun: named } = request.spec
  if (named.length === 0) return suiteGate(proof, 'tests_to_run', await impactOf(proof))
  const broken = await runs.setupFailure('tests_to_run')
  if (broken !== null) return broken
  const done: JudgedRun[] = []
  for (const command of named) {
    const run = await runs.tests(command, hintFor(command, runs))
    done.push({ run, judged: runs.judge(run, proof.before) })
  }
  // A plan without the unit gate still may not lose existing tests.
  const suite = request.spec.gates.includes('unit') ? null : await heldSuite(proof)
  const impact = await impactOf(proof)
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
async function suiteGate(proof: TaskProof, gate: GateName, impact = NO_IMPACT): Promise<Verdict> {
  const { runs } = proof
  if (runs.commands.test === null) return verdict(gate, 'not_applicable', runs.missingReason('test'))
  const broken = await runs.setupFailure(gate)
  if (broken !== null) return broken
  const suite = await heldSuite(proof)
  return suite === null
    ? verdict(gate, 'not_applicable', runs.missingReason('test'))
    : testVerdict(gate, [suite, ...impact.runs], impact.findings)
}

/** Null if there is no suite. If it passes, a canary shows that it can fail. */
async function heldSuite(proof: TaskProof): Promise<JudgedRun | null> {
  const { runs, request, options } = proof
  const { test } = runs.commands
  const run = await runs.suite()
  if (run === null || test === null) return null
  const suite = proof.signal.aborted ? null : await proof.baseSuite()
  const base = suite?.base ?? NO_BASE
  const isAtStart = base.tests === null || request.spec.repairs !== undefined
  const known = isAtStart ? { ...base, failing: request.baselineFailing } : base
  const done = workDone(proof)
  const first = runs.judge(run, known, done)
  if (proof.signal.aborted) return { run, judged: first }
  const isMissing = first.isMissing === true
  const again = isMissing ? ((await proof.baseSuite('nothing'))?.base.tests ?? null) : null
  const judged = isMissing ? runs.judge(run, { ...known, again }, done) : first
  const asked = { run, judged, known: known.failing, times: options.reruns }
  if (judged.outcome !== 'passed') return runFailedAgain(runs.site, test, asked)
  const canary = await proof.canary()
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
function workDone({ change, request, runs }: TaskProof): WorkDone {
  const { files, testsToAdd } = request.spec
  const named = [...files.create, ...files.modify, ...files.delete, ...testsToAdd]
  const isNamed = ({ path }: ChangedFile): boolean =>
    named.some((pattern) => covers(pattern, path)) && !runs.restoredPaths.includes(path)
  return { change, isNamed }
}

const NO_IMPACT: ImpactedRuns = { findings: [], runs: [] }

/** After an abort or a failed setup there are no runs to compare. */
async function impactOf(proof: TaskProof): Promise<ImpactedRuns> {
  if (proof.signal.aborted || (await proof.runs.setupFailure('tests_to_run')) !== null) return NO_IMPACT
  return runImpacted(proof)
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
  const { outcome, summary, findings } =
    custom.kind === 'command'
      ? judgeReported(evidence, stdout, runs.site.folders)
      : judgeValues(evidence, stdout, custom.reference)
  return verdict(gate, outcome, summary, { runs: [evidence], findings: [...findings] })
}

/**
 * Runs `judge` until every file it asks for is parsed, since only running it shows which files it needs. `parsed` returns
 * null for a file that is not parsed yet.
 */
async function withParsed<T>(
  parser: Parser,
  judge: (parsed: (file: FileToParse) => Parsed | null) => T,
): Promise<T> {
  const known = new Map<string, Parsed>()
  for (;;) {
    const missing = new Map<string, FileToParse>()
    const result = judge((file) => {
      const key = `${file.path}\0${file.text}`
      const parsed = known.get(key)
      if (parsed === undefined) missing.set(key, file)
      return parsed ?? null
    })
    if (missing.size === 0) return result
    for (const [key, file] of missing) {
      const parsed = (await parser.parse([file])).get(file.path)
      known.set(key, parsed ?? { unread: 'unavailable' })
    }
  }
}
