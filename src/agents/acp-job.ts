/** What the supervisor of a worker needs for its session, from the agent's profile and the worker's place. */
import { realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Job } from '../ports/agent.ts'
import type { AcpProfile, ChosenAgent } from './agent-table.ts'
import { sessionChoice } from './with-choice.ts'
import { workerFolder, type AcpJob, type WorkerFolder } from './worker-folder.ts'
import { orNull, readResult } from './worker-records.ts'
import type { Preparation } from './write-job.ts'

/** Any agent that speaks the protocol, as far as nothing is known of it. */
const UNKNOWN_AGENT: AcpProfile = {
  mode: null,
  options: {},
  authenticate: null,
  mcpServers: [],
  meta: {},
  usage: 'none',
  continues: 'load',
  mcp: 'session',
}

interface Parts {
  readonly chosen: ChosenAgent
  readonly prepared: Preparation
  readonly folder: WorkerFolder
  /** The folder of the commands a worker may call. */
  readonly tools: string
}

/** The session that a worker continues; null where its agent is another one, or cannot. */
export function continuedSession({ session }: Job, chosen: ChosenAgent): string | null {
  const isSame = chosen.protocol === 'acp' && session?.agent === chosen.name
  return isSame && chosen.acp?.continues !== null ? session.id : null
}

export function acpJob(job: Job, { chosen, prepared, folder, tools }: Parts): AcpJob {
  const { mcp, ...profile } = { ...UNKNOWN_AGENT, ...chosen.acp }
  const id = continuedSession(job, chosen)
  return {
    ...profile,
    takesBosun: mcp === 'session',
    // Its report and its contract lie there.
    additionalDirectories: [folder.agentFolder],
    idleMs: prepared.idleMs,
    permissions: {
      ...prepared.permissions,
      roots: [prepared.workspace, folder.agentFolder, prepared.coordination, tools, tmpdir()].map(
        withoutLinks,
      ),
    },
    choice: sessionChoice(chosen),
    hasCommand: chosen.otherwise !== undefined,
    session: id === null ? null : { id, prompt: prepared.continuation ?? prepared.brief },
    usdBefore: id === null ? undefined : costBefore(job, folder),
  }
}

/** What the session had cost when its last worker ended: agents report the cost of all of it. */
function costBefore({ session }: Job, { path }: WorkerFolder): number | undefined {
  if (session === undefined) return undefined
  const { acknowledged, result } = workerFolder(join(dirname(path), session.worker))
  const end = orNull(() => readResult(acknowledged)) ?? orNull(() => readResult(result))
  return end?.usage?.sessionUsd
}

function withoutLinks(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // Not there yet.
    return path
  }
}
