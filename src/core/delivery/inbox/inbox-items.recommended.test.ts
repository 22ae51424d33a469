import { expect, test } from 'vitest'
import { aTask } from '../../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../../test/helpers/played-plan.ts'
import type { Cause, InboxItem } from '../../event-schemas/schemas.ts'
import { effectEscalation, releaseGateEscalation, taskEscalation } from './inbox-items.ts'
import { NOT_STARTED } from '../not-started.ts'
import { breakerEscalation, providerAlert } from './request-items.ts'

const plan = PlayedPlan.begun([aTask('1')])
const { state } = plan
const about = (cause: Cause): InboxItem => taskEscalation(state, plan.task('1'), cause)
const breaker = {
  signature: 's',
  reason: 'r',
  tasks: ['1'],
  times: 3,
  probes: 0,
  probe: null,
  probeAt: 0,
  over: null,
}

test.each<[string, InboxItem]>([
  ['a gate that could not be checked', about({ kind: 'gates_inconclusive', gates: ['lint'] })],
  ['a worker that cannot be started', about({ kind: 'lost', reason: `${NOT_STARTED}claude is missing` })],
  ['a reviewer that cannot be started', about({ kind: 'reviewer_lost', reason: `${NOT_STARTED}no` })],
  ['a provider that limits its agent', about({ kind: 'limited', until: null })],
  [
    'a step of Bosun that fails, for example on a full disk',
    effectEscalation(state, { kind: 'take_baseline', key: 'baseline', tasks: [] }, 'no space left'),
  ],
  ['an agent that is not signed in', providerAlert(state, 'claude', { why: 'please sign in', waiting: 1 })],
  ['workers that all fail alike', breakerEscalation(state, breaker)],
  ['a release gate that does not pass', releaseGateEscalation(state)],
])('%s is never recommended to another worker, since none can help', (_, item) => {
  expect(['revise', 'retry']).not.toContain(item.recommended)
  expect(item.options.map(({ key }) => key)).toContain(item.recommended)
})

test('a retry is recommended after a worker crashed', () => {
  expect(about({ kind: 'lost', reason: 'it was killed' }).recommended).toBe('retry')
})

test('the answer "recheck" runs inconclusive gates again without another worker', () => {
  const once = PlayedPlan.begun([aTask('1')]).work('1')
  for (let round = 0; once.step('1') === 'gating' && round < 10; round++)
    once.gates('1', { inconclusive: ['lint_typecheck'] })
  expect(once.step('1')).toBe('escalated')
  const { attempt } = once.task('1')
  once.answer('recheck')
  expect([once.step('1'), once.task('1').attempt]).toEqual(['gating', attempt])
  expect(once.effect('run_gates', '1').tree).toBe(once.task('1').draft?.tree)
})

test('feedback is recommended, not a retry, for a worker that reported a blocker', () => {
  const reason = 'it stalled, and it says that it is blocked: the database is down'
  expect(about({ kind: 'lost', reason })).toMatchObject({
    problem: expect.stringContaining('the database is down'),
    recommended: 'revise',
  })
})
