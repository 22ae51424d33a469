import { describe, expect, test } from 'vitest'
import { low } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { START } from '../../../test/helpers/plan-builder.ts'
import { TaskSpans } from './task-spans.ts'

/** `kind label from–to`, in milliseconds since the plan began. */
function spansOf(plan: PlayedPlan): Record<string, string[]> {
  const spans = new TaskSpans()
  for (const fact of plan.facts) spans.take(fact)
  return Object.fromEntries(
    spans.rows().map(({ task, spans: own }) => [
      task,
      own.map(({ kind, label, from, to }) => {
        const until = to === null ? 'now' : String(to - START)
        return `${kind} ${label} ${from - START}–${until}`.replace('  ', ' ')
      }),
    ]),
  )
}

describe('the timeline of a plan', () => {
  test('shows work, gates and landing of a task one after another', () => {
    const plan = PlayedPlan.begun([low('1')])
    plan.pass(5).started('1').pass(10).ended('1').pass(1).collected('1')
    plan.pass(20).gates('1').pass(3).commit('1').pass(9)
    expect(spansOf(plan)).toEqual({
      1: ['work w-shop-1-1 0–16', 'gates attempt 1 16–36', 'landing 36–39'],
    })
  })

  test('shows how long a task that could start had to wait', () => {
    const plan = PlayedPlan.begun([low('1'), low('2')], { settings: { maxParallelAgents: 1 } })
    plan.pass(7)
    expect(spansOf(plan)['2']).toEqual(['waiting ready to start 0–now'])
    plan.complete('1')
    plan.pass(2)
    expect(spansOf(plan)['2']).toEqual(['waiting ready to start 0–7', 'work w-shop-2-1 7–now'])
  })

  test('leaves out a task whose dependencies are not completed', () => {
    const plan = PlayedPlan.begun([low('1'), low('2', { dependsOn: ['1'] })])
    expect(Object.keys(spansOf(plan))).toEqual(['1'])
  })

  test('shows a review with its reviewer, and how long a person took to approve', () => {
    const plan = PlayedPlan.begun([low('1', { tier: 'critical' })], { settings: { approval: 'critical' } })
    plan.pass(4).work('1').pass(6).gates('1').pass(8).review('1')
    expect(plan.step('1')).toBe('awaiting_person')
    plan.pass(100)
    expect(spansOf(plan)['1']?.slice(1)).toEqual([
      'gates attempt 1 4–10',
      'review w-shop-1-1-review-1 10–18',
      `person ${plan.item().id} 18–now`,
    ])
    const { id } = plan.item()
    plan.answer('approve').pass(2).commit('1')
    expect(spansOf(plan)['1']?.slice(3)).toEqual([`person ${id} 18–118`, 'landing 118–120'])
  })

  test('shows an escalation as time of a person, with the item that asks', () => {
    const plan = PlayedPlan.begun([low('1')])
    for (let attempt = 1; attempt <= 3; attempt++)
      plan
        .work('1')
        .pass(1)
        .gates('1', { failed: ['unit'] })
    expect(plan.step('1')).toBe('escalated')
    plan.pass(50)
    expect(spansOf(plan)['1']?.at(-1)).toBe(`person ${plan.item().id} 3–now`)
  })
})

test('a timeline that is read on shows the same as one that is read whole', () => {
  const plan = PlayedPlan.begun([low('1'), low('2')])
    .pass(3)
    .complete('1')
    .pass(4)
  const [read, whole] = [new TaskSpans(), new TaskSpans()]
  for (const fact of plan.facts.slice(0, 4)) read.take(fact)
  read.rows()
  for (const fact of plan.facts.slice(4)) read.take(fact)
  for (const fact of plan.facts) whole.take(fact)
  expect(read.rows()).toEqual(whole.rows())
  expect(read.version).toBe(plan.state.version)
})
