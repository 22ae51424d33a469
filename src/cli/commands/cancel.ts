import type { CommandDefinition } from '../command.ts'

export const cancelCommand: CommandDefinition = {
  name: 'cancel',
  summary: 'cancel a plan permanently; its commits stay',
  arguments: [{ syntax: '[plan]', help: 'the plan (default: the open plans of this repository)' }],
  options: [
    { syntax: '--reason <text>', help: 'recorded in the log' },
    { syntax: '--damaged', help: 'cancel a plan whose events cannot be read' },
  ],
  examples: [
    { line: 'bosun cancel shop', what: 'save the work of its workers and stop them' },
    { line: 'bosun cancel --damaged shop', what: 'the same for a plan with unreadable events' },
  ],
  async run(call) {
    const { steer } = await import('../steer.ts')
    return steer(call, 'cancel')
  },
}
