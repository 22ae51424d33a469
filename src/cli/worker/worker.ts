/** `bosun worker`: shows workers, and what a person does about one. */
import { usageRefusal } from '../../lib/refusal.ts'
import type { WorkerAnswer } from '../../protocol/answers.ts'
import { actionOf, resultOf, type Call, type CommandResult } from '../command.ts'
import { decider, deciderName, repoHere } from '../caller.ts'
import { readAnswer } from '../reading.ts'
import { ago, textTable } from '../text.ts'
import { workerDocument } from '../status/status-view.ts'
import { formatDuration, parseDuration } from '../../lib/text/format-time.ts'

type Act = (call: Call, id: string) => Promise<CommandResult>

const ABOUT_ONE: Readonly<Record<string, Act>> = {
  show,
  log: async (call, id) => (await import('./log.ts')).workerLog(call, id),
  open: async (call, id) => (await import('./open.ts')).openWorker(call, id),
  instruct,
  nudge: (call, id) => urge(call, id, 'nudge'),
  extend: (call, id) => urge(call, id, 'extend', minutesOf(call)),
  kill,
}

const USAGE =
  'Use one of: bosun worker list, show ID, log ID, open ID, nudge ID, instruct ID TEXT, extend ID --minutes N, kill ID, adopt --pid N'

export async function runWorker(call: Call): Promise<CommandResult> {
  const [action = '', id] = call.args
  const act = actionOf<Act>(call, { list, adopt, ...ABOUT_ONE }, USAGE)
  if (id === undefined && Object.hasOwn(ABOUT_ONE, action))
    throw usageRefusal(`worker ${action} needs a worker id`, 'List the workers: bosun worker list')
  return act(call, id ?? '')
}

async function list(call: Call): Promise<CommandResult> {
  const { answer, document } = await readAnswer(call, '/api/workers')
  const rows = answer.workers.map((row) => [
    row.id,
    row.role,
    row.health,
    ago(row.since, Date.now()),
    `${row.task === null ? '' : `task ${row.task}: `}${row.reason}`,
  ])
  return resultOf(
    { ...document, workers: answer.workers.map((worker) => workerDocument(worker)) },
    rows.length === 0 ? 'No workers running.\n' : `${textTable(rows, call.terminal.width).join('\n')}\n`,
  )
}

async function show(call: Call, id: string): Promise<CommandResult> {
  const asked = { id, repo: await repoHere(call) }
  const { answer: worker, document } = await readAnswer(call, '/api/workers/{id}', asked)
  const over = worker.takeover === null ? endText(worker) : `taken over by ${worker.takeover.by}`
  const state = worker.now === null ? over : `${worker.now.health}: ${worker.now.reason}`
  const about = worker.task === null ? '' : `, task ${worker.task} of ${worker.plan ?? ''}`
  const history = worker.history.map(({ timestamp, text }) => `${timestamp}  ${text}\n`)
  return resultOf(
    document,
    `${worker.id}${about}: ${state}\n${sessionLine(worker)}${placeLines(worker)}${messageLines(worker)}${history.join('')}`,
  )
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

async function instruct(call: Call, id: string): Promise<CommandResult> {
  const [files, criteria] = [call.all('files'), call.all('criteria')]
  const body = {
    ...(await decider(call)),
    text: call.args[2] ?? '',
    type: call.option('type'),
    id: call.option('id'),
    ...(files.length === 0 ? {} : { files }),
    ...(criteria.length === 0 ? {} : { criteria }),
  }
  const daemon = await call.services.daemon()
  const worker = await daemon.post('/api/workers/{id}/instruct', body, { id })
  const note = worker.note === null ? '' : `; ${worker.note}`
  return resultOf(worker, `message queued for ${worker.id}${note}\n`)
}

async function kill(call: Call, id: string): Promise<CommandResult> {
  const body = { ...(await decider(call)), reason: call.option('reason') ?? '' }
  const daemon = await call.services.daemon()
  const worker = await daemon.post('/api/workers/{id}/kill', body, { id })
  const next = worker.task === null ? 'it is killed if it does not exit' : 'its work is saved first'
  return resultOf(worker, `stopping ${worker.id}; ${next}\n`)
}

async function adopt(call: Call): Promise<CommandResult> {
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
    by: await deciderName(call),
    caller: process.pid,
  }
  const worker = await daemon.post('/api/workers', body)
  const limitMs = Date.parse(worker.time_limit_at ?? worker.since) - Date.parse(worker.since)
  return resultOf(
    workerDocument(worker),
    `watching ${worker.id} (pid ${pid}) with a time limit of ${formatDuration(limitMs)}\n`,
  )
}

async function urge(
  call: Call,
  id: string,
  action: 'nudge' | 'extend',
  minutes?: number,
): Promise<CommandResult> {
  const daemon = await call.services.daemon()
  const body = { ...(await decider(call)), minutes }
  const done = await daemon.post(`/api/workers/{id}/${action}`, body, { id })
  return resultOf(done, `${done.text}\n`)
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
