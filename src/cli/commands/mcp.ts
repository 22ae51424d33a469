import type { Tool } from '../../mcp/tool.ts'
import type { Call, CommandDefinition } from '../command.ts'
import { refuseInsideWorker } from '../inside-worker.ts'

async function toolsFor(call: Call): Promise<readonly Tool[]> {
  const { env } = call.terminal
  if (call.flag('worker')) {
    const { workerStdioTools } = await import('../../mcp/worker-stdio-tools.ts')
    return workerStdioTools(env)
  }
  if (call.flag('architect')) {
    const { architectTools } = await import('../../mcp/architect-tools.ts')
    return architectTools(env)
  }
  refuseInsideWorker({ name: 'mcp' }, [], env)
  const { assistantTools } = await import('../assistant-tools.ts')
  return assistantTools(call)
}

export const mcpCommand: CommandDefinition = {
  name: 'mcp',
  summary: 'serve MCP on stdin and stdout, for your assistant',
  options: [
    { syntax: '--worker', help: "serve a worker's own tools instead, inside a worker" },
    {
      syntax: '--architect',
      help: "serve the architect's tools instead, inside the session that reviews a spec",
    },
  ],
  examples: [
    { line: 'claude mcp add bosun -- bosun mcp', what: 'let Claude Code see and steer your plans' },
    { line: 'bosun mcp --worker', what: "for a worker's agent that takes no MCP server over HTTP" },
  ],
  // Its tools are the user's unless it is asked for those of the worker.
  insideWorker: true,
  async run(call) {
    const [{ serveMcpOnStdio }, tools] = await Promise.all([
      import('../../mcp/serve-stdio.ts'),
      toolsFor(call),
    ])
    const onError = (what: string, error: unknown): void =>
      call.terminal.printMessage(`${what}: ${String(error)}\n`)
    await serveMcpOnStdio({ tools, onError })
    return { exit: 'ok', document: {}, text: () => '' }
  },
}
