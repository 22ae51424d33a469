/** Tests of a release that failed at the start commit and still do. */
import { counted, firstFew } from '../../../lib/text/counted.ts'
import type { PlanState } from '../../state/state.ts'

const MOST_NAMED = 3

/** The tests that failed at the start commit and in the release, by name. */
export const failedBefore = ({ release }: Pick<PlanState, 'release'>): readonly string[] => [
  ...new Set((release.verdicts ?? []).flatMap(({ evidence }) => evidence.failedBefore ?? [])),
]

/** "3 tests failed before and still do: …"; null where none does. */
export function formatFailedBefore(tests: readonly string[]): string | null {
  if (tests.length === 0) return null
  const still = tests.length === 1 ? 'does' : 'do'
  return `${counted(tests.length, 'test')} failed before and still ${still}: ${firstFew(tests, MOST_NAMED)}`
}
