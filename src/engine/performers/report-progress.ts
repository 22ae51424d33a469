import type { ReportProgress } from '../../core/decide/effects.ts'
import type { Performer } from './performer.ts'

export const reportProgress: Performer<ReportProgress> = async (effect, { world, plan }) => {
  const { key, why, text } = effect
  await world.notifier.notify({ id: key, plan: plan.id, text })
  return [{ type: 'progress.reported', v: 1, why, text }]
}
