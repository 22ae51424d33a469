import { expect, test } from 'vitest'
import { HOUR, low } from '../../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../../test/helpers/played-plan.ts'
import { outcomeOf } from '../../decide/outcome.ts'
import { standing } from '../../decide/standing.ts'

const QUIET = { settings: { reportEveryMs: 1000 * HOUR, maxParallelAgents: 2 } }
const FOUR = ['1', '2', '3', '4'].map((id) => low(id))
const FIX = 'Run `claude auth login`.'
const refused = { kind: 'limited', until: null, why: '401 invalid x-api-key', signIn: FIX } as const
const sent = (plan: PlayedPlan): number => plan.all('task.dispatched').length
const asked = (plan: PlayedPlan) => plan.all('inbox.opened').map(({ item }) => item)

/** Both workers that were started are not let in. */
const signedOut = (): PlayedPlan =>
  PlayedPlan.begun(FOUR, QUIET)
    .work('1', { end: refused, agent: 'claude' })
    .work('2', { end: refused, agent: 'claude' })

test('an agent that is not signed in is parked, a person is asked once with the fix, and nothing is tried', () => {
  const plan = signedOut()
  expect(asked(plan)).toMatchObject([
    {
      subject: 'provider',
      about: 'claude',
      blocking: true,
      problem: `claude is not signed in: 401 invalid x-api-key. ${FIX}`,
      recommended: 'retry',
    },
  ])
  expect(plan.all('provider.limited')).toMatchObject([{ agent: 'claude', signIn: FIX }])
  plan.pass(10 * HOUR)
  expect([sent(plan), asked(plan).length]).toEqual([2, 1])
  expect(plan.task('1').counters).toEqual(plan.task('3').counters)
  expect(outcomeOf(plan.state, plan.now)).toBe('needs_person')
  expect(standing(plan.state).why).toContain('claude is not signed in (401 invalid x-api-key); 4 tasks wait')
})

test('once a person has signed it in one worker tries it, and the others follow', () => {
  const plan = signedOut().pass(HOUR).answer('retry')
  expect(sent(plan)).toBe(3)
  plan.complete('1', { agent: 'claude' })
  expect(plan.last('provider.freed').agent).toBe('claude')
  expect(sent(plan)).toBeGreaterThan(3)
})

test('an agent that is still not signed in after that is asked about again', () => {
  const plan = signedOut().pass(HOUR).answer('retry').work('1', { end: refused, agent: 'claude' })
  expect([asked(plan).length, sent(plan)]).toEqual([2, 3])
})
