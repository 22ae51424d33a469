import { describe, expect, test } from 'vitest'
import { blocking, verdict } from '../gates/verdicts.ts'
import { criteriaTold } from './criteria-told.ts'

const mapped = (by: 'worker' | 'rules') => ({ criterion: 'it adds', by, file: 'src/add.ts', line: 3 })
const aligned = (by: 'worker' | 'rules') =>
  verdict('plan_alignment', 'passed', '', { criteria: [mapped(by)] })
const word = (...given: Parameters<typeof criteriaTold>): string =>
  criteriaTold(...given)[0]?.word ?? 'nothing'

describe('a criterion', () => {
  test('passes where the worker named a place that is there', () => {
    expect(criteriaTold(['it adds'], [aligned('worker')], null)).toEqual([
      { criterion: 'it adds', word: 'PASS', place: 'src/add.ts:3', by: 'worker', why: expect.any(String) },
    ])
  })

  test('that the rules placed is untested until a reviewer has approved', () => {
    const by = 'w-shop-1-1-review-1'
    expect(word(['it adds'], [aligned('rules')], null)).toBe('UNTESTED')
    expect(word(['it adds'], [aligned('rules')], { by: 'rules', verdict: 'approved' })).toBe('UNTESTED')
    expect(word(['it adds'], [aligned('rules')], { by, verdict: 'changes_requested' })).toBe('UNTESTED')
    expect(word(['it adds'], [aligned('rules')], { by, verdict: 'approved' })).toBe('PASS')
  })

  test('fails where the worker’s place is not there', () => {
    const gone = verdict('plan_alignment', 'failed', '', {
      criteria: [mapped('worker')],
      findings: [blocking('criterion 1 is not there: line 3 is blank', 'src/add.ts', 3)],
    })
    expect(word(['it adds'], [gone], null)).toBe('FAIL')
  })

  test('is untested without a place, and while its tests are not green', () => {
    expect(word(['it adds'], [], null)).toBe('UNTESTED')
    for (const outcome of ['failed', 'inconclusive'] as const) {
      const tests = verdict('tests_to_run', outcome, '')
      expect(word(['it adds'], [aligned('worker'), tests], null)).toBe('UNTESTED')
    }
  })
})
