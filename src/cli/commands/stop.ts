import type { CommandDefinition } from '../command.ts'

export const stopCommand: CommandDefinition = {
  name: 'stop',
  summary: 'end the daemon; workers go on',
  options: [{ syntax: '--force', help: 'also one that does not answer: asked first, then killed' }],
  examples: [
    { line: 'bosun stop', what: 'ends it, or says that there is none; 0 either way' },
    { line: 'bosun stop --force', what: 'ends it also where it is stuck; nothing is lost' },
  ],
  async run(call) {
    const how = await call.parts.stopDaemon(call.flag('force') ? 'force' : 'asking')
    return {
      exit: 'ok',
      document: { stopped: how === 'stopped' },
      text: () => (how === 'stopped' ? 'the daemon is ended\n' : 'no daemon is running\n'),
    }
  },
}
