import type { CommandDefinition } from '../command.ts'
import { refuseInsideWorker } from '../inside-worker.ts'

export const mcpCommand: CommandDefinition = {
  name: 'mcp',
  summary: 'serve MCP on stdin and stdout, for your assistant',
  options: [{ syntax: '--worker', help: "serve a worker's own tools instead, inside a worker" }],
  examples: [
    { line: 'claude mcp add bosun -- bosun mcp', what: 'let Claude Code see and steer your plans' },
    { line: 'bosun mcp --worker', what: "for a worker's agent that takes no MCP server over HTTP" },
  ],
  // Its tools are the user's unless it is asked for those of the worker.
  insideWorker: true,
  async run(call) {
    const isWorker = call.flag('worker')
    if (!isWorker) refuseInsideWorker({ name: 'mcp' }, [], call.terminal.env)
    const [{ serveMcpOnStdio }, tools] = await Promise.all([
      import('../../mcp/serve-stdio.ts'),
      isWorker
        ? import('../../mcp/worker-stdio-tools.ts').then(({ workerStdioTools }) =>
            workerStdioTools(call.terminal.env),
          )
        : import('../assistant-tools.ts').then(({ assistantTools }) => assistantTools(call)),
    ])
    const onError = (what: string, error: unknown): void =>
      call.terminal.printMessage(`${what}: ${String(error)}\n`)
    await serveMcpOnStdio({ tools, onError })
    return { exit: 'ok', document: {}, text: () => '' }
  },
}
