/** Which real agents take images over ACP, and that the image reaches their model. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { promptBlocks } from '../../src/agents/supervisor/acp/prompts.ts'
import { startModelServer, type ModelServer } from '../agents/model-server/model-server.ts'
import { play, say } from '../agents/model-server/script.ts'
import { openAcpSession } from './acp-session.ts'
import { openAgentHome, type AgentHome } from './agent-home.ts'
import { REAL_AGENTS } from './agents.ts'
import { install } from './install.ts'

/** One red point. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

/** The others send images only to models that they know to take any. */
const SENDS = ['claude', 'codex', 'gemini']

describe.each(REAL_AGENTS)('$name', (agent) => {
  let server: ModelServer
  let home: AgentHome
  let folder: string
  beforeAll(async () => {
    for (const installation of agent.installations) await install(installation)
  })
  beforeEach(async () => {
    server = await startModelServer(play([{ steps: [say('I see it.')] }]))
    home = await openAgentHome(agent, server)
    folder = await mkdtemp(join(tmpdir(), 'bosun-images-'))
  })
  afterEach(async () => {
    await server.close()
    await home.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  test('takes an image over ACP', async () => {
    const image = join(folder, 'point.png')
    await writeFile(image, Buffer.from(PNG, 'base64'))
    const { client, id, capabilities } = await openAcpSession(agent, home)
    try {
      const prompt = promptBlocks('What is in it?', [image])
      expect(prompt.map(({ type }) => type)).toEqual(['text', 'image'])
      const takes = capabilities['promptCapabilities'] as { readonly image?: boolean } | undefined
      const end = await client.request('session/prompt', { sessionId: id, prompt })
      const asked = JSON.stringify(server.requests.map(({ body }) => body))
      expect([takes?.image, end['stopReason']]).toEqual([true, 'end_turn'])
      if (SENDS.includes(agent.name)) expect(asked).toContain(PNG)
    } finally {
      await client.stop()
    }
  })
})
