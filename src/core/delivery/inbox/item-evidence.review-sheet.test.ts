import { expect, test } from 'vitest'
import { low } from '../../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../../test/helpers/played-plan.ts'
import { reviewSheet } from './item-evidence.ts'

const EACH = { settings: { approval: 'each_task' as const } }

test('the sheet shows the task, its files, the worker’s claim, the criteria and the gates', () => {
  const plan = PlayedPlan.begun([low('1')], EACH)
    .work('1')
    .gates('1')
  const { task, gates } = reviewSheet(plan.state, plan.item('1'))
  const { spec, draft } = plan.task('1')
  expect(task).toMatchObject({
    id: '1',
    title: spec.title,
    tier: 'low',
    attempt: 1,
    revisions: { used: 0, most: 3 },
    files: draft?.changed,
    claim: { explanation: draft?.report?.explanation },
  })
  expect(task?.criteria.map(({ criterion }) => criterion)).toEqual(spec.acceptanceCriteria)
  expect(gates).toEqual(plan.task('1').verdicts)
  expect(gates.length).toBeGreaterThan(0)
})

test('the sheet lists direct and indirect dependents as blocked', () => {
  const chain = [low('1'), low('2', { dependsOn: ['1'] }), low('3', { dependsOn: ['2'] }), low('4')]
  const plan = PlayedPlan.begun(chain, EACH).work('1').gates('1')
  expect(reviewSheet(plan.state, plan.item('1')).blocks).toEqual(['2', '3'])
})

test('the sheet shows the decisions about its task', () => {
  const plan = PlayedPlan.begun([low('1')], EACH)
    .work('1')
    .gates('1')
  plan.answer('revise', { feedback: 'smaller, please' }).work('1').gates('1')
  const { task } = reviewSheet(plan.state, plan.item('1'))
  expect(task?.revisions.used).toBe(1)
  expect(task?.decisions.map(({ text }) => text)).toContain('ada answered A-1: revise (smaller, please)')
})
