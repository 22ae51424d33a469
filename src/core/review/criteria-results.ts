/** Rates each acceptance criterion as PASS, FAIL or UNTESTED, from the gates' evidence and its confirmation. */
import { NOBODY } from './nobody.ts'
import type { Verdict } from '../event-schemas/schemas.ts'
import type { TaskSpec } from '../planning/plan.ts'
import type { Review, TaskState } from '../state/state.ts'

export interface CriterionResult {
  readonly criterion: string
  readonly word: 'PASS' | 'FAIL' | 'UNTESTED'
  /** `file:line`; null where no place is known. */
  readonly place: string | null
  /** Who named the place; null without one. */
  readonly by: 'worker' | 'rules' | null
  readonly why: string
  /** A place is known, and neither a check nor a reviewer nor a person has confirmed it. */
  readonly isUnverified: boolean
}

export interface CriteriaEvidence {
  readonly spec: Pick<TaskSpec, 'acceptanceCriteria' | 'testsToAdd'>
  readonly verdicts: readonly Verdict[]
  /** Who confirmed the work; null where it is unconfirmed. */
  readonly confirmation: string | null
}

const TESTS: readonly string[] = ['tests_to_add', 'tests_to_run']

/**
 * A place counts once a check, a reviewer or a person has confirmed it, whether the rules found it or the worker named it.
 * While a test gate does not pass, every criterion is at most untested.
 */
export function criteriaResults({
  spec,
  verdicts,
  confirmation,
}: CriteriaEvidence): readonly CriterionResult[] {
  const alignment = verdicts.find(({ gate }) => gate === 'plan_alignment')?.evidence
  const red = verdicts.find(({ gate, outcome }) => TESTS.includes(gate) && isRed(outcome))
  return spec.acceptanceCriteria.map((criterion, index) => {
    const found = alignment?.criteria.find((one) => one.criterion === criterion)
    const isGone = `criterion ${index + 1} not found:`
    const gone = alignment?.findings.find(
      ({ weight, text }) => weight === 'blocks' && text.startsWith(isGone),
    )
    const place = placeOf(found)
    const result = { criterion, place, by: found?.by ?? null, isUnverified: false }
    if (gone !== undefined) return { ...result, word: 'FAIL' as const, why: gone.text }
    const untested = (why: string): CriterionResult => ({ ...result, word: 'UNTESTED', why })
    const passed = (why: string): CriterionResult => ({ ...result, word: 'PASS', why })
    if (place === null) return untested('no place in the tree is known')
    if (red !== undefined) return untested(`${red.gate} is ${red.outcome}`)
    const mapped = `mapped by ${found?.by === 'worker' ? 'the worker' : 'rules'}`
    if (isChecked(criterion, spec, verdicts)) return passed('a check confirmed it')
    return confirmation === null
      ? { ...untested(`${mapped}, unverified`), isUnverified: true }
      : passed(`${mapped}, confirmed by ${confirmation}`)
  })
}

/** The gate tests_to_add has proven the criterion "`test/x.test.js` passes". */
function isChecked(
  criterion: string,
  { testsToAdd }: CriteriaEvidence['spec'],
  verdicts: readonly Verdict[],
): boolean {
  const outcome = verdicts.find(({ gate }) => gate === 'tests_to_add')?.outcome
  return outcome === 'passed' && testsToAdd.some((path) => criterion === `${path} passes`)
}

/** The person or reviewer that approved the work of this attempt. */
export function confirmationOf(
  { review, confirmedBy }: Pick<TaskState, 'review' | 'confirmedBy'>,
  attempt: number,
): string | null {
  if (confirmedBy?.attempt === attempt) return confirmedBy.by
  return isApprovedByAgent(review, attempt) ? `reviewer ${review?.by ?? ''}` : null
}

const isApprovedByAgent = (review: Review | null, attempt: number): boolean =>
  review !== null && review.by !== NOBODY && review.verdict === 'approved' && review.attempt === attempt

const isRed = (outcome: Verdict['outcome']): boolean => outcome === 'failed' || outcome === 'inconclusive'

function placeOf(
  found: { readonly file: string | null; readonly line: number | null } | undefined,
): string | null {
  if (found === undefined || found.file === null) return null
  return found.line === null ? found.file : `${found.file}:${found.line}`
}
