/** A daemon's door on a real socket with one scripted worker behind it, and MCP clients of it. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { workerToken } from '../../src/app/workers/live-workers.ts'
import type { HostedPlan } from '../../src/app/host/hosted-plan.ts'
import { webDoor, type Door } from '../../src/server/app.ts'
import { listen, type Respond } from '../../src/server/listen.ts'
import { low } from '../helpers/plan-builder.ts'
import { SECRET, TestHost } from '../helpers/test-host.ts'

export const WORKER = 'w-shop-a-1'

export interface McpDoor extends AsyncDisposable {
  readonly testing: TestHost
  readonly plan: HostedPlan
  readonly url: string
  /** Of the worker. */
  readonly token: string
  /** Reports that were handed in, the newest last. */
  readonly reports: readonly Readonly<Record<string, unknown>>[]
}

export async function openMcpDoor(): Promise<McpDoor> {
  const testing = await new TestHost({ worker: () => ({ workMs: null }) }).open()
  const { plan } = await testing.register([low('a')])
  await testing.until(plan, ({ state }) => state.tasks.get('a')?.step === 'working')
  const reports: Readonly<Record<string, unknown>>[] = []
  const handIn = (id: string, data: Readonly<Record<string, unknown>>): boolean => {
    if (plan.state.tasks.get('a')?.live?.worker !== id) return false
    reports.push(data)
    return true
  }
  Object.assign(plan.world, { handIn })
  let respond: Respond = () => undefined
  const ending = new AbortController()
  const listening = await listen({
    port: 0,
    respond: (...call) => respond(...call),
    isOwner: () => false,
  })
  const { port, url } = listening
  const door: Door = {
    host: testing.host,
    token: 'cd'.repeat(32),
    facts: { pid: 1, port, url, version: '1.2.3', build: 'b', started_at: new Date(0).toISOString() },
    stop: () => undefined,
    ending: ending.signal,
    onError: (what, error) => testing.troubles.push(`${what}: ${String(error)}`),
  }
  respond = webDoor(door)
  return {
    testing,
    plan,
    url,
    token: workerToken(SECRET, plan.home.stream, WORKER),
    reports,
    [Symbol.asyncDispose]: async () => {
      ending.abort()
      await listening.close()
      await testing.dispose()
    },
  }
}

/** `legacy` is the protocol of 2025, which most agents speak; `auto` finds the newest. */
export type Era = 'legacy' | 'auto'

export const newClient = (era: Era): Client =>
  new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: era } })

export async function clientOf(
  { url }: Pick<McpDoor, 'url'>,
  headers: Readonly<Record<string, string>>,
  era: Era,
): Promise<Client> {
  const client = newClient(era)
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
  return client
}

export interface Called {
  readonly isError: boolean
  readonly text: string
}

export async function callTool(client: Client, name: string, args: Record<string, unknown>): Promise<Called> {
  const { content, isError } = await client.callTool({ name, arguments: args })
  const texts = content.map((one) => (one.type === 'text' ? one.text : one.type))
  return { isError: isError === true, text: texts.join('\n') }
}
