import { describe, expect, test } from 'vitest'
import { HOUR, low, MINUTE } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { answerRefusal } from './answer-rules.ts'
import type { AnswerRefusal } from './person-answer.ts'

/** A worker with an open alert. */
const stalled = (): PlayedPlan =>
  PlayedPlan.begun([low('1', { timeBudgetMs: 10 * HOUR })], { settings: { reportEveryMs: 1000 * HOUR } })
    .started('1')
    .lives('1')
    .pass(22 * MINUTE)
/** A worker with an open request. */
const asking = (): PlayedPlan =>
  PlayedPlan.begun([low('1', { timeBudgetMs: 10 * HOUR })])
    .started('1')
    .tell({
      type: 'request.received',
      v: 1,
      worker: 'w-shop-1-1',
      task: '1',
      attempt: 1,
      request: {
        id: 'w-shop-1-1-r1',
        kind: 'blocked',
        text: 'no access',
        priority: 'normal',
        by: 'w-shop-1-1',
      },
    })
const refusal = (plan: PlayedPlan, choice: string, feedback = 'so be it'): AnswerRefusal | null =>
  answerRefusal(plan.state, { id: plan.item().id, choice, feedback, by: 'eve (by file)', proof: 'file' })

describe('an answer by file', () => {
  test.each(['extend', 'nudge', 'restart', 'kill'])('may %s a worker', (choice) => {
    expect(refusal(stalled(), choice)).toBeNull()
  })

  test.each(['answer', 'decide', 'pause'])("may not %s: that needs the user's token", (choice) => {
    expect(refusal(asking(), choice)).toMatchObject({
      why: `${choice} needs the user's token`,
      remedy: `Answer it on the command line: bosun answer E-1 ${choice}`,
    })
  })

  test('may restart a worker that asks', () => {
    expect(refusal(asking(), 'restart')).toBeNull()
  })

  test('may not override a gate', () => {
    const plan = PlayedPlan.begun([low('1')], { settings: { fixAttempts: 0 } })
    plan.work('1').gates('1', { failed: ['unit'] })
    expect(refusal(plan, 'approve')).toMatchObject({ why: "approve needs the user's token" })
  })

  test('grants no more time in total than the rules do', () => {
    const plan = stalled()
    expect(refusal(plan, 'extend', '61 min')?.why).toBe(
      "more than 60 min on top of its limit needs the user's token",
    )
    plan.answer('extend', { feedback: '40 min' })
    const more = (feedback: string): string | null => {
      const [open] = stalled().state.inbox.values()
      if (open === undefined) throw new Error('nothing is open')
      plan.state.inbox.set('E-9', { ...open, item: { ...open.item, id: 'E-9' } })
      const answer = { id: 'E-9', choice: 'extend', feedback, by: 'eve', proof: 'file' } as const
      return answerRefusal(plan.state, answer)?.why ?? null
    }
    expect([more(''), more('20')]).toEqual([expect.any(String), null])
  })

  test('has to be one of the options', () => {
    expect(refusal(asking(), 'kill')).toMatchObject({
      why: 'E-1 cannot be answered with kill',
      remedy: expect.stringMatching(/^Choose one of: answer .*restart .*pause\.$/) as string,
    })
  })
})
