/** Findings of checks on the start commit, cached per tree and command. */
import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { commandText } from '../../core/test-reports/focus-command.ts'
import { foundByEither, knownFindings, type KnownFindings } from '../../core/gates/known-findings.ts'
import { judgeReported } from '../../core/gates/sarif.ts'
import { couldRun } from '../../core/gates/verdicts.ts'
import { atomicWriteText } from '../../lib/files/atomic-write.ts'
import type { Command } from '../../core/planning/plan.ts'
import type { GateSite, Ran } from '../runner/gate-site.ts'

const keptSchema = z.object({
  lines: z.record(z.string(), z.number()),
  totals: z.record(z.string(), z.number()),
  /** How many runs found them. */
  runs: z.number().default(1),
})

type Kept = z.infer<typeof keptSchema>

/** Version of the findings reader; a new one invalidates the cache. */
const READING = 1
/** Runs on one tree before its findings count as complete; each time some seem to be missing, this many more. */
const MOST_RUNS = 5
const MORE_RUNS = 2

export interface FindingsCall {
  readonly tree: string
  readonly setup: Command | null
  readonly command: Command
}

/** The findings of the tool's report if it prints one, else the lines of its output. */
export function findingsOf({ text, stdout, evidence }: Ran, folders: readonly string[]): KnownFindings {
  const { findings } = judgeReported(evidence, stdout, folders)
  const reported = findings.map((finding) => `${finding.file ?? ''}: ${finding.text}`)
  return knownFindings({ text: reported.length === 0 ? text : reported.join('\n'), folders })
}

export class StartFindings {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Null if the command can no longer run on that tree. Calls `open` only if nothing is cached. */
  async result(call: FindingsCall, open: () => Promise<GateSite>): Promise<KnownFindings | null> {
    return (await this.#read(call)) ?? (await this.#run(call, open, { before: null, times: 1 }))
  }

  /**
   * Together with those of further runs: some tools exit before all their output is written, or find more in one run than in
   * another, and a finding that the tree has is not new.
   */
  async moreResults(call: FindingsCall, open: () => Promise<GateSite>): Promise<KnownFindings | null> {
    const before = await this.#read(call)
    const times = Math.min(MORE_RUNS, MOST_RUNS - (before?.runs ?? 0))
    return times <= 0 ? before : ((await this.#run(call, open, { before, times })) ?? before)
  }

  async #run(
    call: FindingsCall,
    open: () => Promise<GateSite>,
    { before, times }: { readonly before: Kept | null; readonly times: number },
  ): Promise<KnownFindings | null> {
    await using site = await open()
    if ((await site.setUp(call.setup)) !== null) return null
    let kept = before
    for (let run = 0; run < times; run++) {
      const ran = await site.run(call.command)
      if (!couldRun(ran.evidence.ending)) return kept
      const found = findingsOf(ran, site.folders)
      kept = { ...(kept === null ? found : foundByEither(kept, found)), runs: (kept?.runs ?? 0) + 1 }
      await this.#write(call, kept)
    }
    return kept
  }

  keep(call: FindingsCall, found: KnownFindings): Promise<void> {
    return this.#write(call, { ...found, runs: 1 })
  }

  async #write(call: FindingsCall, kept: Kept): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
    await atomicWriteText(this.#path(call), JSON.stringify(kept))
  }

  async #read(call: FindingsCall): Promise<Kept | null> {
    try {
      return keptSchema.parse(JSON.parse(await readFile(this.#path(call), 'utf8')))
    } catch {
      // Not run yet, or the file is incomplete: run it again.
      return null
    }
  }

  #path({ tree, setup, command }: FindingsCall): string {
    const key = [READING, setup === null ? '' : commandText(setup), commandText(command)].join('\0')
    const hash = createHash('sha256').update(key).digest('hex').slice(0, 16)
    return join(this.#folder, `${tree.replace(/[^\w-]/g, '_')}-${hash}.json`)
  }
}
