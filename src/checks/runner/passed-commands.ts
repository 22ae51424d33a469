/** Commands that passed on a tree, for the release gate on the same tree. Kept only in memory: these runs are evidence. */
import { commandText } from '../../core/test-reports/focus-command.ts'
import { Recent } from '../../lib/recent.ts'
import type { Command } from '../../core/planning/plan.ts'
import type { Ran } from './gate-site.ts'

export interface CommandCall {
  readonly tree: string
  readonly setup: Command | null
  readonly command: Command
}

interface PassedCommand {
  readonly ran: Ran
  /** The task or gate that ran it. */
  readonly by: string
}

const KEPT_CHARACTERS = 4_000_000

export class PassedCommands {
  readonly #kept = new Recent<PassedCommand>(
    KEPT_CHARACTERS,
    ({ ran }) => 1000 + ran.text.length + ran.stdout.length,
  )

  keep(call: CommandCall, by: string, ran: Ran): void {
    const { ending } = ran.evidence
    if (ending.kind === 'exited' && ending.code === 0) this.#kept.keep(keyOf(call), { ran, by })
  }

  /** Marked with who ran it; null if it did not pass there. */
  find(call: CommandCall): Ran | null {
    const known = this.#kept.get(keyOf(call))
    if (known === undefined) return null
    return { ...known.ran, evidence: { ...known.ran.evidence, servedBy: known.by } }
  }
}

const keyOf = ({ tree, setup, command }: CommandCall): string =>
  [tree, setup === null ? '' : commandText(setup), commandText(command)].join('\0')
