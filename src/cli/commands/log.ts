import { usageRefusal } from '../../lib/refusal.ts'
import type { ActivityLine } from '../../protocol/answers.ts'
import { jsonLine, type Call, type CommandDefinition, type CommandResult } from '../command.ts'

export const logCommand: CommandDefinition = {
  name: 'log',
  summary: 'show the activity log',
  options: [
    { syntax: '--since <when>', help: 'newer than this: 30m, 2h, 1d, or a date like 2026-01-05T09:00' },
    { syntax: '--worker <id>', help: 'only lines about this worker' },
    { syntax: '--event <name>', help: 'only events with this name, such as gate_failed' },
    { syntax: '-f, --follow', help: 'keep printing new lines' },
  ],
  examples: [
    { line: 'bosun log --since 1h', what: 'the last hour' },
    { line: 'bosun log --event gate_failed --json', what: 'every failed gate, as JSON' },
    { line: 'bosun log --follow', what: 'keep printing until Ctrl-C' },
  ],
  detaches: true,
  lines: true,
  insideWorker: true,
  async run(call) {
    const { momentOf } = await import('../views/durations.ts')
    const given = call.option('since')
    const since = given === undefined ? undefined : momentOf(given, Date.now())
    if (since === null) {
      throw usageRefusal(
        `invalid --since "${given ?? ''}" (use 30m, 2h, 1d or 2026-01-05T09:00)`,
        'For example: bosun log --since 2h',
      )
    }
    return call.flag('follow') ? follow(call, since) : once(call, since)
  },
}

const filterOf = (call: Call): { worker: string | undefined; event: string | undefined } => ({
  worker: call.option('worker'),
  event: call.option('event'),
})

async function once(call: Call, since: number | undefined): Promise<CommandResult> {
  const [{ activityTexts }, { readAnswer }] = await Promise.all([
    import('../views/activity-view.ts'),
    import('../reading.ts'),
  ])
  const query = { ...filterOf(call), since }
  const { answer, document } = await readAnswer(call, '/api/activity', query)
  if (answer.unreadable > 0)
    call.terminal.printMessage(`skipped ${answer.unreadable} unreadable lines of the activity log\n`)
  if (answer.truncated)
    call.terminal.printMessage(
      `showing only the newest ${answer.activity.length} lines; narrow it with --since\n`,
    )
  if (answer.activity.length === 0 && !call.json) call.terminal.printMessage('no matching events\n')
  return {
    exit: 'ok',
    document,
    text: (style) => activityTexts(answer.activity, style),
  }
}

/** Prints the past, then new lines, without a gap. */
async function follow(call: Call, since: number | undefined): Promise<CommandResult> {
  const [{ activityText }, { followDaemons }, { openReading }] = await Promise.all([
    import('../views/activity-view.ts'),
    import('../follow-daemons.ts'),
    import('../reading.ts'),
  ])
  const interrupted = call.services.interruption()
  const { worker, event } = filterOf(call)
  const matches = (line: ActivityLine): boolean =>
    (worker === undefined || line.worker_id === worker) && (event === undefined || line.event === event)
  const print = (line: ActivityLine): Promise<'written' | 'unwanted'> =>
    call.terminal.print(call.json ? jsonLine('log', line) : activityText(line, call.terminal.style))
  const past = async () => {
    await using from = await openReading(call)
    // In this order, so that nothing is missed; duplicates are dropped below.
    const { seq } = await from.get('/api/status')
    return { seq, before: await from.get('/api/activity', { worker, event, since }) }
  }
  const { seq, before } = await past()
  const isBefore = (line: ActivityLine): boolean =>
    typeof line.data['seq'] !== 'number' || line.data['seq'] <= seq
  for (const line of before.activity.filter(isBefore)) if ((await print(line)) === 'unwanted') return ENDED
  for await (const { message } of followDaemons(call, { after: seq, interrupted })) {
    for (const line of message?.activity.filter(matches) ?? [])
      if ((await print(line)) === 'unwanted') return ENDED
  }
  return ENDED
}

const ENDED: CommandResult = {
  exit: 'interrupted',
  document: { ended: true },
  text: () => '',
}
