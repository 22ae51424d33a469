import { Refusal } from '../../lib/refusal.ts'
import { terminalJson } from '../../lib/text/terminal-text.ts'
import { schemaOf, type CommandDefinition } from '../command.ts'

export const serveCommand: CommandDefinition = {
  name: 'serve',
  summary: 'the daemon in the foreground; other commands start it when they need it',
  options: [
    {
      syntax: '--port <number>',
      help: 'the port on 127.0.0.1; where it is absent, the usual one or any that is free',
    },
    { syntax: '--host <address>', help: 'only 127.0.0.1: who is elsewhere comes through ssh' },
  ],
  examples: [
    { line: 'bosun serve', what: 'until Ctrl-C; workers go on without it' },
    { line: 'bosun serve --port 8080', what: 'on a port of your choice' },
  ],
  detaches: true,
  lines: true,
  async run(call) {
    const said = call.option('port')
    const port = said === undefined ? null : Number(said)
    if (port !== null && !(Number.isInteger(port) && port >= 1 && port <= 65_535)) {
      throw new Refusal({
        code: 'usage',
        message: `--port takes a number from 1 to 65535, not ${said ?? ''}`,
        remedy: 'For example: bosun serve --port 8080',
      })
    }
    const interrupted = call.parts.interruption()
    const serving = await call.parts.serve({ host: call.option('host'), port })
    if (call.json)
      await call.terminal.print(
        `${terminalJson({ schema: schemaOf('serve'), ...serving.facts }, 'one line')}\n`,
      )
    call.terminal.say(`bosun serves at ${serving.facts.url} (process ${serving.facts.pid})\n`)
    try {
      await Promise.race([serving.asked, aborted(interrupted)])
    } finally {
      await serving.close()
    }
    return { exit: 'ok', document: { ended: true }, text: () => '' }
  },
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
