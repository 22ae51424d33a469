import type { CommandDefinition } from '../command.ts'

/** What a bare `bosun` does; it has no name on the command line. */
export const overviewCommand: CommandDefinition = {
  name: 'overview',
  summary: 'what is going on here, and what needs you',
  examples: [{ line: 'bosun', what: 'what is going on here, and what needs you' }],
  insideWorker: true,
  async run(call) {
    const { lookAtAll } = await import('../views/overview.ts')
    return lookAtAll(call)
  },
}
