/** What a running worker may send to Bosun, and the answers it gets: the same by HTTP and by MCP. */
import { Refusal } from '../../lib/refusal.ts'
import type { Host } from '../host/host.ts'
import type { CheckinAnswer } from '../../protocol/answers.ts'
import type { KnownWorker } from '../workers/live-workers.ts'
import { receiveRequest, type RequestInput } from './receive-request.ts'
import { takeMessages, waitingFor } from './worker-messages.ts'
import { readCheckin } from './read-checkin.ts'

/** Each call is durable when it resolves, and throws a refusal for what is invalid. */
export interface WorkerChannel {
  checkin(body: unknown): Promise<ChannelAnswer>
  report(data: Readonly<Record<string, unknown>>): Promise<ChannelAnswer>
  request(input: RequestInput): Promise<ChannelAnswer>
  instructions(): Promise<Pick<ChannelAnswer, 'instructions'>>
}

export interface ChannelAnswer {
  /** Whether it counts. */
  readonly accepted: boolean
  /** Of an accepted request. */
  readonly id?: string
  /** Why it does not count. */
  readonly why?: string
  readonly notes?: readonly string[]
  /** The messages that waited for the worker. */
  readonly instructions: CheckinAnswer['instructions']
}

/** The caller has authenticated the worker. */
export function workerChannel(host: Host, worker: KnownWorker): WorkerChannel {
  const waiting = () => takeMessages(worker, 'checkin')
  return {
    checkin: (body) => receiveCheckin(host, worker, body),
    report: async (data) => {
      await receiveReport(host, worker, data)
      return { accepted: true, instructions: await waiting() }
    },
    request: async (input) => {
      const result = await receiveRequest(worker, input)
      switch (result.outcome) {
        case 'accepted':
          return { accepted: true, id: result.id, instructions: await waiting() }
        case 'ignored':
          return { accepted: false, why: result.why, instructions: await waiting() }
        case 'refused':
          throw new Refusal({
            code: 'usage',
            message: `invalid request: ${result.why}`,
            remedy: 'Send {"type": "need_help", "text": "…"}; docs/watch.md lists all keys.',
          })
      }
    },
    instructions: async () => ({ instructions: await takeMessages(worker, 'instructions') }),
  }
}

/** Counts like a report file in the worker's folder; durable when this resolves. */
async function receiveReport(
  host: Host,
  { plan, id, task }: KnownWorker,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (plan.world.handIn?.(id, data) !== true) {
    throw new Refusal({ code: 'conflict', message: `attempt ${id} has ended`, remedy: 'Exit now.' })
  }
  await host.notes.add({
    repository: plan.home.repository.id,
    at: host.parts.clock.now(),
    event: 'report_received',
    worker: id,
    task,
    plan: plan.id,
    data,
  })
}

/** A check-in that counts is durable when this resolves. Throws a refusal if it is invalid or of another worker. */
export async function receiveCheckin(host: Host, worker: KnownWorker, body: unknown): Promise<CheckinAnswer> {
  const reading = readCheckin(body, host.parts.clock.now())
  if (!reading.ok) throw refused(reading.problem)
  const { checkin } = reading
  if (checkin.worker !== null && checkin.worker !== worker.id)
    throw refused(`worker_id: the token belongs to ${worker.id}`)
  const { weight, notes } = await host.checkins.receive(worker, checkin)
  const instructions = waitingFor(worker).length === 0 ? [] : await takeMessages(worker, 'checkin')
  return { accepted: weight === 'counts' || weight === 'duplicate', instructions, notes }
}

const refused = (message: string): Refusal =>
  new Refusal({
    code: 'usage',
    message,
    remedy: 'The format is in docs/schemas/checkin.schema.json.',
  })
