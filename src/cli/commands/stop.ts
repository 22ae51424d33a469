import type { CommandDefinition } from '../command.ts'

export const stopCommand: CommandDefinition = {
  name: 'stop',
  summary: 'stop the daemon; workers keep running',
  options: [{ syntax: '--force', help: 'also stop an unresponsive daemon: asked first, then killed' }],
  examples: [
    { line: 'bosun stop', what: 'stop it; exits 0 also if none is running' },
    { line: 'bosun stop --force', what: 'stop a stuck daemon; nothing is lost' },
  ],
  async run(call) {
    const how = await call.services.stopDaemon(call.flag('force') ? 'force' : 'asking')
    return {
      exit: 'ok',
      document: { stopped: how === 'stopped' },
      text: () => (how === 'stopped' ? 'stopped the daemon\n' : 'no daemon is running\n'),
    }
  },
}
