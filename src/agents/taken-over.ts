/** What a person needs to work in the place of a worker: its folder, the command of its agent and the variables for it. */
import { join, basename } from 'node:path'
import { z } from 'zod'
import { KEPT_VARIABLES } from '../lib/process/built-environment.ts'
import { AGENT_ROWS } from './profiles/rows.ts'
import { DamagedFile, MISSING } from './worker-files/damaged-file.ts'
import { workerFolder } from './worker-folder.ts'
import { readJson } from './worker-records.ts'
import type { AgentRow } from './profiles/agent-row.ts'

export interface TakenOver {
  readonly workspace: string
  /** Continues the session of its agent; null where there is none to continue. */
  readonly command: readonly string[] | null
  /** Of its agent, on top of the person's own: how it reaches its provider, for one. */
  readonly variables: Readonly<Record<string, string>>
}

const jobSchema = z.object({
  agent: z.string(),
  command: z.array(z.string()),
  workspace: z.string(),
  env: z.record(z.string(), z.string()),
})

/** Throws where the folder of the worker cannot be read. */
export function takenOver(
  root: string,
  { repository, worker }: { readonly repository: string; readonly worker: string },
  session: string | null,
): TakenOver {
  const folder = workerFolder(join(root, 'repos', repository, 'workers', worker))
  const job = readJson(folder.job, jobSchema)
  if (job === null) throw new DamagedFile(folder.job, MISSING)
  const { agent, command, workspace, env } = job
  return {
    workspace,
    command: session === null ? null : resumeCommand(AGENT_ROWS, { agent, command, session }),
    variables: Object.fromEntries(Object.entries(env).filter(([name]) => isForAgent(name))),
  }
}

/** The person has the ordinary ones, and must not be taken for the worker. */
const isForAgent = (name: string): boolean =>
  name !== 'PATH' && !name.startsWith('BOSUN_') && !KEPT_VARIABLES.includes(name)

/** The command by which a person continues the session of an agent themselves. */
interface ResumedSession {
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
