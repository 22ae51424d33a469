import { describe, expect, test } from 'vitest'
import { HOUR, low, MINUTE } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { requestEvents, type Asked } from '../../engine/external-events.ts'
import { answerRefusal } from './answer-rules.ts'

const WORKER = 'w-shop-1-1'
const budgets = { planUsd: null, taskUsd: null, planTokens: null, taskTokens: 1000 }
const settings = { reportEveryMs: 1000 * HOUR, budgets }
const working = (): PlayedPlan =>
  PlayedPlan.begun([low('1', { timeBudgetMs: 10 * HOUR })], { settings }).started('1')
function asking(asked: Omit<Asked, 'priority'>): PlayedPlan {
  const plan = working()
  const events = requestEvents(plan.state, WORKER, { ...asked, priority: 'normal' })
  if (typeof events === 'string') throw new Error(events)
  for (const event of events) plan.tell(event)
  return plan
}
const refusalOf = (plan: PlayedPlan, choice: string, feedback: string) =>
  answerRefusal(plan.state, { id: plan.item().id, choice, feedback, by: 'ada', proof: 'token' })

describe('an amount in an answer', () => {
  const time = (): PlayedPlan => asking({ kind: 'need_time', text: 'a migration', minutes: 90 })
  const tokens = (): PlayedPlan => asking({ kind: 'need_resources', text: 'large files', tokens: 5000 })
  const stalled = (): PlayedPlan =>
    working()
      .lives('1')
      .pass(22 * MINUTE)

  test.each([
    ['time that is granted', time, 'grant', '2 h'],
    ['no time', time, 'grant', '0 min'],
    ['tokens that are granted', tokens, 'grant', 'tokens=lots'],
    ['a number without its unit', tokens, 'grant', '200000'],
    ['no tokens', tokens, 'grant', 'tokens=0'],
    ['more time than a day for a worker', stalled, 'extend', '2000'],
    ['no time for a worker', stalled, 'extend', '0 min'],
  ] as const)('is refused where it is invalid: %s', (_, plan, choice, feedback) => {
    expect(refusalOf(plan(), choice, feedback)).toMatchObject({
      kind: 'incomplete',
      why: expect.stringContaining(`${choice} on `) as string,
      remedy: expect.stringMatching(/^Name the extra .*--feedback "/) as string,
    })
  })

  test.each([
    ['time as requested', time, 'grant', ''],
    ['time in a sentence', time, 'grant', '45 min, no more'],
    ['a text without a number', time, 'grant', 'if you must'],
    ['tokens in a sentence', tokens, 'grant', 'tokens: 200,000'],
    ['time for a worker', stalled, 'extend', '45'],
  ] as const)('is accepted as written: %s', (_, plan, choice, feedback) => {
    expect(refusalOf(plan(), choice, feedback)).toBeNull()
  })
})
