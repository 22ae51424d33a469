import type { Daemon } from '../../client/daemon.ts'
import type { MetricsAnswer, StatusReading } from '../../protocol/answers.ts'
import type { Call, CommandDefinition } from '../command.ts'
import type { Offline } from '../services.ts'

export const watchCommand: CommandDefinition = {
  name: 'watch',
  summary: 'follow all events live',
  examples: [
    { line: 'bosun watch', what: 'live view until Ctrl-C; plain lines without a terminal' },
    { line: 'bosun watch --json', what: 'one JSON object per line' },
  ],
  detaches: true,
  lines: true,
  insideWorker: true,
  async run(call) {
    const [{ statusText }, { followerFor }, { followDaemons }] = await Promise.all([
      import('../views/status-view.ts'),
      import('../follow.ts'),
      import('../follow-daemons.ts'),
    ])
    const interrupted = call.services.interruption()
    let [status, metrics, offline] = await firstStatus(call)
    const { style, width } = call.terminal
    const text = (): string => statusText(status, { style, width, now: Date.now(), metrics, offline })
    const block = (): readonly string[] => ['', ...text().trimEnd().split('\n')]
    if (offline !== null && !call.json) call.terminal.printMessage(text())
    const follower = followerFor(call, { command: 'watch', block, isOnePlan: false })
    try {
      const from = { after: status.seq, interrupted, notices: follower.notices }
      for await (const { daemon, message } of followDaemons(call, from)) {
        if (message !== null && (await follower.show(message)) === 'unwanted') break
        if (call.terminal.output !== 'terminal') continue
        ;[status, metrics] = await statusFrom(daemon)
        offline = null
        await follower.refresh()
      }
    } finally {
      await follower.end()
    }
    return { exit: 'interrupted', document: { ended: true }, text: () => '' }
  },
}

const statusFrom = (from: Pick<Daemon, 'get'>): Promise<[StatusReading, MetricsAnswer]> =>
  Promise.all([from.get('/api/status'), from.get('/api/metrics')])

async function firstStatus(call: Call): Promise<[StatusReading, MetricsAnswer, Offline | null]> {
  await using from = await call.services.reading()
  return [...(await statusFrom(from)), from.offline]
}
