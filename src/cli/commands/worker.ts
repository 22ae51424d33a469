import { Refusal } from '../../lib/refusal.ts'
import type { WorkerAnswer, WorkerRow } from '../../protocol/answers.ts'
import type { Call, CommandDefinition, CommandResult } from '../command.ts'

export const workerCommand: CommandDefinition = {
  name: 'worker',
  summary: 'list the workers, show one, tell one something, kill one',
  arguments: [
    { syntax: '<action>', help: 'list, show, instruct or kill' },
    { syntax: '[id]', help: 'the worker, for all but list' },
    { syntax: '[text]', help: 'what it is told, for instruct' },
  ],
  options: [
    { syntax: '--reason <text>', help: 'why it is killed' },
    {
      syntax: '--type <type>',
      help: 'of an instruction: continue, pause, revise, abort, expand_scope or reduce_scope',
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
  ],
  async run(call) {
    const [action = '', id, text = ''] = call.args
    if (action === 'list') return list(call)
    if (action !== 'show' && action !== 'kill' && action !== 'instruct') {
      throw new Refusal({
        code: 'usage',
        message: `worker cannot ${action}`,
        remedy:
          'Use one of: bosun worker list, bosun worker show ID, bosun worker instruct ID TEXT, bosun worker kill ID',
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
  const [{ textTable }, { workerDocument }, { ago }] = await Promise.all([
    import('../text-table.ts'),
    import('../status-view.ts'),
    import('../durations.ts'),
  ])
  const daemon = await call.parts.daemon()
  const { workers } = await daemon.get<{ readonly workers: readonly WorkerRow[] }>('/api/workers')
  const rows = workers.map((row) => [
    row.id,
    row.role,
    row.health,
    ago(row.since, Date.now()),
    `task ${row.task}: ${row.reason}`,
  ])
  return {
    exit: 'ok',
    document: { workers: workers.map(workerDocument) },
    text: () =>
      rows.length === 0 ? 'Nobody is at work.\n' : `${textTable(rows, call.terminal.width).join('\n')}\n`,
  }
}

async function show(call: Call, id: string): Promise<CommandResult> {
  const { repoHere } = await import('../here.ts')
  const daemon = await call.parts.daemon()
  const worker = await daemon.get<WorkerAnswer>(`/api/workers/${encodeURIComponent(id)}`, {
    repo: await repoHere(call),
  })
  const state = worker.now === null ? 'it has ended' : `${worker.now.health}: ${worker.now.reason}`
  const history = worker.history.map(({ timestamp, text }) => `${timestamp}  ${text}\n`)
  return {
    exit: 'ok',
    document: { ...worker },
    text: () =>
      `${worker.id}, task ${worker.task} of ${worker.plan}: ${state}\n${placeLines(worker)}${history.join('')}`,
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
  const { callerName, repoHere } = await import('../here.ts')
  const daemon = await call.parts.daemon()
  const type = call.option('type')
  const body = {
    by: callerName(call),
    text,
    ...(type === undefined ? {} : { type }),
    repo: await repoHere(call),
  }
  const worker = await daemon.post<WorkerRow>(`/api/workers/${encodeURIComponent(id)}/instruct`, body)
  return {
    exit: 'ok',
    document: { id: worker.id, plan: worker.plan, task: worker.task },
    text: () => `${worker.id} is told as soon as it can hear\n`,
  }
}

async function kill(call: Call, id: string): Promise<CommandResult> {
  const { callerName, repoHere } = await import('../here.ts')
  const daemon = await call.parts.daemon()
  const body = { by: callerName(call), reason: call.option('reason') ?? '', repo: await repoHere(call) }
  const worker = await daemon.post<WorkerRow>(`/api/workers/${encodeURIComponent(id)}/kill`, body)
  return {
    exit: 'ok',
    document: { id: worker.id, plan: worker.plan, task: worker.task },
    text: () => `${worker.id} is being stopped; its work is saved first\n`,
  }
}
