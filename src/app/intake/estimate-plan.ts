/** What a plan will take, in a few words: from what the agents took so far. */
import { estimateOf } from '../../core/intake/estimate.ts'
import { formatDuration } from '../../lib/text/format-time.ts'
import type { Host } from '../host/host.ts'
import { recentHistory } from './recent-history.ts'

export async function estimatePlan({ parts }: Pick<Host, 'parts'>, tasks: number): Promise<string> {
  const work = { workflow: 'planned', scope: 'medium', tasks } as const
  const { timeMs, basis } = estimateOf(work, await recentHistory(parts.log))
  const guess = basis === 'guess' ? ' (a guess by the number of tasks)' : ''
  return `about ${formatDuration(timeMs.least)} to ${formatDuration(timeMs.most)} of work${guess}`
}
