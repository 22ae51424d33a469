/** `bosun serve` and `bosun stop`: the daemon. */
import { usageRefusal } from '../../lib/refusal.ts'
import { jsonLine, resultOf, type Call, type CommandResult } from '../command.ts'

export async function runDaemon(call: Call): Promise<CommandResult> {
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
  return resultOf({ ended: true })
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

export async function stopDaemon(call: Call): Promise<CommandResult> {
  const how = await call.services.stopDaemon(call.flag('force') ? 'force' : 'asking')
  const stopped = how === 'stopped'
  return resultOf({ stopped }, stopped ? 'stopped the daemon\n' : 'no daemon is running\n')
}
