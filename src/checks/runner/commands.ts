/** Which commands apply: what the user says, else what is found in the base, else what the contract lets the work bring. */
import {
  detectCommands,
  NO_COMMANDS,
  type DetectedCommands,
  type Listing,
} from '../../core/repository-facts/detect-commands.ts'
import type { Command, Environment, TestCommand } from '../../core/planning/plan.ts'

export interface Commands {
  readonly setup: Command | null
  readonly test: TestCommand | null
  readonly lint: Command | null
  readonly typecheck: Command | null
  readonly build: Command | null
}

/**
 * A worker may not choose the command it is judged by. `allowed` is the work with what decides success as the base or
 * the contract has it; it only fills what the base does not know, so that a project can begin.
 */
export function commandsFor(
  said: Partial<Environment>,
  base: Listing | null,
  allowed: Listing | null,
): { readonly commands: Commands; readonly warnings: readonly string[] } {
  const inBase = base === null ? null : detectCommands(base).commands
  const inWork = allowed === null ? null : detectCommands(allowed).commands
  const found = (name: keyof DetectedCommands): Command | null =>
    inBase?.[name] ?? inWork?.[name] ?? NO_COMMANDS[name]
  const pick = <T>(name: keyof DetectedCommands, own: T | null | undefined): T | Command | null =>
    own === undefined ? found(name) : own
  const commands: Commands = {
    setup: pick('setup', said.setup),
    test: pick('test', said.test),
    lint: pick('lint', said.lint),
    typecheck: pick('typecheck', said.typecheck),
    build: pick('build', said.build),
  }
  const missing = (['test', 'lint', 'typecheck', 'build'] as const).filter(
    (name) => said[name] === undefined && commands[name] === null,
  )
  return { commands, warnings: missing.map((name) => `no ${name} command was found`) }
}
