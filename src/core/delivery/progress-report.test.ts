import { expect, test } from 'vitest'
import { aReport, critical, low, normal } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { progressReport } from './progress-report.ts'

test('the report of a new plan names nothing in progress or blocked', () => {
  expect(progressReport(PlayedPlan.begun([critical('1'), normal('2'), low('3')]).state)).toBe(
    [
      'PROGRESS — Shop',
      'Completed: 0/3 tasks',
      'In progress: 1',
      'Blocked: none',
      'Unresolved risks: 0',
      'Estimated remaining: 1 critical, 1 normal, 1 low',
    ].join('\n'),
  )
})

test('the report names blocked tasks and at most three risks', () => {
  const risks = (['low', 'critical', 'normal', 'low'] as const).map((severity) => ({
    description: `a ${severity} one`,
    severity,
  }))
  const plan = PlayedPlan.begun([normal('1'), normal('2'), normal('3')])
  plan.complete('1', { report: aReport({ risks }) }).work('2', { end: { kind: 'blocked', reason: '?' } })
  expect(progressReport(plan.state)).toBe(
    [
      'PROGRESS — Shop',
      'Completed: 1/3 tasks',
      'In progress: 3',
      'Blocked: 2 (blocked)',
      'Unresolved risks: 4: a critical one (critical); a normal one (normal); a low one (low)',
      'Estimated remaining: 0 critical, 2 normal, 0 low',
    ].join('\n'),
  )
})

test('the report does not count dropped tasks', () => {
  const plan = PlayedPlan.begun([normal('1'), low('2')]).work('1', { end: { kind: 'blocked', reason: '?' } })
  plan.answer('reject')
  plan
    .tell({ type: 'task.replanned', v: 1, task: '1', recommend: 'drop', note: '', by: 'rules' })
    .answer('drop')
  expect(progressReport(plan.state)).toContain('Completed: 0/1 tasks')
  expect(progressReport(plan.state)).toContain('Blocked: none')
})
