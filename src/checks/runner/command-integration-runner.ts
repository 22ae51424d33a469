/** Runs integration tests in clean checkouts of landed work, and bisects for the commit that broke one. */
import { nextProbe, type Sighting } from '../../core/delivery/bisect.ts'
import { diagnosisOf, sightingOf, type Point } from '../../core/delivery/diagnosis.ts'
import type { ChecksAtStart, DiagnoseLayer, RunIntegration } from '../../core/decide/effects.ts'
import type { Diagnosis, IntegrationResult } from '../../core/events/integration.ts'
import { judgeValues, measuredValues } from '../../core/gates/judge-commands.ts'
import { judgeRun } from '../../core/gates/verdicts.ts'
import type { IntegrationTest } from '../../core/planning/plan.ts'
import type { IntegrationRun, IntegrationRunner } from '../../ports/gate-runner.ts'
import { withChoices } from '../baseline/chosen-checks.ts'
import { commandsFor, type GateOptions } from './commands.ts'
import { GateSite, type SiteParts } from './gate-site.ts'
import { SiteRuns } from './site-runs.ts'

interface Search {
  readonly points: readonly Point[]
  /** Of the last point. */
  readonly known: IntegrationResult | undefined
  readonly atStart: ChecksAtStart | null
}

export class CommandIntegrationRunner implements IntegrationRunner {
  readonly #options: Pick<GateOptions, 'changes' | 'environment'>
  readonly #parts: SiteParts

  constructor(options: Pick<GateOptions, 'changes' | 'environment'>, parts: SiteParts) {
    this.#options = options
    this.#parts = parts
  }

  async run({ tests, atStart }: RunIntegration, signal: AbortSignal): Promise<IntegrationRun> {
    const tree = await this.#options.changes.tipTree()
    return { tree, results: await this.#runOn({ tree, atStart: atStart ?? null }, tests, signal) }
  }

  async diagnose(request: DiagnoseLayer, signal: AbortSignal): Promise<readonly Diagnosis[]> {
    const points = await this.#points(request)
    const diagnoses: Diagnosis[] = []
    const isOfTip = points.at(-1)?.tree === request.tree
    for (const test of request.tests) {
      const known = isOfTip ? request.results.find(({ id }) => id === test.id) : undefined
      diagnoses.push(await this.#search(test, { points, known, atStart: request.atStart ?? null }, signal))
    }
    signal.throwIfAborted()
    return diagnoses
  }

  /** The start commit, then the commits of tasks; other commits are left out. */
  async #points({ commits }: DiagnoseLayer): Promise<readonly Point[]> {
    const taskOf = new Map(commits.map(({ task, sha }) => [sha, task]))
    const history = await this.#options.changes.history()
    return history.flatMap((commit, place) => {
      const task = taskOf.get(commit.sha) ?? null
      return place === 0 || task !== null ? [{ ...commit, task: place === 0 ? null : task }] : []
    })
  }

  async #search(
    test: IntegrationTest,
    { points, known, atStart }: Search,
    signal: AbortSignal,
  ): Promise<Diagnosis> {
    const last = points.length - 1
    const probes = new Map<number, Pick<IntegrationResult, 'outcome' | 'output' | 'values'>>()
    const seen = new Map<number, Sighting>()
    const note = (at: number, { outcome, output, values }: IntegrationResult): void => {
      probes.set(at, { outcome, output, values })
      seen.set(at, sightingOf(test, { outcome, values }))
    }
    if (known !== undefined) note(last, known)
    for (;;) {
      const step = nextProbe(last, seen)
      if (step.kind !== 'probe') return diagnosisOf({ test, points, probes }, step)
      const tree = points[step.at]?.tree ?? ''
      const [result] = await this.#runOn({ tree, atStart }, [test], signal)
      // An aborted run proves nothing; the next request restarts the search.
      signal.throwIfAborted()
      if (result !== undefined) note(step.at, result)
    }
  }

  async #runOn(
    { tree, atStart }: { readonly tree: string; readonly atStart: ChecksAtStart | null },
    tests: readonly IntegrationTest[],
    signal: AbortSignal,
  ): Promise<readonly IntegrationResult[]> {
    await using site = await GateSite.open(this.#parts, { tree, purpose: 'milestone', signal })
    const found = commandsFor(this.#options.environment, site.files.listing(), null).commands
    const { commands } = withChoices(found, this.#options.environment, atStart)
    const runs = new SiteRuns(site, commands)
    const results: IntegrationResult[] = []
    for (const test of tests) results.push(await runTest(runs, test))
    return results
  }
}

async function runTest(runs: SiteRuns, test: IntegrationTest): Promise<IntegrationResult> {
  const broken = await runs.setUp()
  if (broken !== null) {
    const output = `setup failed: ${judgeRun(broken.evidence).summary}`
    return { id: test.id, outcome: 'inconclusive', output, values: {}, run: broken.evidence }
  }
  const { evidence, stdout } = await runs.plain(test.command)
  const { outcome, summary } = isByExitCode(test)
    ? judgeRun(evidence)
    : judgeValues(evidence, stdout, test.reference)
  const known = outcome === 'passed' || outcome === 'failed' ? outcome : 'inconclusive'
  const values = measuredValues(stdout, Object.keys(test.reference))
  return { id: test.id, outcome: known, output: summary, values, run: evidence }
}

/** A test without reference values is judged by its exit code. */
const isByExitCode = ({ reference }: IntegrationTest): boolean => Object.keys(reference).length === 0
