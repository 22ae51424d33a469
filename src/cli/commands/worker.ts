import { usageRefusal } from '../../lib/refusal.ts'
import type { WorkerAnswer } from '../../protocol/answers.ts'
import type { Call, CommandDefinition, CommandResult } from '../command.ts'

export const workerCommand: CommandDefinition = {
  name: 'worker',
  summary:
    'list workers, show one or its transcript, take it over, nudge, instruct, extend or kill it, or adopt a process',
  arguments: [
    { syntax: '<action>', help: 'list, show, log, open, nudge, instruct, extend, kill or adopt' },
    { syntax: '[id]', help: 'the worker id (for all but list and adopt)' },
    { syntax: '[text]', help: 'the instruction (instruct)' },
  ],
  options: [
    { syntax: '-f, --follow', help: 'with log: keep printing until it ends' },
    { syntax: '--print', help: 'with open: print the command instead of running it' },
    { syntax: '--return', help: 'with open: hand the work back, to the gates' },
    { syntax: '--continue', help: 'with open: hand the work back, to the agent, which continues it' },
    { syntax: '--feedback <text>', help: 'with open --continue: for the agent' },
    { syntax: '--by <name>', help: 'with open: the name to record (default: your git user.name)' },
    { syntax: '--reason <text>', help: 'with kill: the reason' },
    { syntax: '--minutes <number>', help: 'with extend: how much more time it gets (1 to 1440)' },
    {
      syntax: '--type <type>',
      help: 'with instruct: continue, pause, revise, abort, expand_scope or reduce_scope',
    },
    {
      syntax: '--files <path>',
      help: 'with expand_scope or reduce_scope: a file that its contract gains or loses; repeatable',
      repeats: true,
    },
    {
      syntax: '--criteria <text>',
      help: 'the same for an acceptance criterion; to reduce, its number will do; repeatable',
      repeats: true,
    },
    { syntax: '--id <id>', help: 'with instruct: your own id for it; sent twice, it counts once' },
    { syntax: '--pid <number>', help: 'with adopt: a process that Bosun did not start' },
    { syntax: '--name <id>', help: 'with adopt: its worker id (default: adopted-PID)' },
    {
      syntax: '--time-limit <duration>',
      help: 'with adopt: such as 90m, from now (default: watch.time_limit)',
    },
  ],
  examples: [
    { line: 'bosun worker list', what: 'all running workers' },
    { line: 'bosun worker show w-shop-7-1', what: 'its history, also after it has ended' },
    { line: 'bosun worker log w-shop-7-1 -f', what: 'what it says and does, until it ends' },
    {
      line: 'bosun worker open w-shop-7-1',
      what: 'work in its place, in its own session; then hand it back',
    },
    {
      line: 'bosun worker instruct w-shop-7-1 "use the second schema"',
      what: 'a message; the answer says when it is delivered',
    },
    {
      line: 'bosun worker instruct w-shop-7-1 --type expand_scope --files README.md "name it there"',
      what: 'change its contract as well, which the gates go by',
    },
    { line: 'bosun worker extend w-shop-7-1 --minutes 30', what: 'give it more time' },
    {
      line: 'bosun worker kill w-shop-7-1',
      what: 'save its work and stop it; the rules decide what happens next',
    },
    {
      line: 'bosun worker adopt --pid 4711 --time-limit 2h',
      what: 'watch only its time limit: warn, then end it at 110 %',
    },
  ],
  detaches: ([action]) => action === 'log' || action === 'open',
  lines: ([action]) => action === 'log',
  insideWorker: ([action]) => action === 'list' || action === 'show',
  async run(call) {
    const [action = '', id, text = ''] = call.args
    if (action === 'list') return list(call)
    if (action === 'adopt') return adopt(call)
    if (!isAboutOne(action)) {
      throw usageRefusal(
        `unknown action "${action}"`,
        'Use one of: bosun worker list, show ID, log ID, open ID, nudge ID, instruct ID TEXT, extend ID --minutes N, kill ID, adopt --pid N',
      )
    }
    if (id === undefined) {
      throw usageRefusal(`worker ${action} needs a worker id`, 'List the workers: bosun worker list')
    }
    switch (action) {
      case 'show':
        return show(call, id)
      case 'log':
        return (await import('../worker/log.ts')).workerLog(call, id)
      case 'open':
        return (await import('../worker/open.ts')).openWorker(call, id)
      case 'instruct':
        return instruct(call, id, text)
      case 'nudge':
      case 'extend':
        return urgeWorker(call, id, action)
      case 'kill':
        return kill(call, id)
    }
  },
}

const ABOUT_ONE = ['show', 'log', 'open', 'nudge', 'instruct', 'extend', 'kill'] as const

const isAboutOne = (action: string): action is (typeof ABOUT_ONE)[number] =>
  ABOUT_ONE.some((one) => one === action)

async function list(call: Call): Promise<CommandResult> {
  const [{ textTable }, { workerDocument }, { ago }, { readAnswer }] = await Promise.all([
    import('../views/text-table.ts'),
    import('../views/status-view.ts'),
    import('../views/durations.ts'),
    import('../reading.ts'),
  ])
  const { answer, document } = await readAnswer(call, '/api/workers')
  const rows = answer.workers.map((row) => [
    row.id,
    row.role,
    row.health,
    ago(row.since, Date.now()),
    `${row.task === null ? '' : `task ${row.task}: `}${row.reason}`,
  ])
  return {
    exit: 'ok',
    document: { ...document, workers: answer.workers.map((worker) => workerDocument(worker)) },
    text: () =>
      rows.length === 0 ? 'No workers running.\n' : `${textTable(rows, call.terminal.width).join('\n')}\n`,
  }
}

async function show(call: Call, id: string): Promise<CommandResult> {
  const [{ repoHere }, { readAnswer }] = await Promise.all([import('../caller.ts'), import('../reading.ts')])
  const asked = { id, repo: await repoHere(call) }
  const { answer: worker, document } = await readAnswer(call, '/api/workers/{id}', asked)
  const over = worker.takeover === null ? endText(worker) : `taken over by ${worker.takeover.by}`
  const state = worker.now === null ? over : `${worker.now.health}: ${worker.now.reason}`
  const about = worker.task === null ? '' : `, task ${worker.task} of ${worker.plan ?? ''}`
  const history = worker.history.map(({ timestamp, text }) => `${timestamp}  ${text}\n`)
  return {
    exit: 'ok',
    document,
    text: () =>
      `${worker.id}${about}: ${state}\n${sessionLine(worker)}${placeLines(worker)}${messageLines(worker)}${history.join('')}`,
  }
}

function endText({ end }: WorkerAnswer): string {
  if (end === null) return 'ended'
  return `ended, ${end.title}${end.why === '' ? '' : `: ${end.why.split('\n', 1)[0] ?? ''}`}`
}

function sessionLine({ session }: WorkerAnswer): string {
  if (session === null) return ''
  const can = session.continues === null ? 'cannot be continued' : 'can be continued'
  return `session: ${session.id}${session.agent === null ? '' : ` of ${session.agent}`} (${can})\n`
}

/** The messages to it, and what became of each. */
function messageLines({ messages }: WorkerAnswer): string {
  const lines = messages.map(({ id, kind, type, text, by, delivered_at, via, read_at, why }) => {
    const what = `${id} ${kind}${type === null ? '' : ` (${type.replace('_', ' ')})`} by ${by}`
    const delivered = `delivered ${delivered_at ?? ''} (${via ?? ''})`
    const read = read_at === null ? ', not answered yet' : `, read ${read_at}`
    const standing = delivered_at === null ? `not delivered: ${why ?? ''}` : `${delivered}${read}`
    return `  ${what}: ${standing}: ${text}\n`
  })
  return lines.length === 0 ? '' : `messages:\n${lines.join('')}`
}

/** Where its files are and how to view them. */
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
  const [files, criteria] = [call.all('files'), call.all('criteria')]
  const body = {
    by: callerName(call),
    text,
    type: call.option('type'),
    id: call.option('id'),
    ...(files.length === 0 ? {} : { files }),
    ...(criteria.length === 0 ? {} : { criteria }),
    repo: await repoHere(call),
  }
  const daemon = await call.services.daemon()
  const worker = await daemon.post('/api/workers/{id}/instruct', body, { id })
  const note = worker.note === null ? '' : `; ${worker.note}`
  return { exit: 'ok', document: worker, text: () => `message queued for ${worker.id}${note}\n` }
}

async function kill(call: Call, id: string): Promise<CommandResult> {
  const { callerName, repoHere } = await import('../caller.ts')
  const body = { by: callerName(call), reason: call.option('reason') ?? '', repo: await repoHere(call) }
  const daemon = await call.services.daemon()
  const worker = await daemon.post('/api/workers/{id}/kill', body, { id })
  return {
    exit: 'ok',
    document: worker,
    text: () =>
      worker.task === null
        ? `stopping ${worker.id}; it is killed if it does not exit\n`
        : `stopping ${worker.id}; its work is saved first\n`,
  }
}

async function adopt(call: Call): Promise<CommandResult> {
  const [{ callerName }, { formatDuration, parseDuration }, { workerDocument }] = await Promise.all([
    import('../caller.ts'),
    import('../../lib/text/format-time.ts'),
    import('../views/status-view.ts'),
  ])
  const given = call.option('pid') ?? ''
  const pid = Number(given)
  if (!/^\d{1,10}$/.test(given) || pid < 1) {
    throw usageRefusal(
      given === '' ? 'worker adopt needs --pid' : `invalid --pid "${given}"`,
      'For example: bosun worker adopt --pid 4711',
    )
  }
  const limit = call.option('time-limit')
  const timeLimit = limit === undefined ? undefined : parseDuration(limit)
  if (timeLimit === null || timeLimit === 0) {
    throw usageRefusal(
      `invalid duration "${limit ?? ''}" (use 90s, 15m or 2h)`,
      'For example: bosun worker adopt --pid 4711 --time-limit 2h',
    )
  }
  const daemon = await call.services.daemon()
  const body = {
    pid,
    name: call.option('name'),
    time_limit_ms: timeLimit,
    cwd: call.terminal.cwd,
    by: callerName(call),
    caller: process.pid,
  }
  const worker = await daemon.post('/api/workers', body)
  const limitMs = Date.parse(worker.time_limit_at ?? worker.since) - Date.parse(worker.since)
  return {
    exit: 'ok',
    document: workerDocument(worker),
    text: () => `watching ${worker.id} (pid ${pid}) with a time limit of ${formatDuration(limitMs)}\n`,
  }
}

export async function urgeWorker(call: Call, id: string, action: 'nudge' | 'extend'): Promise<CommandResult> {
  const more = action === 'extend' ? { minutes: minutesOf(call) } : {}
  const { callerName, repoHere } = await import('../caller.ts')
  const daemon = await call.services.daemon()
  const body = { by: callerName(call), repo: await repoHere(call), ...more }
  const done = await daemon.post(`/api/workers/{id}/${action}`, body, { id })
  return { exit: 'ok', document: done, text: () => `${done.text}\n` }
}

function minutesOf(call: Call): number {
  const given = call.option('minutes') ?? ''
  const minutes = Number(given)
  if (/^\d{1,4}$/.test(given) && minutes >= 1 && minutes <= 24 * 60) return minutes
  throw usageRefusal(
    given === '' ? 'worker extend needs --minutes' : `invalid --minutes "${given}" (use 1 to 1440)`,
    'For example: bosun worker extend w-shop-7-1 --minutes 30',
  )
}
