/** MCP over HTTP: every request stands alone, without a session and without a stream that stays open. */
import { createMcpHandler } from '@modelcontextprotocol/server'
import { mcpServer, type Serving } from './mcp-server.ts'

/** The guard has checked who asks, and how much. */
export async function answerMcp(request: Request, serving: Serving): Promise<Response> {
  const handler = createMcpHandler(() => mcpServer(serving), {
    maxSubscriptions: 0,
  })
  return handler.fetch(request)
}
