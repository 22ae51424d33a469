/** MCP for workers. The protocol is loaded with the first call, so that a daemon without such workers never does. */
import { workerChannel } from '../../app/checkins/worker-channel.ts'
import type { KnownWorker } from '../../app/workers/live-workers.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Door } from '../app.ts'
import { MCP_ROUTE, tokenIn } from '../guard.ts'
import type { Answer, Call, Routes } from '../routing.ts'

export function mcpRoutes(routes: Routes, { host, facts, onError }: Door): void {
  const answer = async (c: Call): Promise<Answer> => {
    const worker = host.workers.ofToken(tokenIn(c.header('authorization')))
    // The guard let it pass; its attempt may have ended since.
    if (worker === null)
      throw new Refusal({ code: 'conflict', message: 'this attempt has ended', remedy: 'Exit now.' })
    const [{ answerMcp }, { workerTools }] = await Promise.all([
      import('../../mcp/answer-mcp.ts'),
      import('../../mcp/worker-tools.ts'),
    ])
    const tools = workerTools(workerChannel(host, worker), roleOf(worker))
    const asked = await webRequest(c, facts.url)
    const answered = await answerMcp(asked, { tools, version: facts.version, onError })
    return {
      status: answered.status,
      headers: Object.fromEntries(answered.headers),
      body: await answered.text(),
    }
  }
  routes.get(MCP_ROUTE, answer)
  routes.post(MCP_ROUTE, answer)
}

const roleOf = ({ plan, task }: KnownWorker) => plan.state.tasks.get(task)?.live?.role ?? null

/** As the library takes it. */
async function webRequest(c: Call, url: string): Promise<Request> {
  const { method, target, headers } = c.request
  const body = method === 'POST' ? { body: await c.text() } : {}
  return new Request(`${url}${target}`, { method, headers: [...headers], ...body })
}
