import type { CommandDefinition } from '../command.ts'

export const pauseCommand: CommandDefinition = {
  name: 'pause',
  summary: 'start no new workers; with --now also stop running ones, work saved',
  arguments: [{ syntax: '[plan]', help: 'the plan (default: the open plans of this repository)' }],
  options: [
    { syntax: '--now', help: 'stop the workers at once; their work is saved' },
    { syntax: '--reason <text>', help: 'shown with the pause' },
  ],
  examples: [
    { line: 'bosun pause', what: 'pause the plans of this repository' },
    { line: 'bosun pause shop --now', what: 'pause one plan and stop its workers' },
  ],
  async run(call) {
    const { steer } = await import('../steer.ts')
    return steer(call, 'pause')
  },
}
