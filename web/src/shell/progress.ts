/** How far a plan is. */
import type { PlanRow } from '../../../src/protocol/answers.ts'

export function progressOf({ counts }: Pick<PlanRow, 'counts'>): {
  readonly done: number
  readonly total: number
} {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return { done: counts['completed'] ?? 0, total }
}

/** The last part of a path. */
export const folderName = (path: string): string => path.split('/').findLast((part) => part !== '') ?? path
