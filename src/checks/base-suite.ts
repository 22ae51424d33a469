/** The suite on the tree that work started from: run once per tree and command, and kept. */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { baseTestsOf, judgeTests, NO_BASE } from '../core/gates/judge-tests.ts'
import { commandText } from '../core/gates/focus-command.ts'
import { withTellingLine } from '../core/gates/key-lines.ts'
import { couldRun } from '../core/gates/verdicts.ts'
import type { Command } from '../core/planning/plan.ts'
import type { ReportHint } from '../core/gates/test-report.ts'
import type { GateSite } from './gate-site.ts'
import { runTests, type SuiteResult } from './test-run.ts'

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
  told: z.object({ canRun: z.boolean(), words: z.string() }).optional(),
})

/** Changes where tests are read in another way, so that their names may differ. */
const READING = 5

export interface SuiteCall {
  readonly tree: string
  readonly setup: Command | null
  readonly command: Command
  readonly hint: ReportHint
  /** Test files the contract deletes: their tests are not missed. */
  readonly without: readonly string[]
  /** Whether what was kept of an earlier run is taken for an answer. */
  readonly reuse?: 'kept' | 'nothing'
}

export class BaseSuites {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** `open` is called only where the suite was not run on this tree before. A run that was cut short is not kept. */
  async result(call: SuiteCall, open: () => Promise<GateSite>): Promise<SuiteResult> {
    const kept = call.reuse === 'nothing' ? null : await this.#read(call)
    if (kept !== null) return kept
    const site = await open()
    try {
      if ((await site.setUp(call.setup)) !== null)
        return { base: NO_BASE, counts: null, isGreen: false, outcome: 'inconclusive' }
      for (const path of call.without) await rm(join(site.root, path), { force: true })
      const { facts, ran } = await runTests(site, call.command, call.hint)
      const { ending } = ran.evidence
      const isGreen = ending.kind === 'exited' && ending.code === 0
      const { outcome, words } = judgeTests({ ...facts, base: NO_BASE, requireTestsPass: true })
      const canRun = couldRun(ending)
      const why = canRun ? words : withTellingLine(words, ran.evidence.keyLines)
      const told = ending.kind === 'aborted' ? undefined : { canRun, words: why }
      const counts = facts.report?.counts ?? null
      const result = { base: baseTestsOf(facts), counts, isGreen, outcome, told }
      if (couldRun(ending)) await this.#keep(call, result)
      return result
    } finally {
      await site.close()
    }
  }

  async #keep(call: SuiteCall, result: SuiteResult): Promise<void> {
    const path = this.#path(call)
    await mkdir(this.#folder, { recursive: true })
    const draft = `${path}.${randomUUID()}.new`
    await writeFile(draft, JSON.stringify(result))
    await rename(draft, path)
  }

  async #read(call: SuiteCall): Promise<SuiteResult | null> {
    try {
      return keptSchema.parse(JSON.parse(await readFile(this.#path(call), 'utf8')))
    } catch {
      // Never run, or half written: it is run again.
      return null
    }
  }

  #path(call: SuiteCall): string {
    const setup = call.setup === null ? '' : commandText(call.setup)
    const words = `${READING}\0${setup}\0${commandText(call.command)}\0${JSON.stringify([call.hint, call.without])}`
    const hash = createHash('sha256').update(words).digest('hex').slice(0, 16)
    return join(this.#folder, `${call.tree.replace(/[^\w-]/g, '_')}-${hash}.json`)
  }
}
