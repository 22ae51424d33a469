/** What a person tells a worker while it works. */
import { Refusal } from '../../lib/refusal.ts'
import type { Host } from '../host/host.ts'
import type { WorkerRow } from '../plans/plan-status.ts'
import { findRunning, type WorkerName } from './workers.ts'

export const INSTRUCTION_TYPES = [
  'continue',
  'pause',
  'revise',
  'abort',
  'expand_scope',
  'reduce_scope',
] as const
export type InstructionType = (typeof INSTRUCTION_TYPES)[number]

export interface InstructRequest extends WorkerName {
  /** What it is told; may be empty where the type says enough. */
  readonly text: string
  readonly type?: InstructionType | undefined
  readonly by: string
}

/** What a type says by itself; the others need words. */
const BY_ITSELF: Partial<Record<InstructionType, string>> = {
  continue: 'go on as you are',
  pause: 'stop where you are and wait for the next instruction',
  abort: 'stop, hand in what you have, and end',
}

/** It is durable when this resolves, and told to the worker as soon as it can hear. */
export async function instructWorker(host: Host, request: InstructRequest): Promise<WorkerRow> {
  const { id, type, by } = request
  const words = request.text.trim() || (type === undefined ? undefined : BY_ITSELF[type])
  if (words === undefined) {
    throw new Refusal({
      code: 'usage',
      message: `${type ?? 'an instruction'} needs words: ${id} has to know what to do`,
      remedy: `Say it: bosun worker instruct ${id} "…"`,
    })
  }
  const { plan, row } = await findRunning(host, request)
  const text = type === undefined ? words : `${type.replace('_', ' ')}: ${words}`
  const done = await plan.proposeAsNow((state) => {
    const live = state.tasks.get(row.task)?.live
    if (live?.worker !== id) return `${id} has ended already`
    const about = { worker: id, task: row.task, attempt: live.attempt }
    const message = {
      id: live.watch.messages + 1,
      kind: 'instruction',
      text,
      about: `instruction by ${by}`,
      by,
    } as const
    return [{ type: 'worker.told', v: 1, ...about, message, why: `${by} told it` }]
  })
  if (done.ok) return row
  throw new Refusal({ code: 'conflict', message: done.why, remedy: 'See who is at work: bosun worker list' })
}
