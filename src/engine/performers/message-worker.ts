import type { ExtendWorker, TellWorker } from '../../core/decide/effects.ts'
import { formatDuration } from '../../lib/text/format-time.ts'
import type { Performer } from './performer.ts'

/** Heard at once where the agent listens while it works; else it says nothing until the worker has checked in. */
export const tellWorker: Performer<TellWorker> = async (effect, { world }) => {
  const { worker, task, attempt, message } = effect
  const isHeard = await world.agent.send(worker, { kind: 'prompt', text: message.text, message })
  if (!isHeard) return []
  return [{ type: 'worker.heard', v: 1, worker, task, attempt, messages: [message.id], via: 'session' }]
}

export const extendWorker: Performer<ExtendWorker> = async (effect, { world }) => {
  const { worker, task, attempt, extraMs, limitMs } = effect
  await world.agent.extend(worker, limitMs)
  const why = `its limit is ${formatDuration(limitMs)} now`
  return [{ type: 'worker.extended', v: 1, worker, task, attempt, extraMs, why }]
}
