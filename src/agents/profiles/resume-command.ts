/** The command by which a person continues the session of an agent themselves. */
import { basename } from 'node:path'
import type { AgentRow } from './agent-row.ts'

export interface ResumedSession {
  /** Its name in the settings. */
  readonly agent: string
  /** The command of its worker. */
  readonly command: readonly string[]
  readonly session: string
}

/** Ids of sessions come from agents: one that could be read as an option is none. */
const SESSION_ID = /^[A-Za-z0-9][\w.:-]{0,199}$/

/** Null where no row tells how, or the id makes no sense. */
export function resumeCommand(rows: readonly AgentRow[], resumed: ResumedSession): readonly string[] | null {
  const { agent, command, session } = resumed
  const [program = ''] = command
  const isProgramOf = ({ programs }: AgentRow): boolean => programs.includes(basename(program))
  // A user may call it otherwise in bosun.yaml.
  const row = rows.find(({ name }) => name === agent) ?? rows.find(isProgramOf)
  if (row === undefined || row.resume === null || !SESSION_ID.test(session)) return null
  const [name = '', ...args] = row.resume
  return [isProgramOf(row) ? program : name, ...args.map((word) => (word === '{session}' ? session : word))]
}
