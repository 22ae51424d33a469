/** Applies a person's choices about checks that could not run, or were red, at the start commit. */
import type { ChecksAtStart } from '../../core/decide/effects.ts'
import type { CheckChoice, CheckName } from '../../core/event-schemas/baseline.ts'
import { choiceFor } from '../../core/gates/check-trials.ts'
import { commandText } from '../../core/test-reports/focus-command.ts'
import { newFindings, type KnownFindings } from '../../core/gates/known-findings.ts'
import { blocking, note, type Outcome } from '../../core/gates/verdicts.ts'
import type { Finding } from '../../core/event-schemas/evidence.ts'
import type { Command, Environment } from '../../core/planning/plan.ts'
import { withTest } from './other-tests.ts'
import type { Commands } from '../runner/commands.ts'
import type { Ran } from '../runner/gate-site.ts'
import { findingsOf } from './start-findings.ts'
import { counted } from '../../lib/text/counted.ts'

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

interface Judged {
  readonly outcome: Outcome
  readonly summary: string
  readonly findings: readonly Finding[]
}

/** A red check accepted as it is fails only by new findings. */
export function judgeAsIs(of: {
  readonly ran: Ran
  readonly judged: Judged
  readonly choice: CheckChoice
  readonly atStart: KnownFindings | null
  readonly folders: readonly string[]
}): Judged {
  const { ran, judged, choice, atStart } = of
  if (judged.outcome !== 'failed' || ran.text.trim() === '') return judged
  if (atStart === null || ran.text.length > MOST_COMPARED) {
    const summary = `${judged.summary}; it cannot be compared with its findings at the start commit`
    return { outcome: 'inconclusive', summary, findings: judged.findings }
  }
  const added = newFindings(findingsOf(ran, of.folders), atStart)
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
