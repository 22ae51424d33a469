import type { CommandDefinition } from '../command.ts'

export const resumeCommand: CommandDefinition = {
  name: 'resume',
  summary: 'resume paused plans',
  arguments: [{ syntax: '[plan]', help: 'the plan (default: the open plans of this repository)' }],
  examples: [
    { line: 'bosun resume', what: 'resume the plans of this repository; exits 0 if none was paused' },
  ],
  async run(call) {
    const { steer } = await import('../steer.ts')
    return steer(call, 'resume')
  },
}
