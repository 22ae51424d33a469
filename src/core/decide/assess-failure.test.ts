import { describe, expect, test } from 'vitest'
import { HOUR, low } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import type { EventOf } from '../events/plan-events.ts'
import { NOT_STARTED } from '../delivery/not-started.ts'
import type { WorkerEnd } from '../event-schemas/schemas.ts'

const QUIET = { reportEveryMs: 1000 * HOUR }
const bad = { failed: ['unit' as const] }
const crash: WorkerEnd = { kind: 'failed', reason: 'exit code 1' }
const asking = (): PlayedPlan => PlayedPlan.begun([low('1')], { settings: { ...QUIET, brainAssesses: true } })

function assess(
  plan: PlayedPlan,
  proposal: EventOf<'task.failure_assessed'>['proposal'],
  advice: string | null = null,
): PlayedPlan {
  const { attempt } = plan.effect('assess_failure')
  const fields = { task: '1', attempt, proposal, note: 'the tests are wrong', advice, by: 'acme/large' }
  return plan.tell({ type: 'task.failure_assessed', v: 1, ...fields })
}

describe('a failed attempt', () => {
  test('is not put to the brain where the rules are the brain', () => {
    const plan = PlayedPlan.begun([low('1')], { settings: QUIET })
    plan.work('1').gates('1', bad)
    expect(plan.owes('assess_failure')).toBe(false)
    expect(plan.last('task.dispatched').reason).toBe('fix')
  })

  test('is put to the brain once, with what failed and how many attempts are left', () => {
    const plan = asking().work('1').gates('1', bad)
    const effect = plan.effect('assess_failure')
    expect(effect).toMatchObject({ attempt: 1, attemptsLeft: 2, cause: { kind: 'gates_failed' } })
    expect(effect.failed.map(({ gate }) => gate)).toEqual(['unit'])
    assess(plan, 'retry')
    expect(plan.owes('assess_failure')).toBe(false)
    expect(plan.last('task.dispatched')).toMatchObject({ attempt: 2, reason: 'fix' })
  })

  test('gives its advice to the next worker alone', () => {
    const plan = assess(asking().work('1').gates('1', bad), 'reduce_scope', 'leave the styles alone')
    expect(plan.effect('start_worker').context.advice).toBe('leave the styles alone')
    plan.work('1').gates('1', bad)
    assess(plan, 'retry')
    expect(plan.effect('start_worker').context.advice).toBeUndefined()
  })

  test('is shown to a person at once where the brain proposes that, with its reason', () => {
    const plan = assess(asking().work('1').gates('1', bad), 'escalate')
    expect([plan.step('1'), plan.all('task.dispatched').length]).toEqual(['escalated', 1])
    expect(plan.item().problem).toContain(
      'acme/large advises asking you before another attempt: the tests are wrong',
    )
    plan.answer('revise', { feedback: 'again' })
    expect(plan.last('task.dispatched').reason).toBe('revise')
  })

  test('is escalated without asking the brain once the budget is used up', () => {
    const plan = asking()
    for (const _ of [1, 2]) assess(plan.work('1').gates('1', bad), 'retry')
    plan.work('1').gates('1', bad)
    expect(plan.owes('assess_failure')).toBe(false)
    expect([plan.step('1'), plan.task('1').attempt]).toEqual(['escalated', 3])
    expect(plan.item().problem).not.toContain('advises')
  })

  test.each<readonly [string, WorkerEnd, boolean]>([
    ['a crash', crash, true],
    ['an agent that cannot be started', { kind: 'failed', reason: `${NOT_STARTED}no claude` }, false],
    ['a lost supervisor', { kind: 'interrupted', reason: 'the machine died' }, false],
  ])('by %s is put to the brain: %o %s', (_, end, isAsked) => {
    expect(asking().work('1', { end }).owes('assess_failure')).toBe(isAsked)
  })
})

test('nothing is asked while a worker runs', () => {
  const plan = asking()
  expect(plan.owes('assess_failure')).toBe(false)
  plan.lives('1').pass(HOUR / 2)
  expect(plan.owes('assess_failure')).toBe(false)
})

test('a proposal about another attempt, or a second one, is rejected', () => {
  const plan = asking().work('1').gates('1', bad)
  const event = {
    type: 'task.failure_assessed',
    v: 1,
    task: '1',
    attempt: 1,
    proposal: 'retry',
    note: '',
    advice: null,
    by: 'acme/large',
  } as const
  expect(() => plan.apply({ ...event, attempt: 2 })).toThrow('is not what is decided about')
  plan.apply(event)
  expect(() => plan.apply(event)).toThrow('this failure is assessed')
})

test('what the brain used counts for the plan and for the task', () => {
  const plan = asking().work('1').gates('1', bad)
  const usage = { tokensIn: 100, tokensOut: 20, tokensCached: 0, usd: 0.5 }
  const answered = { question: 'handle_failure', task: '1', by: 'acme/large', requests: 2, cached: false }
  plan.apply({ type: 'brain.answered', v: 1, ...answered, usage, fallback: null })
  plan.apply({
    type: 'brain.answered',
    v: 1,
    ...answered,
    by: 'rules',
    usage: null,
    fallback: 'acme is down',
  })
  expect(plan.state.thinking).toMatchObject({ calls: 2, requests: 4, fallbacks: 1, spent: { usd: 0.5 } })
  expect([plan.task('1').thinking?.spent.tokens, plan.state.spending.total.usd]).toEqual([120, 0.5])
  expect(plan.effect('assess_failure').spentUsd).toBe(0.5)
  expect(plan.decisions('1').at(-1)).toBe('not judged: handle failure: acme is down')
})
