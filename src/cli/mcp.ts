/** `bosun mcp`: MCP on stdin and stdout, with the tools of whoever asks. */
import type { Tool } from '../mcp/tool.ts'
import { resultOf, refuseInsideWorker, type Call, type CommandResult } from './command.ts'
import { serveMcpOnStdio } from '../mcp/serve-stdio.ts'

async function toolsFor(call: Call): Promise<readonly Tool[]> {
  const { env } = call.terminal
  if (call.flag('worker')) {
    const { workerStdioTools } = await import('../mcp/worker-stdio.ts')
    return workerStdioTools(env)
  }
  if (call.flag('architect')) {
    const { architectTools } = await import('../mcp/architect-tools.ts')
    return architectTools(env)
  }
  refuseInsideWorker({ name: 'mcp' }, [], env)
  const { assistantTools } = await import('./assistant-tools.ts')
  return assistantTools(call)
}

export async function runMcp(call: Call): Promise<CommandResult> {
  const tools = await toolsFor(call)
  const onError = (what: string, error: unknown): void =>
    call.terminal.printMessage(`${what}: ${String(error)}\n`)
  await serveMcpOnStdio({ tools, onError })
  return resultOf({})
}
