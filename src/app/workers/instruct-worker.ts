/** Sends a person's instruction to a running worker. */
import { deliveryText } from '../../core/watch/message-delivery.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Host } from '../host/host.ts'
import type { WorkerRow } from '../../protocol/answers.ts'
import type { InstructRequest as InstructBody } from '../../protocol/requests.ts'
import { deliveryChannel } from './message-states.ts'
import { findRunning, workerRefusal, type WorkerName } from './workers.ts'

type InstructionType = NonNullable<InstructBody['type']>

/** Its text may be empty for types with a default text. */
type InstructRequest = WorkerName & Omit<InstructBody, 'repo' | 'id'> & { readonly ref?: string | undefined }

/** Default texts; the other types need one. */
const BY_ITSELF: Partial<Record<InstructionType, string>> = {
  continue: 'continue as you are',
  pause: 'stop here and wait for the next instruction',
  abort: 'stop, hand in what you have, and exit',
}

/** Durable when this resolves, and delivered as soon as the worker can receive it; `note` says when that is. */
export async function instructWorker(
  host: Host,
  request: InstructRequest,
): Promise<WorkerRow & { readonly note: string }> {
  const { id, type, by, ref } = request
  const instruction = request.text.trim() || (type === undefined ? undefined : BY_ITSELF[type])
  if (instruction === undefined) {
    throw new Refusal({
      code: 'usage',
      message: `${type ?? 'an instruction'} needs a text that says what ${id} should do`,
      remedy: `Add it: bosun worker instruct ${id} "…"`,
    })
  }
  const { plan, row } = await findRunning(host, request)
  const text = type === undefined ? instruction : `${type.replace('_', ' ')}: ${instruction}`
  const subject = ref === undefined ? `instruction by ${by}` : `instruction ${ref}`
  let isKnown = false
  const done = await plan.proposeAsNow((state) => {
    const live = state.tasks.get(row.task)?.live
    if (live?.worker !== id) return `${id} has already ended`
    isKnown = ref !== undefined && live.watch.sentAt[subject] !== undefined
    if (isKnown) return `${id} has this instruction already`
    const about = { worker: id, task: row.task, attempt: live.attempt }
    const message = {
      id: live.watch.messages + 1,
      kind: 'instruction' as const,
      text,
      about: subject,
      by,
      ...(type === undefined ? {} : { instruction: type }),
    }
    return [{ type: 'worker.told', v: 1, ...about, message, why: `instruction by ${by}` }]
  })
  if (!done.ok && !isKnown) throw workerRefusal('conflict', done.why)
  const message = { kind: 'instruction' as const, ...(type === undefined ? {} : { instruction: type }) }
  const when = deliveryText(message, deliveryChannel(plan, { worker: id, task: row.task }))
  return { ...row, note: `delivered ${when}` }
}
