import { describe, expect, test } from 'vitest'
import { HOUR, low, MINUTE } from '../../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../../test/helpers/played-plan.ts'
import { sessionEvents } from '../../../engine/external-events.ts'
import type { AgentEvent } from '../../../ports/agent.ts'

const WORKER = 'w-shop-1-1'
const working = (): PlayedPlan =>
  PlayedPlan.begun([low('1', { timeBudgetMs: 10 * HOUR })], {
    settings: { reportEveryMs: 1000 * HOUR },
  }).started('1')

const asked = (id: string, decision: 'allow' | 'ask' = 'ask'): AgentEvent => ({
  kind: 'permission_asked',
  worker: WORKER,
  seq: 1,
  id,
  tool: 'execute',
  title: 'curl',
  paths: [],
  command: 'curl https://example.com',
  decision,
  why: 'uses the network: curl',
})
function hear(plan: PlayedPlan, news: AgentEvent): PlayedPlan {
  for (const event of sessionEvents(plan.state, news)) plan.tell(event)
  return plan
}
const nudges = (plan: PlayedPlan): number =>
  plan.all('worker.told').filter(({ message }) => message.kind === 'nudge').length

describe('a permission that the policy leaves to a person', () => {
  test('is an item in the inbox, with the command and a default', () => {
    const plan = hear(working(), asked('p1'))
    expect(plan.item()).toMatchObject({
      id: 'P-1',
      kind: 'permission',
      recommended: 'deny',
      blocking: false,
      problem:
        'w-shop-1-1 at task 1 (Do 1) asks for permission: run `curl https://example.com` (uses the network: curl)',
    })
    expect(plan.item().options.map(({ key }) => key)).toEqual(['allow', 'deny'])
  })

  test('is asked once, however often the session reports it', () => {
    const plan = hear(hear(working(), asked('p1')), asked('p1'))
    expect(plan.all('request.received')).toHaveLength(1)
  })

  test.each(['allow', 'deny'] as const)('reaches the agent as %s', (choice) => {
    const plan = hear(working(), asked('p1')).answer(choice)
    expect(plan.effect('tell_worker').message).toMatchObject({ permission: { id: 'p1', decision: choice } })
    expect(plan.state.inbox.size).toBe(0)
  })

  test('is answered before any other message is delivered', () => {
    const plan = hear(working().pass(5 * MINUTE), asked('p1')).answer('allow')
    expect([nudges(plan), plan.effect('tell_worker').message.permission?.id]).toEqual([1, 'p1'])
  })

  test('lets the worker wait in silence, and is denied when no answer comes', () => {
    const plan = hear(working(), asked('p1')).pass(59 * MINUTE)
    expect([nudges(plan), plan.step('1')]).toEqual([0, 'working'])
    plan.pass(MINUTE)
    expect(plan.effect('tell_worker').message.permission).toEqual({ id: 'p1', decision: 'deny' })
    expect(plan.state.inbox.size).toBe(0)
  })

  test('is withdrawn when the agent no longer waits for it', () => {
    const plan = hear(working(), asked('p1'))
    hear(plan, {
      kind: 'permission_answered',
      worker: WORKER,
      seq: 2,
      id: 'p1',
      outcome: 'cancelled',
      by: 'supervisor',
    })
    expect([plan.state.inbox.size, plan.last('request.answered').answer.outcome]).toEqual([0, 'expired'])
  })

  test('is never refused for being one too many: the agent waits for each', () => {
    const plan = working()
    for (let nth = 1; nth <= 7; nth++) hear(plan, asked(`p${nth}`))
    expect(plan.state.inbox.size).toBe(7)
  })
})

test('a permission that the policy answers is nothing to the plan', () => {
  expect(sessionEvents(working().state, asked('p1', 'allow'))).toEqual([])
})

test('a message counts as delivered when the agent has it, and once', () => {
  const plan = working().pass(5 * MINUTE)
  const { id } = plan.effect('tell_worker').message
  const delivered = { kind: 'delivered', worker: WORKER, seq: 3, message: id } as const
  hear(hear(plan, delivered), delivered)
  expect(plan.all('worker.heard')).toMatchObject([{ messages: [id], via: 'session' }])
})
