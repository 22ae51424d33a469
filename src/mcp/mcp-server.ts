/** An MCP server with these tools, for one HTTP request or one connection over stdio. */
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server'
import { Refusal } from '../lib/refusal.ts'
import type { Tool } from './tool.ts'

export interface Serving {
  readonly tools: readonly Tool[]
  readonly version: string
  readonly onError: (what: string, error: unknown) => void
}

/** More than any tool should answer: its reader pays for it. */
const MOST_TEXT = 60_000

export function mcpServer({ tools, version, onError }: Serving): McpServer {
  const server = new McpServer({ name: 'bosun', version }, { capabilities: { tools: {} } })
  for (const tool of tools) {
    const { name, description, input, isReadOnly } = tool
    const annotations = { readOnlyHint: isReadOnly, openWorldHint: false }
    server.registerTool(name, { description, inputSchema: input, annotations }, async (given: unknown) => {
      try {
        const { text, isError = false } = await tool.call(given)
        return answer(text, isError)
      } catch (error) {
        if (!(error instanceof Refusal)) onError(`the tool ${name}`, error)
        return answer(explain(error), true)
      }
    })
  }
  return server
}

const answer = (text: string, isError: boolean) => ({
  content: [{ type: 'text' as const, text: bounded(text) }],
  ...(isError ? { isError } : {}),
})

function bounded(text: string): string {
  if (text.length <= MOST_TEXT) return text
  return `${text.slice(0, MOST_TEXT).toWellFormed()}\n(${text.length - MOST_TEXT} more characters left out)`
}

function explain(error: unknown): string {
  if (!(error instanceof Refusal))
    return `Bosun failed: ${error instanceof Error ? error.message : String(error)}`
  const faults = error.faults.map((fault) => `${fault.message}\n`)
  return `${error.message}\n${faults.join('')}${error.remedy}`
}

/** The guard has checked who asks, and how much. */
export async function answerMcp(request: Request, serving: Serving): Promise<Response> {
  const handler = createMcpHandler(() => mcpServer(serving), {
    maxSubscriptions: 0,
  })
  return handler.fetch(request)
}
