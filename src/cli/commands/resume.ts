import type { CommandDefinition } from '../command.ts'

export const resumeCommand: CommandDefinition = {
  name: 'resume',
  summary: 'go on after a pause',
  arguments: [{ syntax: '[plan]', help: 'the plan; where none is named, what is open in this repository' }],
  options: [],
  examples: [{ line: 'bosun resume', what: 'the plans of this repository; 0 also where nothing was paused' }],
  async run(call) {
    const { steer } = await import('../steer.ts')
    return steer(call, 'resume')
  },
}
