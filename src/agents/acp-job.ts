/** What the supervisor of a worker needs for its session, from the agent's profile and the worker's place. */
import { realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Job } from '../ports/agent.ts'
import type { AcpProfile, ChosenAgent } from './agent-table.ts'
import { sessionChoice } from './with-choice.ts'
import type { AcpJob, WorkerFolder } from './worker-folder.ts'
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
}

interface Parts {
  readonly chosen: ChosenAgent
  readonly prepared: Preparation
  readonly folder: WorkerFolder
  /** The folder of the commands a worker may call. */
  readonly tools: string
}

export function acpJob({ session }: Job, { chosen, prepared, folder, tools }: Parts): AcpJob {
  const { continues, ...profile } = { ...UNKNOWN_AGENT, ...chosen.acp }
  return {
    ...profile,
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
    session: session === undefined ? null : { id: session, how: continues },
  }
}

function withoutLinks(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // Not there yet.
    return path
  }
}
