/** Hashes the definition of a run (command, setup, environment), to show whether two verdicts are comparable. */
import { createHash } from 'node:crypto'
import { commandText } from '../../core/test-reports/focus-command.ts'
import type { Command } from '../../core/planning/plan.ts'
import type { Environment } from '../../lib/process/built-environment.ts'

/** Increases when Bosun runs commands in a different way. */
const VERSION = 1
/** These differ per checkout; only their presence counts. */
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
  const definition = JSON.stringify([VERSION, commandText(of.command), setup, env])
  return createHash('sha256').update(definition).digest('hex')
}
