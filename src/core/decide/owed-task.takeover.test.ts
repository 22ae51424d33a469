/** A person works in the place of a worker, and hands the work back. */
import { describe, expect, test } from 'vitest'
import { HOUR, low, normal } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { reviewArtifact } from '../delivery/review-artifact.ts'
import { outcomeOf } from './outcome.ts'
import { standing } from './standing.ts'

const TASKS = [low('1'), low('2', { dependsOn: ['1'] })]

function condemned(tasks = TASKS): PlayedPlan {
  const plan = PlayedPlan.begun(tasks).started('1').session('1')
  const { worker, task, attempt } = plan.last('session.opened')
  const about = { worker, task, attempt, cause: 'taken_over', why: 'ada took it over', by: 'ada' } as const
  return plan.tell({ type: 'worker.condemned', v: 1, ...about })
}
const takenOver = (): PlayedPlan => condemned().ended('1', { end: { kind: 'stopped', cause: 'taken_over' } })

describe('a worker that a person takes over', () => {
  test('is saved and stopped, and its task waits for that person', () => {
    expect(condemned().keys()).toEqual(['stop w-shop-1-1'])
    const plan = takenOver()
    expect([plan.step('1'), plan.item().subject, plan.item().problem]).toEqual([
      'taken_over',
      'takeover',
      'ada has taken over w-shop-1-1 at task 1 (Do 1)',
    ])
    expect([standing(plan.state).state, outcomeOf(plan.state, plan.now)]).toEqual(['waiting', 'needs_person'])
  })

  test('is not watched: no clock runs, and no worker takes its place', () => {
    const plan = takenOver().pass(10 * HOUR)
    expect([plan.step('1'), plan.all('task.dispatched').length, plan.all('worker.judged')]).toEqual([
      'taken_over',
      1,
      [],
    ])
  })

  test('that finished just before it could be stopped is theirs all the same', () => {
    expect(condemned().ended('1').step('1')).toBe('taken_over')
  })

  test('keeps a task that runs alone alone', () => {
    const plan = condemned([normal('1'), low('2')])
    plan.ended('1', { end: { kind: 'stopped', cause: 'taken_over' } })
    expect(plan.all('task.dispatched').map(({ task }) => task)).toEqual(['1'])
  })

  test('is saved where the plan is cancelled meanwhile', () => {
    const plan = takenOver().cancel()
    expect([plan.step('1'), plan.keys()]).toEqual(['collecting', ['collect w-shop-1-1']])
  })

  test('stays with the person through an edit of its task, and is saved where the task is removed', () => {
    const edited = takenOver().edit(TASKS, [low('1', { acceptanceCriteria: ['blue'] }), ...TASKS.slice(1)])
    expect([edited.step('1'), edited.item().subject]).toEqual(['taken_over', 'takeover'])
    const alone = condemned([low('1'), low('2')]).ended('1', {
      end: { kind: 'stopped', cause: 'taken_over' },
    })
    const removed = alone.edit([low('1'), low('2')], [low('2')])
    expect(removed.step('1')).toBe('collecting')
    expect(removed.collected('1').step('1')).toBe('failed')
  })
})

describe('work that a person hands back', () => {
  test("goes to the gates as the attempt's own, and uses none", () => {
    const plan = takenOver().answer('gates').collected('1')
    const { attempt, counters } = plan.task('1')
    expect([plan.step('1'), attempt, counters.restarts, counters.fixes]).toEqual(['gating', 1, 0, 0])
    plan.gates('1')
    expect(reviewArtifact(plan.effect('commit_task'))).toContain(
      '## By hand\n\nada worked on it in the place of the worker.',
    )
    expect(plan.decisions('1').join()).toContain('ada answered Q-1: gates')
  })

  test('goes on with the agent in its session, at no cost', () => {
    const plan = takenOver().answer('agent', { feedback: 'finish the tests' }).collected('1')
    const { session, context } = plan.effect('start_worker', '1')
    expect([session?.id, context.feedback, context.cause]).toEqual([
      'session-of-w-shop-1-1',
      'finish the tests',
      { kind: 'restarted' },
    ])
    expect([plan.task('1').counters.restarts, context.draft?.people]).toEqual([0, ['ada']])
  })

  test('without any change goes back to the agent and uses no attempt', () => {
    const plan = takenOver().answer('gates').collected('1', [])
    expect([plan.last('task.dispatched').why, plan.task('1').counters.restarts]).toEqual([
      'restarted by a person',
      0,
    ])
  })
})
