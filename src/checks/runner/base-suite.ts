/**
 * Caches full suite runs by tree. Results serve work that starts from the same tree; passing runs also serve, within this
 * process, gates that would run the suite again.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { baseTestsOf, judgeTests, NO_BASE } from '../../core/gates/tests/judge-tests.ts'
import { commandText } from '../../core/test-reports/focus-command.ts'
import { withErrorLine } from '../../core/gates/key-lines.ts'
import { couldRun } from '../../core/gates/verdicts.ts'
import { atomicWriteText } from '../../lib/files/atomic-write.ts'
import { Recent } from '../../lib/recent.ts'
import type { Command } from '../../core/planning/plan.ts'
import type { ReportHint } from '../../core/test-reports/test-report.ts'
import type { GateSite } from './gate-site.ts'
import type { SiteRuns } from './site-runs.ts'
import { runTests, type SuiteResult, type TestRun } from './test-run.ts'

const keptSchema = z.object({
  base: z.object({
    tests: z
      .array(
        z.object({
          name: z.string(),
          file: z.string().nullable(),
          outcome: z.enum(['passed', 'failed', 'skipped', 'todo']),
        }),
      )
      .nullable(),
    failing: z.array(z.string()),
  }),
  counts: z
    .object({ run: z.number(), passed: z.number(), failed: z.number(), skipped: z.number() })
    .nullable(),
  isGreen: z.boolean(),
  outcome: z.enum(['passed', 'failed', 'inconclusive', 'not_applicable']),
  trial: z.object({ canRun: z.boolean(), summary: z.string() }).optional(),
})

/** Version of the report readers; a new one invalidates cached results, because test names may differ. */
const READING = 8

export interface SuiteCall {
  readonly tree: string
  readonly setup: Command | null
  readonly command: Command
  readonly hint: ReportHint
  /** Test files that the contract deletes; their tests are not required. */
  readonly without: readonly string[]
  /** Whether a cached result may be used. */
  readonly reuse?: 'kept' | 'nothing'
  /** Stops waiting for a run that another task started. */
  readonly signal?: AbortSignal
}

/** A run that passed, and the task or gate that started it. */
interface PassedRun {
  readonly run: TestRun
  readonly by: string
}

const KEPT_RUNS = 16

const NOT_SET_UP: SuiteResult = { base: NO_BASE, counts: null, isGreen: false, outcome: 'inconclusive' }

export class BaseSuites {
  readonly #folder: string
  /** Kept only in memory: other processes could write a file, and these runs are evidence. */
  readonly #passed = new Recent<PassedRun>(KEPT_RUNS)
  readonly #running = new Map<string, Promise<unknown>>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * Calls `open` only if there is no result for this tree yet, and runs in `there` instead if that is given. Aborted runs are
   * not cached.
   */
  async result(
    call: SuiteCall,
    open: () => Promise<GateSite>,
    there: SiteRuns | null = null,
  ): Promise<SuiteResult> {
    if (call.reuse !== 'nothing') {
      const kept = await this.#known(call)
      if (kept !== null) return kept
    }
    return this.#trackRun(call, there === null ? this.#run(call, open) : this.#runIn(there, call))
  }

  /** The cached result, after waiting for a running one. */
  async #known(call: SuiteCall): Promise<SuiteResult | null> {
    for (;;) {
      const kept = await this.#read(call)
      const running = this.#running.get(this.#path(call))
      if (kept !== null || running === undefined) return kept
      if (call.signal?.aborted === true) return null
      await Promise.race([running, ...(call.signal === undefined ? [] : [once(call.signal, 'abort')])])
    }
  }

  /** Makes concurrent callers for the same tree wait for this run instead of starting another. */
  async #trackRun<T>(call: SuiteCall, run: Promise<T>): Promise<T> {
    const path = this.#path(call)
    const settled = run.then(
      () => undefined,
      () => undefined,
    )
    this.#running.set(path, settled)
    try {
      return await run
    } finally {
      if (this.#running.get(path) === settled) this.#running.delete(path)
    }
  }

  async #run(call: SuiteCall, open: () => Promise<GateSite>): Promise<SuiteResult> {
    await using site = await open()
    if ((await site.setUp(call.setup)) !== null) return NOT_SET_UP
    for (const path of call.without) await rm(join(site.root, path), { force: true })
    return await this.#keepRun(call, await runTests(site, call.command, call.hint))
  }

  async #runIn(runs: SiteRuns, call: SuiteCall): Promise<SuiteResult> {
    if ((await runs.setUp()) !== null) return NOT_SET_UP
    return this.#keepRun(call, await runs.tests(call.command, call.hint))
  }

  async #keepRun(call: SuiteCall, run: TestRun): Promise<SuiteResult> {
    const result = resultOf(run)
    if (couldRun(run.ran.evidence.ending)) await this.#keep(call, result)
    return result
  }

  /** A passing run of the same call, marked with who started it, or a new run. */
  async passedOr(call: SuiteCall, by: string, start: () => Promise<TestRun>): Promise<TestRun> {
    const known = this.#passed.get(this.#path(call))
    if (known === undefined) return this.#trackRun(call, this.#keepPassed(call, by, start()))
    const { run } = known
    return { ...run, ran: { ...run.ran, evidence: { ...run.ran.evidence, servedBy: known.by } } }
  }

  /** Whether a run of this call has passed here. */
  knows(call: SuiteCall): boolean {
    return this.#passed.get(this.#path(call)) !== undefined
  }

  /** Caches a run only if all its tests passed. */
  async #keepPassed(call: SuiteCall, by: string, running: Promise<TestRun>): Promise<TestRun> {
    const run = await running
    const result = resultOf(run)
    if (!result.isGreen || result.outcome !== 'passed') return run
    const ran = { ...run.ran, text: '', stdout: '' }
    this.#passed.keep(this.#path(call), { run: { ...run, ran }, by })
    await this.#keep(call, result)
    return run
  }

  async #keep(call: SuiteCall, result: SuiteResult): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
    await atomicWriteText(this.#path(call), JSON.stringify(result))
  }

  async #read(call: SuiteCall): Promise<SuiteResult | null> {
    try {
      return keptSchema.parse(JSON.parse(await readFile(this.#path(call), 'utf8')))
    } catch {
      // Not run yet, or the file is incomplete: run it again.
      return null
    }
  }

  #path(call: SuiteCall): string {
    const setup = call.setup === null ? '' : commandText(call.setup)
    const key = `${READING}\0${setup}\0${commandText(call.command)}\0${JSON.stringify([call.hint, call.without])}`
    const hash = createHash('sha256').update(key).digest('hex').slice(0, 16)
    return join(this.#folder, `${call.tree.replace(/[^\w-]/g, '_')}-${hash}.json`)
  }
}

function resultOf({ facts, ran }: TestRun): SuiteResult {
  const { ending, keyLines } = ran.evidence
  const isGreen = ending.kind === 'exited' && ending.code === 0
  const { outcome, summary } = judgeTests({ ...facts, base: NO_BASE })
  const canRun = couldRun(ending)
  const explains = canRun && facts.report?.counts.passed !== 0
  const why = explains ? summary : withErrorLine(summary, keyLines)
  const trial = ending.kind === 'aborted' ? undefined : { canRun, summary: why }
  return { base: baseTestsOf(facts), counts: facts.report?.counts ?? null, isGreen, outcome, trial }
}
