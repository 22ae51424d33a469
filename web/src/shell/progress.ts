/** How far a plan is. */
import type { PlanRow } from '../../../src/protocol/answers.ts'

export function progressOf({ counts }: Pick<PlanRow, 'counts'>): {
  readonly done: number
  readonly total: number
} {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return { done: counts['completed'] ?? 0, total }
}

/** It ended, and is done only for the daemon. */
export const isCancelled = ({ state, why }: Pick<PlanRow, 'state' | 'why'>): boolean =>
  state === 'done' && why.startsWith('cancelled')

const MOST_ENDED = 5

/** Open plans, then some that ended; the rest of these, and what was cancelled, only on demand. */
export function listedPlans(
  plans: readonly PlanRow[],
  isAll: boolean,
): { readonly listed: readonly PlanRow[]; readonly hidden: number } {
  const ended = plans.filter(({ state }) => state === 'done')
  const done = ended.filter((plan) => !isCancelled(plan))
  const shown = isAll ? [...done, ...ended.filter(isCancelled)] : done.slice(0, MOST_ENDED)
  const open = plans.filter(({ state }) => state !== 'done')
  return { listed: [...open, ...shown], hidden: ended.length - shown.length }
}

/** The last part of a path. */
export const folderName = (path: string): string => path.split('/').findLast((part) => part !== '') ?? path
