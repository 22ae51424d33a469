import { usageRefusal } from '../../lib/refusal.ts'
import { jsonLine, type CommandDefinition } from '../command.ts'

export const serveCommand: CommandDefinition = {
  name: 'serve',
  summary: 'run the daemon in the foreground (other commands start it as needed)',
  options: [
    {
      syntax: '--port <number>',
      help: 'the port on 127.0.0.1 (default: the usual one, or any free port)',
    },
    { syntax: '--host <address>', help: 'only 127.0.0.1; use ssh from other machines' },
  ],
  examples: [
    { line: 'bosun serve', what: 'until Ctrl-C; workers keep running without it' },
    { line: 'bosun serve --port 8080', what: 'on a given port' },
  ],
  detaches: true,
  lines: true,
  async run(call) {
    const given = call.option('port')
    const port = given === undefined ? null : Number(given)
    if (port !== null && !(Number.isInteger(port) && port >= 1 && port <= 65_535)) {
      throw usageRefusal(
        `invalid --port "${given ?? ''}" (use 1 to 65535)`,
        'For example: bosun serve --port 8080',
      )
    }
    const interrupted = call.services.interruption()
    const serving = await call.services.serve({ host: call.option('host'), port })
    if (call.json) await call.terminal.print(jsonLine('serve', serving.facts))
    call.terminal.printMessage(`bosun is listening on ${serving.facts.url} (pid ${serving.facts.pid})\n`)
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
