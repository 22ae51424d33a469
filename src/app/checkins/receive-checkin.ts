/** Receives a check-in that carries its worker's token and answers with the waiting messages. */
import { Refusal } from '../../lib/refusal.ts'
import type { CheckinAnswer } from '../../protocol/answers.ts'
import type { Host } from '../host/host.ts'
import type { KnownWorker } from '../workers/live-workers.ts'
import { takeMessages, waitingFor } from './worker-messages.ts'
import { readCheckin } from './read-checkin.ts'

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
