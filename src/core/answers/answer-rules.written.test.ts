import { describe, expect, test } from 'vitest'
import { aReport, low } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { answerEvents } from './answer-rules.ts'

const asking = (): PlayedPlan =>
  PlayedPlan.begun([low('1')]).work('1', { report: aReport({ ambiguities: ['cents or dollars?'] }) })

function answered(plan: PlayedPlan, choice: string, feedback = '') {
  const answer = { id: plan.item().id, choice, feedback, by: 'ann', proof: 'token' } as const
  const taken = answerEvents(plan.state, answer)
  return taken.ok ? taken.events[0] : taken.refusal.why
}

describe('an answer', () => {
  test('may be the words themselves where a question takes them', () => {
    expect(answered(asking(), 'cents, as in the database')).toMatchObject({
      choice: 'revise',
      feedback: 'cents, as in the database',
    })
    expect(answered(asking(), 'cents', 'always')).toMatchObject({ feedback: 'cents\nalways' })
  })

  test('may be the key or the label of an option, in any case', () => {
    expect(answered(asking(), 'Reject')).toMatchObject({ choice: 'reject' })
    expect(answered(asking(), 'Reject it and send the task back to planning')).toMatchObject({
      choice: 'reject',
    })
  })

  test('that is nearly a key is refused, and never passed on as words', () => {
    expect(answered(asking(), 'rejct')).toContain('cannot be answered with rejct')
  })

  test('in words is refused where no question was asked', () => {
    const plan = PlayedPlan.begun([low('1')], { settings: { fixAttempts: 0 } })
    plan.work('1').gates('1', { failed: ['unit'] })
    expect(answered(plan, 'looks good to me')).toContain('cannot be answered with')
  })

  test('that is the placeholder of a printed command says nothing', () => {
    expect(answered(asking(), 'revise', '…')).toContain('needs your feedback')
  })
})
