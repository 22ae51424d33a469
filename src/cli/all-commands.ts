/** Every command, in the order of the help. */
import type { CommandDefinition } from './command.ts'
import { MACHINE } from './commands/machine.ts'
import { FOR_WORKERS, LOOKING } from './commands/people.ts'
import { BEGINNING, STEERING } from './commands/plans.ts'

export const ALL_COMMANDS: readonly CommandDefinition[] = [
  ...BEGINNING,
  ...LOOKING,
  ...STEERING,
  ...MACHINE,
  ...FOR_WORKERS,
]
