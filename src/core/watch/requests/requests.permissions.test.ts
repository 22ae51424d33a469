import { describe, expect, test } from 'vitest'
import { HOUR, low, MINUTE } from '../../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../../test/helpers/played-plan.ts'
import { answerEvents } from '../../answers/answer-rules.ts'
import type { PersonAnswer } from '../../answers/person-answer.ts'
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

describe('equal permissions', () => {
  /** Two workers ask the same. */
  const both = (): PlayedPlan => {
    const plan = PlayedPlan.begun(
      [low('1', { timeBudgetMs: 10 * HOUR }), low('2', { timeBudgetMs: 10 * HOUR })],
      {
        settings: { reportEveryMs: 1000 * HOUR, maxParallelAgents: 2 },
      },
    )
    plan.started('1').started('2')
    hear(plan, asked('p1'))
    return hear(plan, { ...asked('p1'), worker: 'w-shop-2-1' })
  }
  const given = (choice: string, more: Partial<PersonAnswer> = {}): PersonAnswer => ({
    id: 'P-1',
    choice,
    feedback: '',
    by: 'ann',
    proof: 'token',
    ...more,
  })
  const say = (plan: PlayedPlan, answer: PersonAnswer): PlayedPlan => {
    const taken = answerEvents(plan.state, answer)
    if (!taken.ok) throw new Error(taken.refusal.why)
    for (const event of taken.events) plan.apply(event)
    return plan.decide()
  }
  const answers = (plan: PlayedPlan) =>
    plan.all('request.answered').map(({ worker, answer }) => `${worker} ${answer.outcome} ${answer.by}`)

  test('of several workers are answered by one answer', () => {
    const plan = both()
    expect(plan.state.inbox.size).toBe(2)
    say(plan, given('allow', { id: 'P-2' }))
    expect(plan.state.inbox.size).toBe(0)
    expect(answers(plan).toSorted()).toEqual(['w-shop-1-1 granted ann', 'w-shop-2-1 granted ann'])
    expect(plan.state.permissions).toEqual([])
    expect(hear(plan, asked('p2')).state.inbox.size).toBe(1)
  })

  test.each(['allow', 'deny'] as const)(
    'that a person decided for the plan (%s) are not asked again',
    (choice) => {
      const plan = say(both(), given(choice, { scope: 'plan' }))
      hear(hear(plan, asked('p2')), { ...asked('p2'), worker: 'w-shop-2-1' })
      expect([plan.state.inbox.size, plan.state.permissions.length]).toEqual([0, 1])
      const last = plan.last('request.answered')
      expect(last.answer).toMatchObject({ outcome: choice === 'allow' ? 'granted' : 'denied', by: 'ann' })
      expect(last.answer.text).toContain('by ann for the whole plan (P-1)')
      expect(plan.decisions('1').join()).toContain(`ann answered P-1: ${choice}, for the whole plan`)
    },
  )

  test('that a person decided for a task are asked again by the workers of others', () => {
    const plan = working()
    hear(plan, asked('p1'))
    say(plan, given('allow', { scope: 'task' }))
    expect(hear(plan, asked('p2')).state.inbox.size).toBe(0)
    expect(plan.state.permissions).toMatchObject([{ task: '1', decision: 'allow' }])
  })

  test('are asked again once a person has revoked the decision', () => {
    const plan = say(both(), given('allow', { scope: 'plan' }))
    const [remembered] = plan.state.permissions
    expect(remembered).toMatchObject({ item: 'P-1', task: null, at: plan.now })
    plan.tell({ type: 'permission.revoked', v: 1, item: 'P-1', by: 'bea' })
    expect(plan.state.permissions).toEqual([])
    expect(hear(plan, asked('p2')).state.inbox.size).toBe(1)
    const again = { type: 'permission.revoked', v: 1, item: 'P-1', by: 'bea' } as const
    expect(() => plan.tell(again)).toThrow('no remembered permission P-1')
  })

  test('are only those of the same command', () => {
    const plan = say(both(), given('allow', { scope: 'plan' }))
    const other = { ...asked('p2'), command: 'curl https://elsewhere.example' } as AgentEvent
    expect(hear(plan, other).state.inbox.size).toBe(1)
  })

  test('a request that does not state what it would do is answered for this once only', () => {
    const plan = working()
    hear(plan, { ...asked('p1'), command: null, tool: 'other', title: 'Do it' } as AgentEvent)
    expect(answerEvents(plan.state, given('allow', { scope: 'plan' }))).toMatchObject({
      ok: false,
      refusal: { kind: 'incomplete', why: expect.stringContaining('only this once') as string },
    })
    expect(answerEvents(plan.state, given('allow'))).toMatchObject({ ok: true })
  })
})
