/** A real agent that reports to the project manager over MCP, without the rest of Bosun around it. */
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { AcpClient } from '../agents/acp-client.ts'
import { startModelServer, type ModelServer } from '../agents/model-server/model-server.ts'
import { act, call, play, say } from '../agents/model-server/script.ts'
import { openMcpDoor, type McpDoor } from '../mcp/mcp-door.ts'
import { openAgentHome, type AgentHome } from './agent-home.ts'
import { REAL_AGENTS } from './agents.ts'
import { install } from './install.ts'

const REPORT = { explanation: 'I wrote the file.', files: { created: ['hello.txt'] } }
const agent = REAL_AGENTS.find(({ name }) => name === 'goose')
if (agent === undefined) throw new Error('goose is no longer among the agents')

let server: ModelServer
let home: AgentHome
let door: McpDoor
beforeAll(async () => {
  for (const installation of agent.installations) await install(installation)
})
beforeEach(async () => {
  door = await openMcpDoor()
  const input = {
    agent_role: 'developer',
    message_type: 'work_completed',
    component: 'shop',
    payload: REPORT,
  }
  server = await startModelServer(
    play([{ steps: [act(call('report_to_pm', input)), say('I have reported.')] }]),
  )
  home = await openAgentHome(agent, server)
})
afterEach(async () => {
  await server.close()
  await home.dispose()
  await door[Symbol.asyncDispose]()
})

test('goose reports over HTTP with the token of its attempt', async () => {
  const { argv, env } = agent.acp(home.place)
  const client = new AcpClient({ argv, cwd: home.cwd, env: { ...home.env, ...env } })
  try {
    await client.initialize()
    const headers = [{ name: 'Authorization', value: `Bearer ${door.token}` }]
    const id = await client.newSession({
      mcpServers: [{ type: 'http', name: 'bosun', url: `${door.url}/mcp`, headers }],
    })
    const end = await client.prompt(id, 'Report that you are done.')
    expect(
      server.requests.flatMap(({ missing }) => missing),
      client.stderr,
    ).toEqual([])
    expect([door.reports, end['stopReason']], client.stderr).toEqual([
      [{ ...REPORT, component: 'shop' }],
      'end_turn',
    ])
  } finally {
    await client.stop()
  }
})
