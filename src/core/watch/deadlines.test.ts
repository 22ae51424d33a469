import { describe, expect, test } from 'vitest'
import { HOUR, low, MINUTE, START } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { deadline, type Observed } from './deadlines.ts'

const NOTHING_SEEN: Observed = { since: START, lastSign: new Map() }
const seen = (at: number): Observed => ({ since: START, lastSign: new Map([['w-shop-1-1', at]]) })

function of(observed: Observed, settings: { stalledMs?: number; terminateAtPercent?: number } = {}) {
  const plan = PlayedPlan.begun([low('1', { timeBudgetMs: HOUR })], { settings }).started('1')
  const task = plan.task('1')
  if (task.live === null) throw new Error('nobody works')
  return deadline(task, task.live, { settings: plan.state.settings, observed })
}

describe('a worker has to be stopped', () => {
  test('when nothing was seen of it for as long as the settings say', () => {
    expect(of(NOTHING_SEEN)).toMatchObject({ at: START + 20 * MINUTE, cause: 'stalled' })
    expect(of(NOTHING_SEEN, { stalledMs: 6000 })).toMatchObject({
      at: START + 6000,
      why: 'w-shop-1-1 gave no sign of life for 6 s',
    })
  })

  test('counted from the last sign of life', () => {
    expect(of(seen(START + 7 * MINUTE)).at).toBe(START + 27 * MINUTE)
  })

  test('counted from when somebody began to look: the first look only arms the clock', () => {
    expect(of({ since: START + 30 * MINUTE, lastSign: new Map() }).at).toBe(START + 50 * MINUTE)
  })

  test('at its limit and a tenth, however lively it is', () => {
    expect(of(seen(START + 60 * MINUTE))).toEqual({
      at: START + 66 * MINUTE,
      cause: 'time_limit',
      why: 'w-shop-1-1 ran for 66 min, its limit is 60 min',
    })
    expect(of(seen(START + 60 * MINUTE), { terminateAtPercent: 100 }).at).toBe(START + 60 * MINUTE)
  })

  test("not because of another worker's silence", () => {
    const others = new Map([['w-shop-2-1', START + 40 * MINUTE]])
    expect(of({ since: START, lastSign: others }).at).toBe(START + 20 * MINUTE)
  })
})
