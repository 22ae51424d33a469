/** Where a command was called, and by whom. */
import { userInfo } from 'node:os'
import { findRepositoryRoot } from '../config/repository.ts'
import type { Call } from './command.ts'

/** The repository one stands in decides between plans of the same name; undefined outside of any. */
export async function repoHere(call: Call): Promise<string | undefined> {
  return (await findRepositoryRoot(call.terminal.cwd)) ?? undefined
}

/** Who answers and decides: written down with what they said. */
export function callerName(call: Call): string {
  const { env } = call.terminal
  const said = env['USER'] ?? env['LOGNAME'] ?? ''
  if (said !== '') return said
  try {
    return userInfo().username
  } catch {
    // A user without an entry in the system's list.
    return 'user'
  }
}
