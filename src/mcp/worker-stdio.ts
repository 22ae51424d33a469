/** The worker's own tools, for an agent that only takes MCP servers over stdio. */
import { roleNamed } from '../app/checkins/pm-message.ts'
import { Refusal, refusal, usageRefusal } from '../lib/refusal.ts'
import type { Tool } from './tool.ts'
import { workerTools } from './worker-tools.ts'
import type { ChannelAnswer, WorkerChannel } from '../app/checkins/worker-channel.ts'
import { leaveFile, sendToDaemon, type WorkerHere } from '../client/worker-call.ts'
import { atomicWriteSync } from '../lib/files/atomic-write.ts'

export function workerStdioTools(env: Readonly<Record<string, string | undefined>>): readonly Tool[] {
  const { BOSUN_URL: url = '', BOSUN_TOKEN: token = '', BOSUN_WORKER_ID: id = '' } = env
  const port = /^http:\/\/127\.0\.0\.1:(\d{1,5})$/.exec(url)?.[1]
  if (port === undefined || token === '' || !/^[a-z0-9-]{1,200}$/.test(id)) {
    throw usageRefusal(
      'BOSUN_URL, BOSUN_TOKEN and BOSUN_WORKER_ID are not set; bosun mcp --worker is for workers',
      'Run it from inside a worker, with these three variables. For your own assistant: bosun mcp',
    )
  }
  const { BOSUN_COORDINATION: coordination = '', BOSUN_REPORT: reportPath = null, BOSUN_OUTBOX: outbox } = env
  const channel = remoteChannel({ id, port: Number(port), token, coordination, outbox, reportPath })
  return workerTools(channel, roleNamed(env['BOSUN_ROLE']))
}

/** The channel of a worker in another process than the daemon. What reaches no daemon waits for one as a file. */
type Body = Readonly<Record<string, unknown>>

const LATER: ChannelAnswer = {
  accepted: true,
  notes: ['no daemon is responding; saved for later delivery'],
  instructions: [],
}

export function remoteChannel(worker: WorkerHere): WorkerChannel {
  const keep = (folder: string, prefix: string, body: Body): ChannelAnswer => {
    if (worker.coordination === '') throw noDaemon()
    leaveFile(worker, { folder, prefix }, body)
    return LATER
  }
  return {
    checkin: async (body) =>
      (await sendToDaemon<ChannelAnswer>(worker, 'checkins', body as Body)) ??
      keep('worker-checkins', '', body as Body),
    report: async (data) => {
      const answer = await sendToDaemon<ChannelAnswer>(worker, 'reports', data)
      if (answer === null && worker.reportPath === null) throw noDaemon()
      // As a command does: whichever of the two is read, it is the same report.
      if (worker.reportPath !== null) atomicWriteSync(worker.reportPath, `${JSON.stringify(data)}\n`)
      return answer ?? LATER
    },
    request: async ({ type, text, data }) => {
      const body = { ...data, type, text }
      return (
        (await sendToDaemon<ChannelAnswer>(worker, 'requests', body)) ??
        keep('pm-requests/pending', 'req-', body)
      )
    },
    instructions: async () => {
      const answer = await sendToDaemon<Pick<ChannelAnswer, 'instructions'>>(worker, 'instructions')
      if (answer === null) throw noDaemon()
      return answer
    },
  }
}

const noDaemon = (): Refusal =>
  refusal('no_daemon', 'no daemon is responding', 'Go on with your work and try again later.')
