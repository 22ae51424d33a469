import { describe, expect, test } from 'vitest'
import { critical, HOUR, low, normal, type PlanOptions } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import type { TaskSpec } from '../planning/plan.ts'

/** The tasks that were dispatched, in order. */
const sent = (plan: PlayedPlan): string[] => plan.all('task.dispatched').map(({ task }) => task)
const begun = (tasks: readonly TaskSpec[], options: PlanOptions = {}): PlayedPlan =>
  PlayedPlan.begun(tasks, options)
/** Completes every started task, one after the other, until nothing is left. */
function playOut(plan: PlayedPlan): string[] {
  for (let task = [...plan.state.active][0]; task !== undefined; task = [...plan.state.active][0]) {
    plan.complete(task.spec.id)
  }
  return sent(plan)
}

test('critical goes before normal, normal before low, whatever the plan order', () => {
  const plan = begun([low('l'), normal('n'), critical('c')])
  expect(playOut(plan)).toEqual(['c', 'n', 'l'])
})

test('within a tier, what is depended on goes first, then plan order', () => {
  const plan = begun([low('b', { dependsOn: ['a'] }), low('c'), low('a')], {
    settings: { maxParallelAgents: 1 },
  })
  expect(playOut(plan)).toEqual(['c', 'a', 'b'])
})

test('the same plan is worked in the same order every time', () => {
  const tasks = [low('1'), normal('2'), low('3', { dependsOn: ['2'] }), critical('4', { dependsOn: ['1'] })]
  expect(playOut(begun(tasks))).toEqual(playOut(begun(tasks)))
})

describe('in parallel', () => {
  test('low tasks run in parallel up to the limit', () => {
    const tasks = ['1', '2', '3', '4', '5'].map((id) => low(id))
    expect(sent(begun(tasks))).toEqual(['1', '2', '3'])
    expect(sent(begun(tasks, { settings: { maxParallelAgents: 2 } }))).toEqual(['1', '2'])
  })

  test('a slot that becomes free is used at once', () => {
    const plan = begun(['1', '2', '3', '4'].map((id) => low(id)))
    expect(sent(plan.complete('2'))).toEqual(['1', '2', '3', '4'])
  })

  test('a critical task runs alone', () => {
    const plan = begun([critical('c'), critical('d'), low('l')])
    expect(sent(plan)).toEqual(['c'])
    expect(sent(plan.complete('c'))).toEqual(['c', 'd'])
  })

  test('a normal task runs alone unless the settings say otherwise', () => {
    expect(sent(begun([normal('n'), normal('m'), low('l')]))).toEqual(['n'])
    const widened = { settings: { parallelTiers: ['low', 'normal'] as ('low' | 'normal')[] } }
    expect(sent(begun([normal('n'), normal('m'), low('l')], widened))).toEqual(['n', 'm', 'l'])
  })

  test('critical stays alone even where the settings name it', () => {
    const settings = { parallelTiers: ['low' as const, 'normal' as const, 'critical' as const] }
    expect(sent(begun([critical('c'), critical('d'), low('l')], { settings }))).toEqual(['c'])
  })

  test('two tasks of one area never run at once, nor do an area and a part of it', () => {
    const tasks = [
      low('1', { ownership: 'src/api' }),
      low('2', { ownership: 'src/api' }),
      low('3', { ownership: 'src/api/auth' }),
      low('4', { ownership: 'src' }),
      low('5', { ownership: 'docs' }),
    ]
    expect(sent(begun(tasks))).toEqual(['1', '5'])
  })

  test('nothing overtakes a critical task that waits for running tasks', () => {
    const [c, more] = [critical('c', { dependsOn: ['1'] }), ['3', '4', '5'].map((id) => low(id))]
    const plan = begun([low('1'), low('2'), c, ...more])
    expect(sent(plan)).toEqual(['1', '2', '3'])
    expect(sent(plan.complete('1'))).toEqual(['1', '2', '3', '4'])
    expect(sent(plan.complete('2').complete('3'))).toEqual(['1', '2', '3', '4'])
    expect(sent(plan.complete('4'))).toEqual(['1', '2', '3', '4', 'c'])
  })

  test('with more tiers in parallel, the longest chain starts first', () => {
    const tasks = [
      low('short', { timeBudgetMs: HOUR }),
      normal('mid', { timeBudgetMs: 2 * HOUR }),
      low('head', { timeBudgetMs: HOUR }),
      low('tail', { timeBudgetMs: 5 * HOUR, dependsOn: ['head'] }),
    ]
    const settings = { parallelTiers: ['low' as const, 'normal' as const], maxParallelAgents: 2 }
    expect(sent(begun(tasks, { settings }))).toEqual(['head', 'mid'])
  })

  test('a tier that runs alone is not started beside others, however long it has waited', () => {
    const tasks = [
      ...['1', '2', '3'].map((id) => normal(id)),
      normal('4', { timeBudgetMs: 9 * HOUR }),
      low('l', { timeBudgetMs: 1 }),
    ]
    const settings = { parallelTiers: ['normal' as const], maxParallelAgents: 2, reviewByRules: true }
    const plan = begun(tasks, { settings })
    expect(sent(plan)).toEqual(['4', '1'])
    plan.complete('1').complete('2').complete('3')
    expect([sent(plan), plan.step('4'), plan.step('l')]).toEqual([['4', '1', '2', '3'], 'launching', 'ready'])
    expect(sent(plan.complete('4'))).toEqual(['4', '1', '2', '3', 'l'])
  })
})

describe('so that no low task starves', () => {
  const many = ['1', '2', '3', '4', '5', '6', '7'].map((id) => normal(id))

  test('one starts after every three completions of higher tiers, and only one', () => {
    expect(playOut(begun([...many, low('a'), low('b'), low('c')]))).toEqual('1 2 3 a 4 5 6 b 7 c'.split(' '))
  })

  test('the log has the reason why it went first', () => {
    const plan = begun([...many, low('a')])
    plan.complete('1').complete('2').complete('3')
    expect(plan.decisions('a')).toEqual(['low task after 3 completions of higher tiers'])
  })

  test('the number of completions is a setting', () => {
    const plan = begun([...many.slice(0, 3), low('a')], { settings: { antiStarvationInterval: 1 } })
    expect(playOut(plan)).toEqual(['1', 'a', '2', '3'])
  })

  test('the others continue where no low task is ready', () => {
    expect(playOut(begun([...many.slice(0, 4), low('a', { dependsOn: ['4'] })]))).toEqual(
      '1 2 3 4 a'.split(' '),
    )
  })
})

test('nothing new is started while too many results wait for a person', () => {
  const tasks = ['1', '2', '3'].map((id) => low(id))
  const settings = { approval: 'each_task' as const, maxWaitingForReview: 1, maxParallelAgents: 1 }
  const plan = begun(tasks, { settings }).work('1').gates('1')
  expect([plan.step('1'), sent(plan)]).toEqual(['awaiting_person', ['1']])
  plan.answer('approve')
  expect(plan.step('1')).toBe('committing')
  expect(sent(plan.commit('1'))).toEqual(['1', '2'])
})

test('an agent that has ended leaves its slot to the next worker at once', () => {
  const plan = begun([low('1'), low('2'), low('3')], { settings: { maxParallelAgents: 1 } })
  expect(sent(plan.started('1'))).toEqual(['1'])
  expect([sent(plan.ended('1')), plan.step('1')]).toEqual([['1', '2'], 'collecting'])
})

test('a task whose worker failed keeps its slot for the next attempt', () => {
  const plan = begun([low('1'), low('2')], { settings: { maxParallelAgents: 1 } })
  plan.work('1', { end: { kind: 'failed', reason: 'it crashed' }, report: null })
  expect([sent(plan), plan.step('1')]).toEqual([['1'], 'deciding'])
})

test('nothing new is started while too much finished work has not landed', () => {
  const tasks = ['1', '2', '3', '4', '5'].map((id) => low(id))
  const plan = begun(tasks, { settings: { maxParallelAgents: 1, maxWaitingForReview: 2 } })
  for (const id of ['1', '2', '3']) plan.work(id)
  expect([sent(plan), plan.state.manned]).toEqual([['1', '2', '3'], 0])
  expect(sent(plan.gates('1').commit('1'))).toEqual(['1', '2', '3', '4'])
})

test('a task that waits for a person leaves its slot to others and keeps its area', () => {
  const tasks = [low('1', { ownership: 'a' }), low('2', { ownership: 'a' }), low('3', { ownership: 'b' })]
  const plan = begun(tasks, { settings: { approval: 'each_task', maxParallelAgents: 1 } })
  plan.work('1').gates('1')
  expect(sent(plan)).toEqual(['1', '3'])
})

test('dependents of a blocked task are skipped, and the rest continues', () => {
  const plan = begun([normal('1'), normal('2', { dependsOn: ['1'] }), normal('3')])
  plan.work('1', { end: { kind: 'blocked', reason: 'which one?' } })
  expect([plan.step('1'), plan.step('2'), sent(plan)]).toEqual(['escalated', 'pending', ['1', '3']])
})
