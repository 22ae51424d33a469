import { describe, expect, test } from 'vitest'
import { HOUR, low, MINUTE } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { rejectionReason } from '../decide/admit.ts'
import type { LiveWorker } from '../state/state.ts'
import { extendBy, nudgeBy } from './person-actions.ts'

const QUIET = { settings: { reportEveryMs: 1000 * HOUR } }
const working = (): PlayedPlan =>
  PlayedPlan.begun([low('1', { timeBudgetMs: HOUR })], QUIET)
    .started('1')
    .lives('1')
const act = (plan: PlayedPlan) => ({ live: plan.task('1').live as LiveWorker, task: '1', by: 'ann' })

describe('a nudge by a person', () => {
  test('is delivered like the watch’s own, in the name of the person', () => {
    const plan = working()
    for (const event of nudgeBy(act(plan)) ?? []) plan.tell(event)
    expect(plan.effect('tell_worker').message).toMatchObject({ kind: 'nudge', by: 'ann' })
  })

  test('is not sent twice while the first waits', () => {
    const plan = working()
    for (const event of nudgeBy(act(plan)) ?? []) plan.tell(event)
    expect(nudgeBy(act(plan))).toBeNull()
  })
})

describe('time that a person gives', () => {
  test('moves the limit, reaches the supervisor and stands in the decisions', () => {
    const plan = working()
    for (const event of extendBy(act(plan), 30)) plan.tell(event)
    expect(plan.task('1').live?.watch.extraMs).toBe(30 * MINUTE)
    expect(plan.effect('extend_worker')).toMatchObject({ extraMs: 30 * MINUTE })
    expect(plan.decisions('1').join()).toContain('ann gave w-shop-1-1 30 min more')
  })

  test('is bounded, and nothing for a worker that is being stopped', () => {
    const plan = working()
    const [much] = extendBy(act(plan), 1441)
    const [some] = extendBy(act(plan), 30)
    if (much === undefined || some === undefined) throw new Error('no event')
    expect(rejectionReason(plan.state, much)).toBe('1441 min is not between 1 and 1440')
    plan.cancel()
    expect(rejectionReason(plan.state, some)).toMatch(/stopped|cancelled/)
  })
})
