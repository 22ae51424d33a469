import type { CommandDefinition } from '../command.ts'

/** `bosun` without a command. */
export const overviewCommand: CommandDefinition = {
  name: 'overview',
  summary: 'what is running here and what needs you',
  examples: [{ line: 'bosun', what: 'what is running here and what needs you' }],
  insideWorker: true,
  async run(call) {
    const { showOverview } = await import('../views/overview.ts')
    return showOverview(call)
  },
}
