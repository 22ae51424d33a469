import { basename } from 'node:path'
import { AGENT_ROWS } from './rows.ts'

const UNKNOWN =
  'Sign in with its own command, or name the variable with its key under env_from of the agent in bosun.yaml.'

/** What to do about an agent that is not signed in, known by its name or by the programs of its command. */
export function signInFix({
  name,
  command,
}: {
  readonly name: string
  readonly command: readonly string[]
}): string {
  const programs = command.map((word) => basename(word).replace(/\.(?:[cm]?js|sh)$/, ''))
  const matches = (one: string): boolean => one === name || programs.includes(one)
  return AGENT_ROWS.find((row) => [row.name, ...row.programs].some(matches))?.signIn.fix ?? UNKNOWN
}
