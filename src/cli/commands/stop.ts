import type { CommandDefinition } from '../command.ts'

export const stopCommand: CommandDefinition = {
  name: 'stop',
  summary: 'end the daemon; workers go on',
  examples: [{ line: 'bosun stop', what: 'ends it, or says that there is none; 0 either way' }],
  async run(call) {
    const how = await call.parts.stopDaemon()
    return {
      exit: 'ok',
      document: { stopped: how === 'stopped' },
      text: () => (how === 'stopped' ? 'the daemon is ended\n' : 'no daemon is running\n'),
    }
  },
}
