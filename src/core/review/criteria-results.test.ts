import { describe, expect, test } from 'vitest'
import { blocking, verdict } from '../gates/verdicts.ts'
import type { Verdict } from '../event-schemas/schemas.ts'
import type { Review } from '../state/state.ts'
import { confirmationOf, criteriaResults, type CriteriaEvidence } from './criteria-results.ts'

const mapped = (by: 'worker' | 'rules') => ({ criterion: 'it adds', by, file: 'src/add.ts', line: 3 })
const aligned = (by: 'worker' | 'rules') =>
  verdict('plan_alignment', 'passed', '', { criteria: [mapped(by)] })
const results = (verdicts: readonly Verdict[], more: Partial<CriteriaEvidence> = {}) =>
  criteriaResults({
    spec: { acceptanceCriteria: ['it adds'], testsToAdd: [] },
    verdicts,
    confirmation: null,
    ...more,
  })
const word = (...given: Parameters<typeof results>): string => results(...given)[0]?.word ?? 'nothing'

describe('a criterion', () => {
  test('that only the worker claims is unverified until a reviewer or a person confirms it', () => {
    expect(results([aligned('worker')])).toMatchObject([
      {
        word: 'UNTESTED',
        place: 'src/add.ts:3',
        why: 'mapped by the worker, unverified',
        isUnverified: true,
      },
    ])
    expect(results([aligned('worker')], { confirmation: 'ada' })).toMatchObject([
      { word: 'PASS', place: 'src/add.ts:3', by: 'worker', isUnverified: false },
    ])
  })

  test('that the rules mapped is unverified until a reviewer or a person confirms it', () => {
    expect(results([aligned('rules')])).toMatchObject([
      { word: 'UNTESTED', why: 'mapped by rules, unverified', isUnverified: true },
    ])
    expect(results([aligned('rules')], { confirmation: 'ada' })).toMatchObject([
      { word: 'PASS', why: 'mapped by rules, confirmed by ada', isUnverified: false },
    ])
  })

  test('that the rules mapped is confirmed by the check that it names', () => {
    const criterion = 'test/add.test.ts passes'
    const alignment = verdict('plan_alignment', 'passed', '', {
      criteria: [{ ...mapped('rules'), criterion }],
    })
    const spec = { acceptanceCriteria: [criterion], testsToAdd: ['test/add.test.ts'] }
    expect(word([alignment, verdict('tests_to_add', 'passed', '')], { spec })).toBe('PASS')
    expect(word([alignment, verdict('tests_to_add', 'not_applicable', '')], { spec })).toBe('UNTESTED')
  })

  test('fails where the place named by the worker does not exist', () => {
    const gone = verdict('plan_alignment', 'failed', '', {
      criteria: [mapped('worker')],
      findings: [blocking('criterion 1 not found: line 3 is blank', 'src/add.ts', 3)],
    })
    expect(word([gone])).toBe('FAIL')
  })

  test('is untested without a place, and while its tests do not pass', () => {
    expect(word([])).toBe('UNTESTED')
    for (const outcome of ['failed', 'inconclusive'] as const) {
      const tests = verdict('tests_to_run', outcome, '')
      expect(word([aligned('worker'), tests])).toBe('UNTESTED')
    }
  })
})

describe('a confirmation', () => {
  const review = (fields: Partial<Review>): Review => ({
    round: 1,
    attempt: 2,
    by: 'w-shop-1-2-review-1',
    agent: null,
    isOwnAgent: false,
    verdict: 'approved',
    summary: '',
    remark: null,
    issues: [],
    ...fields,
  })
  const by = (fields: Partial<Review>) => confirmationOf({ review: review(fields), confirmedBy: null }, 2)

  test('is the approval of the same attempt by a reviewer or a person', () => {
    expect(by({})).toBe('reviewer w-shop-1-2-review-1')
    expect([by({ by: 'nobody' }), by({ verdict: 'changes_requested' }), by({ attempt: 1 })]).toEqual([
      null,
      null,
      null,
    ])
    const person = (attempt: number) =>
      confirmationOf({ review: null, confirmedBy: { by: 'ada', attempt } }, 2)
    expect([person(2), person(1)]).toEqual(['ada', null])
  })
})
