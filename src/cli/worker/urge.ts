/** `bosun worker nudge` and `bosun worker extend`. */
import { usageRefusal } from '../../lib/refusal.ts'
import type { WorkerActionAnswer } from '../../protocol/worker-views.ts'
import type { Call, CommandResult } from '../command.ts'
import { idSegment } from '../id-segment.ts'

export async function urgeWorker(call: Call, id: string, action: 'nudge' | 'extend'): Promise<CommandResult> {
  const more = action === 'extend' ? { minutes: minutesOf(call) } : {}
  const { callerName, repoHere } = await import('../caller.ts')
  const daemon = await call.services.daemon()
  const body = { by: callerName(call), repo: await repoHere(call), ...more }
  const done = await daemon.post<WorkerActionAnswer>(`/api/workers/${idSegment(id)}/${action}`, body)
  return { exit: 'ok', document: done, text: () => `${done.text}\n` }
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
