import { Refusal } from '../../lib/refusal.ts'
import type { WorkerAnswer, WorkerRow } from '../../protocol/answers.ts'
import type { Call, CommandDefinition, CommandResult } from '../command.ts'
import { idSegment } from '../id-segment.ts'

export const workerCommand: CommandDefinition = {
  name: 'worker',
  summary: 'list the workers, show one, tell one something, kill one, adopt a process',
  arguments: [
    { syntax: '<action>', help: 'list, show, instruct, kill or adopt' },
    { syntax: '[id]', help: 'the worker, for all but list and adopt' },
    { syntax: '[text]', help: 'what it is told, for instruct' },
  ],
  options: [
    { syntax: '--reason <text>', help: 'why it is killed' },
    {
      syntax: '--type <type>',
      help: 'of an instruction: continue, pause, revise, abort, expand_scope or reduce_scope',
    },
    { syntax: '--pid <number>', help: 'the process to adopt, one that Bosun did not start' },
    { syntax: '--name <id>', help: 'what it is called from then on; adopted-PID unless it is said' },
    {
      syntax: '--time-limit <duration>',
      help: 'like 90m, from now on; watch.time_limit unless it is said',
    },
  ],
  examples: [
    { line: 'bosun worker list', what: 'who is at work' },
    { line: 'bosun worker show w-shop-7-1', what: 'what it did, also after its end' },
    {
      line: 'bosun worker instruct w-shop-7-1 "use the second schema"',
      what: 'it hears it as soon as it can',
    },
    {
      line: 'bosun worker kill w-shop-7-1',
      what: 'its work is saved, then it is stopped; the rules decide how to go on',
    },
    {
      line: 'bosun worker adopt --pid 4711 --time-limit 2h',
      what: 'watch a process by its time alone: warned of, then ended a tenth over its limit',
    },
  ],
  insideWorker: ([action]) => action === 'list' || action === 'show',
  async run(call) {
    const [action = '', id, text = ''] = call.args
    if (action === 'list') return list(call)
    if (action === 'adopt') return adopt(call)
    if (action !== 'show' && action !== 'kill' && action !== 'instruct') {
      throw new Refusal({
        code: 'usage',
        message: `worker cannot ${action}`,
        remedy: 'Use one of: bosun worker list, show ID, instruct ID TEXT, kill ID, adopt --pid N',
      })
    }
    if (id === undefined) {
      throw new Refusal({
        code: 'usage',
        message: `worker ${action} needs the id of a worker`,
        remedy: 'See who is at work: bosun worker list',
      })
    }
    if (action === 'instruct') return instruct(call, id, text)
    return action === 'show' ? show(call, id) : kill(call, id)
  },
}

async function list(call: Call): Promise<CommandResult> {
  const [{ textTable }, { workerDocument }, { ago }, { offlineDocument, reading }] = await Promise.all([
    import('../views/text-table.ts'),
    import('../views/status-view.ts'),
    import('../views/durations.ts'),
    import('../reading.ts'),
  ])
  const [{ workers }, daemon] = await reading(call, async (from) => [
    await from.get<{ readonly workers: readonly WorkerRow[] }>('/api/workers'),
    offlineDocument(from),
  ])
  const rows = workers.map((row) => [
    row.id,
    row.role,
    row.health,
    ago(row.since, Date.now()),
    `${row.task === null ? '' : `task ${row.task}: `}${row.reason}`,
  ])
  return {
    exit: 'ok',
    document: { workers: workers.map((worker) => workerDocument(worker)), ...daemon },
    text: () =>
      rows.length === 0 ? 'Nobody is at work.\n' : `${textTable(rows, call.terminal.width).join('\n')}\n`,
  }
}

async function show(call: Call, id: string): Promise<CommandResult> {
  const [{ repoHere }, { offlineDocument, reading }] = await Promise.all([
    import('../caller.ts'),
    import('../reading.ts'),
  ])
  const repo = await repoHere(call)
  const [worker, daemon] = await reading(call, async (from) => [
    await from.get<WorkerAnswer>(`/api/workers/${idSegment(id)}`, { repo }),
    offlineDocument(from),
  ])
  const state = worker.now === null ? 'it has ended' : `${worker.now.health}: ${worker.now.reason}`
  const about = worker.task === null ? '' : `, task ${worker.task} of ${worker.plan ?? ''}`
  const history = worker.history.map(({ timestamp, text }) => `${timestamp}  ${text}\n`)
  return {
    exit: 'ok',
    document: { ...worker, ...daemon },
    text: () => `${worker.id}${about}: ${state}\n${placeLines(worker)}${history.join('')}`,
  }
}

/** Where its files are, and how to look at them. */
function placeLines({ workspace, salvage }: WorkerAnswer): string {
  const works = workspace === null ? '' : `workspace: ${workspace}\n`
  if (salvage === null) return works
  const where = salvage.repository === null ? '' : ` in ${salvage.repository}`
  const look =
    salvage.repository === null ? '' : `  git --git-dir=${salvage.repository} show ${salvage.ref}\n`
  return `${works}saved: ${salvage.ref}${where}\n${look}`
}

async function instruct(call: Call, id: string, text: string): Promise<CommandResult> {
  const { callerName, repoHere } = await import('../caller.ts')
  const daemon = await call.parts.daemon()
  const type = call.option('type')
  const body = {
    by: callerName(call),
    text,
    ...(type === undefined ? {} : { type }),
    repo: await repoHere(call),
  }
  const worker = await daemon.post<WorkerRow>(`/api/workers/${idSegment(id)}/instruct`, body)
  return {
    exit: 'ok',
    document: { id: worker.id, plan: worker.plan, task: worker.task },
    text: () => `${worker.id} is told as soon as it can hear\n`,
  }
}

async function kill(call: Call, id: string): Promise<CommandResult> {
  const { callerName, repoHere } = await import('../caller.ts')
  const daemon = await call.parts.daemon()
  const body = { by: callerName(call), reason: call.option('reason') ?? '', repo: await repoHere(call) }
  const worker = await daemon.post<WorkerRow>(`/api/workers/${idSegment(id)}/kill`, body)
  return {
    exit: 'ok',
    document: { id: worker.id, plan: worker.plan, task: worker.task },
    text: () =>
      worker.task === null
        ? `${worker.id} is asked to end, and killed if it does not\n`
        : `${worker.id} is being stopped; its work is saved first\n`,
  }
}

async function adopt(call: Call): Promise<CommandResult> {
  const [{ callerName }, { formatDuration, parseDuration }, { workerDocument }] = await Promise.all([
    import('../caller.ts'),
    import('../../lib/text/format-time.ts'),
    import('../views/status-view.ts'),
  ])
  const said = call.option('pid') ?? ''
  const pid = Number(said)
  if (!/^\d{1,10}$/.test(said) || pid < 1) {
    throw new Refusal({
      code: 'usage',
      message: said === '' ? 'worker adopt needs a process' : `--pid takes a number, not ${said}`,
      remedy: 'For example: bosun worker adopt --pid 4711',
    })
  }
  const limit = call.option('time-limit')
  const timeLimit = limit === undefined ? undefined : parseDuration(limit)
  if (timeLimit === null || timeLimit === 0) {
    throw new Refusal({
      code: 'usage',
      message: `--time-limit: invalid duration "${limit ?? ''}"`,
      remedy: 'Use a duration such as 90s, 15m or 2h.',
    })
  }
  const daemon = await call.parts.daemon()
  const body = {
    pid,
    name: call.option('name'),
    time_limit_ms: timeLimit,
    cwd: call.terminal.cwd,
    by: callerName(call),
    caller: process.pid,
  }
  const worker = await daemon.post<WorkerRow>('/api/workers', body)
  const limitMs = Date.parse(worker.time_limit_at ?? worker.since) - Date.parse(worker.since)
  return {
    exit: 'ok',
    document: workerDocument(worker),
    text: () =>
      `${worker.id} (process ${pid}) is watched from now on, by its time limit of ${formatDuration(limitMs)} alone\n`,
  }
}
