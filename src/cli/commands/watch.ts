import type { MetricsAnswer, StatusAnswer } from '../../protocol/answers.ts'
import type { CommandDefinition } from '../command.ts'

export const watchCommand: CommandDefinition = {
  name: 'watch',
  summary: 'everything that happens, as it happens',
  examples: [
    { line: 'bosun watch', what: 'live, until Ctrl-C; a line for everything where there is no terminal' },
    { line: 'bosun watch --json', what: 'one JSON object a line' },
  ],
  detaches: true,
  lines: true,
  insideWorker: true,
  async run(call) {
    const [{ statusText }, { followerFor }] = await Promise.all([
      import('../status-view.ts'),
      import('../follow.ts'),
    ])
    const interrupted = call.parts.interruption()
    const daemon = await call.parts.daemon()
    const ask = (): Promise<[StatusAnswer, MetricsAnswer]> =>
      Promise.all([daemon.get<StatusAnswer>('/api/status'), daemon.get<MetricsAnswer>('/api/metrics')])
    let [status, metrics] = await ask()
    const { style, width } = call.terminal
    const block = (): readonly string[] => [
      '',
      ...statusText(status, { style, width, now: Date.now(), metrics }).trimEnd().split('\n'),
    ]
    const unread = new AbortController()
    const stopLooking = call.terminal.onUnread(() => unread.abort())
    const until = AbortSignal.any([interrupted, unread.signal])
    const follower = followerFor(call, 'watch', block)
    try {
      await follower.refresh()
      for await (const message of daemon.events({ after: status.seq }, until)) {
        if ((await follower.tell(message)) === 'unwanted') break
        if (call.terminal.output !== 'terminal') continue
        ;[status, metrics] = await ask()
        await follower.refresh()
      }
    } finally {
      stopLooking()
      await follower.end()
    }
    return { exit: 'interrupted', document: { ended: true }, text: () => '' }
  },
}
