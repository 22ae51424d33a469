/** A session with a real agent over ACP, without Bosun. */
import { AcpClient, AcpError, type Params } from '../agents/acp-client.ts'
import type { AgentHome } from './agent-home.ts'
import type { RealAgent } from './agents.ts'

export interface AcpSession {
  readonly client: AcpClient
  readonly id: string
  readonly version: unknown
  readonly capabilities: Params
}

export async function openAcpSession(
  agent: RealAgent,
  { place, cwd, env }: AgentHome,
  more: Params = {},
): Promise<AcpSession> {
  const acp = agent.acp(place)
  const client = new AcpClient({ argv: acp.argv, cwd, env: { ...env, ...acp.env } })
  try {
    const { agentInfo, agentCapabilities = {} } = await client.initialize()
    if (acp.method !== undefined) await client.request('authenticate', { methodId: acp.method })
    const id = await client.newSession(more)
    if (acp.mode !== undefined) await client.request('session/set_mode', { sessionId: id, modeId: acp.mode })
    return {
      client,
      id,
      version: (agentInfo as Params | undefined)?.['version'],
      capabilities: agentCapabilities as Params,
    }
  } catch (error) {
    await client.stop()
    throw error
  }
}

/** How a turn ended: its stop reason, its error, or not at all within the time. */
export type TurnOutcome = string

export async function outcomeOf(turn: Promise<Params>, withinMs: number): Promise<TurnOutcome> {
  const { promise: late, resolve } = Promise.withResolvers<TurnOutcome>()
  const timer = setTimeout(() => resolve('silent'), withinMs)
  const ended = turn.then(
    ({ stopReason }) => String(stopReason),
    (error: unknown) => (error instanceof AcpError ? `error ${error.code}` : `gone: ${String(error)}`),
  )
  const outcome = await Promise.race([ended, late])
  clearTimeout(timer)
  return outcome
}
