import type { CommandDefinition } from '../command.ts'

export const cancelCommand: CommandDefinition = {
  name: 'cancel',
  summary: 'end a plan for good; what is committed stays',
  arguments: [{ syntax: '[plan]', help: 'the plan; where none is named, what is open in this repository' }],
  options: [
    { syntax: '--reason <text>', help: 'kept in the log' },
    { syntax: '--damaged', help: 'end a plan whose events cannot be read' },
  ],
  examples: [
    { line: 'bosun cancel shop', what: 'its workers are stopped, their work is saved' },
    { line: 'bosun cancel --damaged shop', what: 'the same without a look at events that cannot be read' },
  ],
  async run(call) {
    const { steer } = await import('../steer.ts')
    return steer(call, 'cancel')
  },
}
