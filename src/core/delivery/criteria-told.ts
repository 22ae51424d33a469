/** Each acceptance criterion as PASS, FAIL or UNTESTED, by what the gates and the review found. */
import type { Verdict } from '../events/parts.ts'
import type { Review } from '../state.ts'

export interface CriterionTold {
  readonly criterion: string
  readonly word: 'PASS' | 'FAIL' | 'UNTESTED'
  /** `file:line`; null where no place is known. */
  readonly place: string | null
  /** Who named the place; null where nobody did. */
  readonly by: 'worker' | 'rules' | null
  readonly why: string
}

const TESTS: readonly string[] = ['tests_to_add', 'tests_to_run']

/**
 * A place that the worker named and the gate found counts, and one of the rules once a reviewer has looked.
 * While a test gate is not green no criterion is more than untested.
 */
export function criteriaTold(
  criteria: readonly string[],
  verdicts: readonly Verdict[],
  review: Pick<Review, 'by' | 'verdict'> | null,
): readonly CriterionTold[] {
  const alignment = verdicts.find(({ gate }) => gate === 'plan_alignment')?.evidence
  const red = verdicts.find(({ gate, outcome }) => TESTS.includes(gate) && isRed(outcome))
  const isReviewed = review !== null && review.by !== 'rules' && review.verdict === 'approved'
  return criteria.map((criterion, index) => {
    const found = alignment?.criteria.find((one) => one.criterion === criterion)
    const gone = alignment?.findings.find(
      ({ weight, text }) => weight === 'blocks' && text.startsWith(`criterion ${index + 1} is not there`),
    )
    const place = placeOf(found)
    const told = { criterion, place, by: found?.by ?? null }
    if (gone !== undefined) return { ...told, word: 'FAIL' as const, why: gone.text }
    const untested = (why: string): CriterionTold => ({ ...told, word: 'UNTESTED', why })
    if (place === null) return untested('no place in the tree is known')
    if (red !== undefined) return untested(`${red.gate} is ${red.outcome}`)
    if (found?.by === 'worker') return { ...told, word: 'PASS', why: 'the worker’s place is in the tree' }
    return isReviewed
      ? { ...told, word: 'PASS', why: 'a reviewer looked at the place the rules found' }
      : untested('the rules found a place, and nobody has looked')
  })
}

const isRed = (outcome: Verdict['outcome']): boolean => outcome === 'failed' || outcome === 'inconclusive'

function placeOf(
  found: { readonly file: string | null; readonly line: number | null } | undefined,
): string | null {
  if (found === undefined || found.file === null) return null
  return found.line === null ? found.file : `${found.file}:${found.line}`
}
