import type { ExtendWorker, TellWorker } from '../../core/decide/effects.ts'
import { formatDuration } from '../../lib/text/format-time.ts'
import type { Performer } from './performer.ts'

/** Delivers a message at once if the agent accepts input while it works; else it waits for the next check-in. */
export const tellWorker: Performer<TellWorker> = async (effect, { world }) => {
  const { worker, task, attempt, message } = effect
  const isDelivered = await world.agent.send(worker, { kind: 'prompt', text: message.text, message })
  if (!isDelivered) return []
  return [{ type: 'worker.heard', v: 1, worker, task, attempt, messages: [message.id], via: 'session' }]
}

export const extendWorker: Performer<ExtendWorker> = async (effect, { world }) => {
  const { worker, task, attempt, extraMs, limitMs } = effect
  await world.agent.extend(worker, limitMs)
  const why = `its limit is now ${formatDuration(limitMs)}`
  return [{ type: 'worker.extended', v: 1, worker, task, attempt, extraMs, why }]
}
