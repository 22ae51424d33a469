import { expect, test } from 'vitest'
import { low } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { needsFeedback, needsReason, earlierFeedback } from './answer-rules.ts'

test('work that passed everything is revised only with feedback', () => {
  expect(needsFeedback({ kind: 'approval' }, 'revise', null)).toBe(true)
  expect(needsFeedback({ kind: 'approval' }, 'approve', null)).toBe(false)
  // The gates already name the failures.
  expect(needsFeedback({ kind: 'escalation' }, 'revise', null)).toBe(false)
})

test('a rejected task is re-scoped only with feedback, now or at the rejection', () => {
  const question = (feedback: string) => {
    const plan = PlayedPlan.begun([low('1')], { settings: { fixAttempts: 0 } })
    plan
      .work('1')
      .gates('1', { failed: ['unit'] })
      .answer('reject', { feedback })
    plan.tell({ type: 'task.replanned', v: 1, task: '1', recommend: 'rescope', note: '', by: 'rules' })
    return { item: plan.item(), earlier: earlierFeedback(plan.state, plan.item()) }
  }
  const [silent, given] = [question(''), question('only the header')]
  expect([silent.earlier, given.earlier]).toEqual([null, 'only the header'])
  expect(needsFeedback(silent.item, 'rescope', silent.earlier)).toBe(true)
  expect(needsFeedback(given.item, 'rescope', given.earlier)).toBe(false)
  for (const choice of ['split', 'drop'])
    expect(needsFeedback(silent.item, choice, silent.earlier)).toBe(false)
})

test('an override or an accepted risk needs a reason', () => {
  expect(needsReason({ kind: 'escalation' }, 'approve')).toBe(true)
  expect(needsReason({ kind: 'escalation' }, 'accept')).toBe(true)
  expect(needsReason({ kind: 'approval' }, 'approve')).toBe(false)
})
