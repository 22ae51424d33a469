/** The channel of a worker in another process than the daemon. What reaches no daemon waits for one as a file. */
import type { ChannelAnswer, WorkerChannel } from '../app/checkins/worker-channel.ts'
import { fetchInstructions, leaveFile, sendToDaemon, type WorkerHere } from '../client/worker-call.ts'
import { atomicWriteSync } from '../lib/files/atomic-write.ts'
import { Refusal } from '../lib/refusal.ts'

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
      const answer = await fetchInstructions<Pick<ChannelAnswer, 'instructions'>>(worker)
      if (answer === null) throw noDaemon()
      return answer
    },
  }
}

const noDaemon = (): Refusal =>
  new Refusal({
    code: 'no_daemon',
    message: 'no daemon is responding',
    remedy: 'Go on with your work and try again later.',
  })
