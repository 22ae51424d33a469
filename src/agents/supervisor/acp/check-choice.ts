/** Asks an agent whether it takes a model and an effort, in a session that is closed again, before any work begins. */
import { setTimeout as pause } from 'node:timers/promises'
import * as acp from '@agentclientprotocol/sdk/unstable'
import type { Spawned } from '../../../lib/process/spawn-contained.ts'
import { withAgent, type AgentCommand } from '../with-agent.ts'
import type { AcpJob } from '../../worker-folder.ts'
import { messageStream } from './message-stream.ts'
import { openSession, type Ask } from './open-session.ts'
import { ChoiceRefused } from './session-choice.ts'

export interface CheckedAgent extends AgentCommand {
  readonly choice: AcpJob['choice']
  readonly authenticate: string | null
}

const LIMIT_MS = 30_000

/** Null where it takes both, or does not answer: then the work itself shows what is wrong. */
export const choiceRefusal = (agent: CheckedAgent): Promise<string | null> =>
  withAgent(agent, (started, folder) =>
    Promise.race([refusalIn(started, agent, folder), pause(LIMIT_MS, null, { ref: false })]),
  )

async function refusalIn({ child }: Spawned, agent: CheckedAgent, folder: string): Promise<string | null> {
  const { stdin, stdout, stderr } = child
  if (stdin === null || stdout === null) return null
  stderr?.resume()
  const stream = messageStream(
    { stdin, stdout },
    { onNotification: () => undefined, onRefused: () => undefined },
  )
  const connection = acp.client({ name: 'bosun' }).connect(stream)
  const ask: Ask = (method, params) => connection.agent.request(method, params)
  try {
    await openSession({
      env: {},
      job: { ...NOTHING, authenticate: agent.authenticate, choice: agent.choice },
      workspace: folder,
      ask,
      onReplay: () => undefined,
      onLostSession: () => undefined,
    })
    return null
  } catch (error) {
    // Whatever else is wrong shows when it works.
    return error instanceof ChoiceRefused ? error.message : null
  }
}

const NOTHING = {
  mode: null,
  options: {},
  additionalDirectories: [],
  mcpServers: [],
  meta: {},
  continues: null,
  session: null,
} as const
