import { expect, test } from 'vitest'
import { low } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { needsFeedback, needsReason, saidBefore } from './answer-rules.ts'

test('work that passed everything goes back only with a word on what is to change', () => {
  expect(needsFeedback({ kind: 'approval' }, 'revise', null)).toBe(true)
  expect(needsFeedback({ kind: 'approval' }, 'approve', null)).toBe(false)
  // What failed is told by the gates.
  expect(needsFeedback({ kind: 'escalation' }, 'revise', null)).toBe(false)
})

test('a rejected task is built again only with a word on its scope, then or when it was rejected', () => {
  const question = (feedback: string) => {
    const plan = PlayedPlan.begun([low('1')], { settings: { fixAttempts: 0 } })
    plan
      .work('1')
      .gates('1', { failed: ['unit'] })
      .answer('reject', { feedback })
    plan.tell({ type: 'task.replanned', v: 1, task: '1', recommend: 'rescope', note: '', by: 'rules' })
    return { item: plan.item(), said: saidBefore(plan.state, plan.item()) }
  }
  const [silent, told] = [question(''), question('only the header')]
  expect([silent.said, told.said]).toEqual([null, 'only the header'])
  expect(needsFeedback(silent.item, 'rescope', silent.said)).toBe(true)
  expect(needsFeedback(told.item, 'rescope', told.said)).toBe(false)
  for (const choice of ['split', 'drop']) expect(needsFeedback(silent.item, choice, silent.said)).toBe(false)
})

test('what is let through or taken on needs a reason', () => {
  expect(needsReason({ kind: 'escalation' }, 'approve')).toBe(true)
  expect(needsReason({ kind: 'escalation' }, 'accept')).toBe(true)
  expect(needsReason({ kind: 'approval' }, 'approve')).toBe(false)
})
