import { Refusal } from '../../lib/refusal.ts'
import { terminalJson } from '../../lib/text/terminal-text.ts'
import type { ActivityAnswer, ActivityLine } from '../../protocol/answers.ts'
import { schemaOf, type Call, type CommandDefinition, type CommandResult } from '../command.ts'

export const logCommand: CommandDefinition = {
  name: 'log',
  summary: 'the activity log',
  options: [
    { syntax: '--since <when>', help: 'not older than this: 30m, 2h, 1d, or a date like 2026-01-05T09:00' },
    { syntax: '--worker <id>', help: 'only what concerns this worker' },
    { syntax: '--event <name>', help: 'only events of this name, like gate_failed' },
    { syntax: '--follow', help: 'stay, and print what happens' },
  ],
  examples: [
    { line: 'bosun log --since 1h', what: 'what happened within the last hour' },
    { line: 'bosun log --event gate_failed --json', what: 'every gate that failed, as JSON' },
    { line: 'bosun log --follow', what: 'go on with what happens, until Ctrl-C' },
  ],
  detaches: true,
  lines: true,
  insideWorker: true,
  async run(call) {
    const { momentOf } = await import('../views/durations.ts')
    const said = call.option('since')
    const since = said === undefined ? undefined : momentOf(said, Date.now())
    if (since === null) {
      throw new Refusal({
        code: 'usage',
        message: `--since takes a time like 30m, 2h, 1d or 2026-01-05T09:00, not ${said ?? ''}`,
        remedy: 'For example: bosun log --since 2h',
      })
    }
    return call.flag('follow') ? follow(call, since) : once(call, since)
  },
}

const filterOf = (call: Call): { worker: string | undefined; event: string | undefined } => ({
  worker: call.option('worker'),
  event: call.option('event'),
})

async function once(call: Call, since: number | undefined): Promise<CommandResult> {
  const [{ activityText }, { offlineDocument, reading }] = await Promise.all([
    import('../views/activity-view.ts'),
    import('../reading.ts'),
  ])
  const [answer, daemon] = await reading(call, async (from) => [
    await from.get<ActivityAnswer>('/api/activity', { ...filterOf(call), since }),
    offlineDocument(from),
  ])
  if (answer.unreadable > 0)
    call.terminal.say(`${answer.unreadable} lines of the activity log cannot be read\n`)
  if (answer.truncated)
    call.terminal.say(`only the newest ${answer.activity.length} lines; narrow it with --since\n`)
  if (answer.activity.length === 0 && !call.json) call.terminal.say('nothing of this kind has happened\n')
  return {
    exit: 'ok',
    document: { ...answer, ...daemon },
    text: (style) => answer.activity.map((line) => activityText(line, style)).join(''),
  }
}

/** What was, then what comes: nothing in between is missed. */
async function follow(call: Call, since: number | undefined): Promise<CommandResult> {
  const [{ activityText }, { followDaemons }, { reading }] = await Promise.all([
    import('../views/activity-view.ts'),
    import('../follow-daemons.ts'),
    import('../reading.ts'),
  ])
  const interrupted = call.parts.interruption()
  const { worker, event } = filterOf(call)
  const isAsked = (line: ActivityLine): boolean =>
    (worker === undefined || line.worker_id === worker) && (event === undefined || line.event === event)
  const print = (line: ActivityLine): Promise<'written' | 'unwanted'> =>
    call.terminal.print(
      call.json
        ? `${terminalJson({ schema: schemaOf('log'), ...line }, 'one line')}\n`
        : activityText(line, call.terminal.style),
    )
  const [{ seq }, before] = await reading(call, async (from) => {
    // In this order: what happens in between is told twice rather than never, and left out below.
    const status = await from.get<{ readonly seq: number }>('/api/status')
    return [status, await from.get<ActivityAnswer>('/api/activity', { worker, event, since })]
  })
  const isBefore = (line: ActivityLine): boolean =>
    typeof line.data['seq'] !== 'number' || line.data['seq'] <= seq
  const unread = new AbortController()
  const stopLooking = call.terminal.onUnread(() => unread.abort())
  try {
    for (const line of before.activity.filter(isBefore)) if ((await print(line)) === 'unwanted') return ENDED
    const until = AbortSignal.any([interrupted, unread.signal])
    for await (const { message } of followDaemons(call, { after: seq, until })) {
      for (const line of message?.activity.filter(isAsked) ?? [])
        if ((await print(line)) === 'unwanted') return ENDED
    }
    return ENDED
  } finally {
    stopLooking()
  }
}

const ENDED: CommandResult = { exit: 'interrupted', document: { ended: true }, text: () => '' }
