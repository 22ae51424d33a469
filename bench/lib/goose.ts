/** goose, the lightest of the real agents, at the version that the tests have, led to a model server on this machine. */
import type { ModelServer } from '../../test/agents/model-server/model-server.ts'
import { openAgentHome, type AgentHome } from '../../test/real-agents/agent-home.ts'
import { goose } from '../../test/real-agents/agents.ts'
import { install } from '../../test/real-agents/install.ts'

export async function openGoose(server: ModelServer): Promise<AgentHome> {
  for (const installation of goose.installations) await install(installation)
  return openAgentHome(goose, server)
}

/** How a bench or a supervisor starts it as an agent of the protocol, in the environment of its home. */
export function acpLaunch(home: AgentHome): {
  readonly argv: readonly string[]
  readonly env: Record<string, string>
} {
  const { argv, env } = goose.acp(home.place)
  return { argv, env: { ...home.env, ...env } }
}
