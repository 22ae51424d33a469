import type { CommandDefinition } from '../command.ts'

export const pauseCommand: CommandDefinition = {
  name: 'pause',
  summary: 'let workers finish and start no more; with --now stop them, work saved',
  arguments: [{ syntax: '[plan]', help: 'the plan; where none is named, what is open in this repository' }],
  options: [
    { syntax: '--now', help: 'stop the workers at once; their work is saved' },
    { syntax: '--reason <text>', help: 'shown wherever the pause is' },
  ],
  examples: [
    { line: 'bosun pause', what: 'the plans of this repository' },
    { line: 'bosun pause shop --now', what: 'one plan, and its workers too' },
  ],
  async run(call) {
    const { steer } = await import('../steer.ts')
    return steer(call, 'pause')
  },
}
