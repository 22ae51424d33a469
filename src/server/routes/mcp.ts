/** MCP for workers. The protocol is loaded with the first call, so that a daemon without such workers never does. */
import { workerChannel } from '../../app/checkins/worker-channel.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Door, Routes } from '../app.ts'
import { MCP_ROUTE, tokenIn } from '../guard.ts'

export function mcpRoutes(routes: Routes, { host, facts, onError }: Door): void {
  routes.on(['GET', 'POST'], MCP_ROUTE, async (c) => {
    const worker = host.workers.ofToken(tokenIn(c.req.header('authorization')))
    // The guard let it pass; its attempt may have ended since.
    if (worker === null)
      throw new Refusal({ code: 'conflict', message: 'this attempt has ended', remedy: 'Exit now.' })
    const [{ answerMcp }, { workerTools }] = await Promise.all([
      import('../../mcp/answer-mcp.ts'),
      import('../../mcp/worker-tools.ts'),
    ])
    const tools = workerTools(workerChannel(host, worker))
    return answerMcp(c.req.raw, { tools, version: facts.version, onError })
  })
}
