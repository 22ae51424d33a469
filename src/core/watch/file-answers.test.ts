import { describe, expect, test } from 'vitest'
import { HOUR, low, MINUTE } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { fileAnswerMisfit } from './file-answers.ts'

/** A worker that a person was told of. */
const stalled = (): PlayedPlan =>
  PlayedPlan.begun([low('1', { timeBudgetMs: 10 * HOUR })], { settings: { reportEveryMs: 1000 * HOUR } })
    .started('1')
    .lives('1')
    .pass(5 * MINUTE)
    .pass(MINUTE)
const misfit = (plan: PlayedPlan, choice: string, feedback = ''): string | null =>
  fileAnswerMisfit(plan.item(), { choice, feedback }, plan.task('1').live)

describe('an answer by file', () => {
  test.each(['extend', 'nudge', 'restart', 'kill'])('may %s a worker', (choice) => {
    expect(misfit(stalled(), choice)).toBeNull()
  })

  test.each(['approve', 'accept', 'grant', 'answer', 'retry', 'pause'])('may not %s', (choice) => {
    expect(misfit(stalled(), choice)).toBe(`${choice} needs the user's token: bosun answer E-1 ${choice}`)
  })

  test('gives no more time than the rules do, all together', () => {
    const plan = stalled()
    const item = plan.item()
    expect(misfit(plan, 'extend', '61 min')).toContain(
      "more than 60 min on top of its limit needs the user's token",
    )
    plan.answer('extend', { feedback: '40 min' })
    const more = (feedback: string): string | null =>
      fileAnswerMisfit(item, { choice: 'extend', feedback }, plan.task('1').live)
    expect([more(''), more('20')]).toEqual([expect.any(String), null])
  })

  test('has to be one of what is asked', () => {
    expect(
      fileAnswerMisfit(
        { id: 'Q-1', options: [{ key: 'grant', label: '' }] },
        { choice: 'kill', feedback: '' },
        null,
      ),
    ).toBe('Q-1 takes grant, not kill')
  })
})
