/** What was asked of a run, as one hash: whoever compares two verdicts sees whether the question was the same. */
import { createHash } from 'node:crypto'
import { commandText } from '../../core/test-reports/focus-command.ts'
import type { Command } from '../../core/planning/plan.ts'
import type { Environment } from '../../lib/process/built-environment.ts'

/** Goes up where Bosun itself asks in another way. */
const VERSION = 1
/** These are made anew for every checkout; only that they are given counts. */
const FRESH = /^(TMPDIR|HOME|PORT|BOSUN_PORT.*|XDG_.*)$/

export function definitionSha256(of: {
  readonly command: Command
  readonly setup: Command | null
  readonly env: Environment
}): string {
  const env = Object.entries(of.env)
    .map(([name, value]) => [name, FRESH.test(name) ? '' : value] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  const setup = of.setup === null ? null : commandText(of.setup)
  const words = JSON.stringify([VERSION, commandText(of.command), setup, env])
  return createHash('sha256').update(words).digest('hex')
}
