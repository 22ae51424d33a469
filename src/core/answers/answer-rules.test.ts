import { expect, test } from 'vitest'
import { critical, low } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { reviewArtifact } from '../delivery/review-artifact.ts'
import { answerEvents, earlierFeedback, needsFeedback, needsReason } from './answer-rules.ts'

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

const APPROVED = { settings: { approval: 'critical' } } as const

test.each([
  [true, 'yes'],
  [false, 'no'],
])('an approval of critical work records whether the diff was opened: %s', (diffOpened, word) => {
  const plan = PlayedPlan.begun([critical('1')], APPROVED)
    .work('1')
    .gates('1')
    .review('1')
  const answer = { id: plan.item().id, choice: 'approve', feedback: '', by: 'ann', proof: 'token' } as const
  const taken = answerEvents(plan.state, { ...answer, diffOpened })
  if (!taken.ok) throw new Error(taken.refusal.why)
  expect(taken.events).toMatchObject([{ type: 'inbox.answered', diffOpened }])
  for (const event of taken.events) plan.tell(event)
  expect(plan.decisions('1').join()).toContain(`diff opened: ${word}`)
  expect(plan.state.humanDecisions).toMatchObject([{ diffOpened }])
  expect(reviewArtifact(plan.effect('commit_task'))).toContain(
    `## Approval\n\nApproved by ann; diff opened: ${word}.`,
  )
})

test('whether the diff was opened is not recorded with anything else', () => {
  const plan = PlayedPlan.begun([critical('1')], APPROVED)
    .work('1')
    .gates('1')
    .review('1')
  const answer = { id: plan.item().id, feedback: 'x', by: 'ann', proof: 'token', diffOpened: true } as const
  for (const choice of ['revise', 'reject']) {
    const taken = answerEvents(plan.state, { ...answer, choice })
    expect(taken.ok && taken.events[0]).not.toHaveProperty('diffOpened')
  }
})
