/** A check-in that came with its worker's token: taken, and answered with what waits for the worker. */
import type { Message } from '../../core/event-schemas/watch.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Host } from '../host/host.ts'
import type { KnownWorker } from '../workers/live-workers.ts'
import { hearMessages, waitingFor } from './worker-messages.ts'
import { readCheckin } from './read-checkin.ts'

export interface Answered {
  /** Whether it counts; else it was a sign of life. */
  readonly accepted: boolean
  readonly instructions: readonly Message[]
  /** What was taken otherwise than it was said, and why it does not count. */
  readonly notes: readonly string[]
}

/** What counts is durable when this resolves. Refuses what is no check-in, or not this worker's. */
export async function receiveCheckin(host: Host, worker: KnownWorker, body: unknown): Promise<Answered> {
  const reading = readCheckin(body, host.parts.clock.now())
  if (!reading.ok) throw refused(reading.problem)
  const { checkin } = reading
  if (checkin.worker !== null && checkin.worker !== worker.id)
    throw refused(`worker_id: this is the token of ${worker.id}`)
  const { weight, notes } = await host.checkins.hear(worker, checkin)
  const instructions = waitingFor(worker).length === 0 ? [] : await hearMessages(worker, 'checkin')
  return { accepted: weight === 'counts' || weight === 'duplicate', instructions, notes }
}

const refused = (message: string): Refusal =>
  new Refusal({
    code: 'usage',
    message,
    remedy: 'docs/schemas/checkin.schema.json says what a check-in may hold.',
  })
