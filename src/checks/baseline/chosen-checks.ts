/** Applies a person's choices about checks that could not run, or were red, at the start commit, and keeps their findings. */
import type { ChecksAtStart } from '../../core/decide/effects.ts'
import type { CheckChoice, CheckName } from '../../core/event-schemas/baseline.ts'
import { choiceFor } from '../../core/gates/check-trials.ts'
import { commandText } from '../../core/test-reports/runner.ts'
import {
  newFindings,
  foundByEither,
  knownFindings,
  type KnownFindings,
} from '../../core/gates/command-output.ts'
import { blocking, note, couldRun } from '../../core/gates/verdicts.ts'
import type { Command, Environment } from '../../core/planning/plan.ts'
import { withTest } from './baseline.ts'
import type { Commands } from '../runner/commands.ts'
import type { Ran, GateSite } from '../runner/gate-site.ts'
import { counted } from '../../lib/text/counted.ts'
import { z } from 'zod'
import { ResultFiles, type CommandCall } from '../runner/base-suite.ts'
import { judgeReported } from '../../core/gates/judge-commands.ts'

/** Characters; longer outputs are not compared. */
const MOST_COMPARED = 7_000_000
const MOST_SHOWN = 40

export interface ChosenChecks {
  /** Without the checks that are left out. */
  readonly commands: Commands
  readonly leftOut: ReadonlyMap<CheckName, CheckChoice>
  readonly asIs: ReadonlyMap<CheckName, CheckChoice>
}

/** `configured`: the commands that a person has set, which the baseline never replaces. */
export function withChoices(
  found: Commands,
  configured: Pick<Partial<Environment>, 'test'>,
  atStart: ChecksAtStart | null,
): ChosenChecks {
  const other = configured.test === undefined ? atStart?.test : undefined
  const commands = other === undefined ? found : withTest(found, other)
  const choices = atStart?.choices ?? []
  const leftOut = new Map<CheckName, CheckChoice>()
  const asIs = new Map<CheckName, CheckChoice>()
  const kept = (check: CheckName, command: Command | null): Command | null => {
    if (command === null) return null
    const choice = choiceFor(choices, check, commandText(command))
    if (choice !== null) (choice.choice === 'left_out' ? leftOut : asIs).set(check, choice)
    return choice?.choice === 'left_out' ? null : command
  }
  const test = kept('test', commands.test?.command ?? null) === null ? null : commands.test
  return {
    commands: {
      setup: kept('setup', commands.setup),
      test:
        test !== null && asIs.get('test')?.state === 'unnamed'
          ? { ...test, hint: { kind: 'exit', isAccepted: true } }
          : test,
      lint: kept('lint', commands.lint),
      typecheck: kept('typecheck', commands.typecheck),
      build: kept('build', commands.build),
    },
    leftOut,
    asIs,
  }
}

export const formatLeftOut = ({ check, by, why }: CheckChoice): string =>
  `${check} was left out by ${by} at the start of the plan (${why})`

type Judged = ReturnType<typeof judgeReported>

/** Where a command ran. */
type Site = Pick<GateSite, 'folders' | 'hide'>

/** A red check accepted as it is fails only by new findings. */
export function judgeAsIs(of: {
  readonly ran: Ran
  readonly judged: Judged
  readonly choice: CheckChoice
  readonly atStart: KnownFindings | null
  readonly site: Site
}): Judged {
  const { ran, judged, choice, atStart } = of
  if (judged.outcome !== 'failed' || ran.text.trim() === '') return judged
  if (atStart === null || ran.text.length > MOST_COMPARED) {
    const summary = `${judged.summary}; it cannot be compared with its findings at the start commit`
    return { outcome: 'inconclusive', summary, findings: judged.findings }
  }
  const added = newFindings(findingsOf(ran, of.site), atStart)
  const accepted = `accepted as it was at the start commit by ${choice.by}`
  if (added.length === 0)
    return {
      outcome: 'passed',
      summary: `${judged.summary}, with no new findings (${choice.check} is ${accepted})`,
      findings: [note(`${choice.check} is ${accepted}; only new findings count`)],
    }
  const count = counted(added.length, 'new finding')
  return {
    outcome: 'failed',
    summary: `${judged.summary}, with ${count}: ${added[0] ?? ''}`,
    findings: added.slice(0, MOST_SHOWN).map((line) => blocking(`new: ${line}`)),
  }
}

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

/** The findings of the tool's report if it prints one, else the lines of its output. */
export function findingsOf({ shown, stdout, evidence }: Ran, { folders, hide }: Site): KnownFindings {
  const { findings } = judgeReported(evidence, stdout, folders)
  const reported = findings.map((finding) => hide.text(`${finding.file ?? ''}: ${finding.text}`))
  return knownFindings({ text: reported.length === 0 ? shown : reported.join('\n'), folders })
}

/** Findings of checks on the start commit, cached per tree and command. */
export class StartFindings {
  readonly #files: ResultFiles<Kept>

  constructor(folder: string) {
    this.#files = new ResultFiles(folder, keptSchema, READING)
  }

  /** Null if the command can no longer run on that tree. Calls `open` only if nothing is cached. */
  async result(call: CommandCall, open: () => Promise<GateSite>): Promise<KnownFindings | null> {
    return (
      (await this.#files.read(this.#files.path(call))) ??
      (await this.#run(call, open, { before: null, times: 1 }))
    )
  }

  /**
   * Together with those of further runs: some tools exit before all their output is written, or find more in one run than in
   * another, and a finding that the tree has is not new.
   */
  async moreResults(call: CommandCall, open: () => Promise<GateSite>): Promise<KnownFindings | null> {
    const before = await this.#files.read(this.#files.path(call))
    const times = Math.min(MORE_RUNS, MOST_RUNS - (before?.runs ?? 0))
    return times <= 0 ? before : ((await this.#run(call, open, { before, times })) ?? before)
  }

  async #run(
    call: CommandCall,
    open: () => Promise<GateSite>,
    { before, times }: { readonly before: Kept | null; readonly times: number },
  ): Promise<KnownFindings | null> {
    await using site = await open()
    if ((await site.setUp(call.setup)) !== null) return null
    let kept = before
    for (let run = 0; run < times; run++) {
      const ran = await site.run(call.command)
      if (!couldRun(ran.evidence.ending)) return kept
      const found = findingsOf(ran, site)
      kept = { ...(kept === null ? found : foundByEither(kept, found)), runs: (kept?.runs ?? 0) + 1 }
      await this.#files.write(this.#files.path(call), kept)
    }
    return kept
  }

  keep(call: CommandCall, found: KnownFindings): Promise<void> {
    return this.#files.write(this.#files.path(call), { ...found, runs: 1 })
  }
}
