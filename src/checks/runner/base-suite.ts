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
import { commandText } from '../../core/test-reports/runner.ts'
import { withErrorLine } from '../../core/gates/command-output.ts'
import { couldRun } from '../../core/gates/verdicts.ts'
import { atomicWriteText } from '../../lib/files/atomic-write.ts'
import { Recent } from '../../lib/recent.ts'
import type { Command } from '../../core/planning/plan.ts'
import type { ReportHint } from '../../core/test-reports/test-report.ts'
import type { Commands } from './commands.ts'
import type { GateSite, Ran } from './gate-site.ts'
import type { SiteRuns } from './site-runs.ts'
import { runTests, type TestRun } from './test-run.ts'

const testSchema = z.object({
  name: z.string(),
  file: z.string().nullable(),
  outcome: z.enum(['passed', 'failed', 'skipped', 'todo']),
})

/** The result of a run, for comparison with later runs. */
const keptSchema = z.object({
  base: z.object({
    tests: z.array(testSchema).readonly().nullable(),
    failing: z.array(z.string()).readonly(),
  }),
  /** Null if its output could not be read. */
  counts: z
    .object({ run: z.number(), passed: z.number(), failed: z.number(), skipped: z.number() })
    .nullable(),
  /** By exit code only. */
  isGreen: z.boolean(),
  /** By exit code and report. */
  outcome: z.enum(['passed', 'failed', 'inconclusive', 'not_applicable']),
  /** A summary (the key is part of the cache file); absent if it was aborted or not started. */
  trial: z.object({ canRun: z.boolean(), summary: z.string() }).optional(),
})
export type SuiteResult = z.infer<typeof keptSchema>

/** Version of the report readers; a new one invalidates cached results, because test names may differ. */
const READING = 8

interface SuiteCall extends CommandCall {
  readonly hint: ReportHint
  /** Test files that the contract deletes; their tests are not required. */
  readonly without: readonly string[]
}

interface SuiteRequest extends Pick<SuiteCall, 'tree' | 'without'> {
  readonly commands: Commands
  /** Whether a cached result may be used. */
  readonly reuse: 'kept' | 'nothing'
  /** Stops waiting for a run that another task started. */
  readonly signal?: AbortSignal
}

/** What passed, and the task or gate that started it. */
interface Passed<T> {
  readonly run: T
  readonly by: string
}

const servedBy = (ran: Ran, by: string): Ran => ({ ...ran, evidence: { ...ran.evidence, servedBy: by } })

const KEPT_RUNS = 16

const NOT_SET_UP: SuiteResult = { base: NO_BASE, counts: null, isGreen: false, outcome: 'inconclusive' }

export class BaseSuites {
  readonly #files: ResultFiles<SuiteResult>
  /** Kept only in memory: other processes could write a file, and these runs are evidence. */
  readonly #passed = new Recent<Passed<TestRun>>(KEPT_RUNS)
  readonly #running = new Map<string, Promise<unknown>>()

  constructor(folder: string) {
    this.#files = new ResultFiles(folder, keptSchema, READING)
  }

  /**
   * Calls `open` only if there is no result for this tree yet, and runs in `there` instead if that is given. Aborted runs are
   * not cached. Null without a test command.
   */
  async result(
    { commands: { setup, test }, reuse, signal, ...about }: SuiteRequest,
    open: () => Promise<GateSite>,
    there: SiteRuns | null = null,
  ): Promise<SuiteResult | null> {
    if (test === null) return null
    const call = { ...about, ...test, setup }
    const kept = reuse === 'kept' ? await this.#known(call, signal) : null
    if (kept !== null) return kept
    return this.#trackRun(call, there === null ? this.#run(call, open) : this.#runIn(there, call))
  }

  /** The cached result, after waiting for a running one. */
  async #known(call: SuiteCall, signal?: AbortSignal): Promise<SuiteResult | null> {
    for (;;) {
      const kept = await this.#files.read(this.#path(call))
      const running = this.#running.get(this.#path(call))
      if (kept !== null || running === undefined) return kept
      if (signal?.aborted === true) return null
      await Promise.race([running, ...(signal === undefined ? [] : [once(signal, 'abort')])])
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
    if (couldRun(run.ran.evidence.ending)) await this.#files.write(this.#path(call), result)
    return result
  }

  /** A passing run of the same call, marked with who started it, or a new run. */
  async passedOr(call: SuiteCall, by: string, start: () => Promise<TestRun>): Promise<TestRun> {
    const known = this.#passed.get(this.#path(call))
    if (known === undefined) return this.#trackRun(call, this.#keepPassed(call, by, start()))
    return { ...known.run, ran: servedBy(known.run.ran, known.by) }
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
    const ran = { ...run.ran, text: '', shown: '', stdout: '' }
    this.#passed.keep(this.#path(call), { run: { ...run, ran }, by })
    await this.#files.write(this.#path(call), result)
    return run
  }

  #path(call: SuiteCall): string {
    return this.#files.path(call, JSON.stringify([call.hint, call.without]))
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

/** What commands came to on a tree, each result in a file of its own. */
export class ResultFiles<T> {
  readonly #folder: string
  readonly #schema: z.ZodType<T>
  readonly #version: number

  /** A new `version` of what is read from outputs invalidates the files. */
  constructor(folder: string, schema: z.ZodType<T>, version: number) {
    this.#folder = folder
    this.#schema = schema
    this.#version = version
  }

  path({ tree, setup, command }: CommandCall, ...more: readonly string[]): string {
    const key = [this.#version, setup === null ? '' : commandText(setup), commandText(command), ...more]
    const hash = createHash('sha256').update(key.join('\0')).digest('hex').slice(0, 16)
    return join(this.#folder, `${tree.replace(/[^\w-]/g, '_')}-${hash}.json`)
  }

  async read(path: string): Promise<T | null> {
    try {
      return this.#schema.parse(JSON.parse(await readFile(path, 'utf8')))
    } catch {
      // Not run yet, or the file is incomplete: run it again.
      return null
    }
  }

  async write(path: string, result: T): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
    await atomicWriteText(path, JSON.stringify(result))
  }
}

export interface CommandCall {
  readonly tree: string
  readonly setup: Command | null
  readonly command: Command
}

const KEPT_CHARACTERS = 4_000_000

/** Commands that passed on a tree, for the release gate on the same tree. Kept only in memory: these runs are evidence. */
export class PassedCommands {
  readonly #kept = new Recent<Passed<Ran>>(
    KEPT_CHARACTERS,
    ({ run }) => 1000 + run.text.length + run.stdout.length,
  )

  keep(call: CommandCall, by: string, ran: Ran): void {
    const { ending } = ran.evidence
    if (ending.kind === 'exited' && ending.code === 0) this.#kept.keep(keyOf(call), { run: ran, by })
  }

  /** Marked with who ran it; null if it did not pass there. */
  find(call: CommandCall): Ran | null {
    const known = this.#kept.get(keyOf(call))
    return known === undefined ? null : servedBy(known.run, known.by)
  }
}

const keyOf = ({ tree, setup, command }: CommandCall): string =>
  [tree, setup === null ? '' : commandText(setup), commandText(command)].join('\0')
