import { describe, expect, test } from 'vitest'
import { low, normal } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import type { PlanQuestion } from '../planning/task-schema.ts'
import { freeze, thaw } from '../state/snapshot.ts'
import { standing } from '../decide/standing.ts'

const point = (words: string, fields: Partial<PlanQuestion> = {}): PlanQuestion => ({
  kind: 'undecided',
  words,
  line: 4,
  choices: [],
  ...fields,
})
const choice = point('Use either red or blue', { kind: 'alternatives', choices: ['red', 'blue'] })
const alone = { settings: { maxParallelAgents: 1 } }
const begun = (questions: readonly PlanQuestion[]): PlayedPlan =>
  PlayedPlan.begun([low('1', { questions }), low('2', { dependsOn: ['1'] }), low('3')], alone)
const about = (plan: PlayedPlan): (string | null)[] =>
  [...plan.state.inbox.values()].map(({ item }) => item.about)

describe('a task with an open point', () => {
  test('waits with its dependents, and other tasks go on', () => {
    const plan = begun([choice])
    expect([plan.step('1'), plan.step('2'), plan.step('3')]).toEqual(['pending', 'pending', 'launching'])
    expect(plan.item()).toMatchObject({
      kind: 'question',
      subject: 'plan_question',
      task: '1',
      recommended: 'a',
      options: [
        { key: 'a', label: 'red' },
        { key: 'b', label: 'blue' },
        { key: 'answer', label: 'decide it yourself: --feedback "…"' },
        { key: 'worker', label: 'the worker decides and notes it in its report' },
      ],
    })
    expect(plan.item().problem).toBe(
      'task 1 (Do 1), line 4 of the plan, leaves a choice open: "Use either red or blue"',
    )
    expect(plan.complete('3').owes('start_worker')).toBe(false)
    expect(standing(plan.state)).toMatchObject({ state: 'waiting', why: expect.stringContaining('Q-1') })
  })

  test('is asked about only after the baseline, and not where its work exists', () => {
    const plan = new PlayedPlan([low('1', { questions: [choice] }), low('2')]).decide()
    expect(plan.state.inbox.size).toBe(0)
    expect(plan.baseline('1').state.inbox.size).toBe(0)
    expect([plan.step('1'), plan.step('2')]).toEqual(['completed', 'launching'])
  })

  test.each([
    ['a', '', 'red'],
    ['b', 'a light one', 'blue; a light one'],
    ['answer', 'green', 'green'],
    ['worker', '', null],
  ])(
    'starts once %s is answered, with the decision in its context and its log',
    (key, feedback, decision) => {
      const plan = begun([choice]).complete('3').answer(key, { feedback })
      expect(plan.step('1')).toBe('launching')
      expect(plan.effect('start_worker', '1').context.decisions).toMatchObject([
        { words: 'Use either red or blue', decision, by: 'ada' },
      ])
      expect(plan.decisions('1').join('\n')).toContain(
        decision === null
          ? 'ada leaves it to the worker'
          : `ada decided on "Use either red or blue": ${decision}`,
      )
      expect(plan.complete('1').complete('2').state.counts.completed).toBe(3)
    },
  )

  test('waits until its last point is decided, in whatever order', () => {
    const plan = begun([choice, point('Store: TBD')])
    expect(about(plan)).toEqual(['1#1', '1#2'])
    plan.answer('worker', { about: '1#2' })
    expect([plan.step('1'), about(plan)]).toEqual(['pending', ['1#1']])
    plan.complete('3').answer('a', { about: '1#1' })
    expect(plan.step('1')).toBe('launching')
  })

  test('with more than three points gets one question about all', () => {
    const plan = begun(['A', 'B', 'C', 'D'].map((name) => point(`${name}: TBD`)))
    expect(about(plan)).toEqual(['1#all'])
    expect(plan.item().problem).toContain('leaves 4 points open: "A: TBD" (line 4)')
    plan.complete('3').answer('answer', { feedback: 'A is 1, the rest is 2' })
    expect(plan.task('1').planAnswers).toHaveLength(4)
    expect(plan.step('1')).toBe('launching')
  })
})

test('at most five open points are asked at a time, and one answer can leave all to the workers', () => {
  const tasks = Array.from({ length: 8 }, (_, at) =>
    low(String(at + 1), { questions: [point(`Value ${at}: TBD`, { line: at + 1 })] }),
  )
  const plan = PlayedPlan.begun(tasks, alone)
  expect(about(plan)).toHaveLength(5)
  expect(plan.item('1#1').impact).toContain('7 other open points in the plan')
  plan.answer('worker', { about: '1#1' })
  expect(about(plan)).toEqual(['2#1', '3#1', '4#1', '5#1', '6#1'])
  plan.answer('worker_all', { about: '3#1' })
  expect(about(plan)).toEqual([])
  expect([...plan.state.tasks.values()].every(({ planAnswers }) => planAnswers.length === 1)).toBe(true)
})

test('slices of a task share its open point: it is asked once, and the decision holds for all', () => {
  const tasks = [
    low('1-s1', { questions: [choice] }),
    low('1-s2', { questions: [choice], dependsOn: ['1-s1'] }),
  ]
  const plan = PlayedPlan.begun(tasks)
  expect(about(plan)).toEqual(['1-s1#1'])
  plan.answer('b')
  expect(plan.task('1-s2').planAnswers).toMatchObject([{ decision: 'blue' }])
  expect(plan.complete('1-s1').step('1-s2')).toBe('launching')
})

test('a decision survives a snapshot, and so does an open question', () => {
  const plan = begun([choice, point('Store: TBD')]).answer('a', { about: '1#1' })
  plan.state = thaw(JSON.parse(JSON.stringify(freeze(plan.state))))
  expect(about(plan.decide())).toEqual(['1#2'])
  plan.complete('3').answer('worker')
  expect(plan.effect('start_worker', '1').context.decisions).toHaveLength(2)
})

describe('an edit of the plan', () => {
  const before = [low('1', { questions: [choice] }), normal('2')]

  test('that settles the point closes the question', () => {
    const plan = PlayedPlan.begun(before, alone).complete('2')
    const { questions: _, ...settled } = low('1', { description: 'Use red.' })
    plan.edit(before, [settled, normal('2')])
    expect([plan.state.inbox.size, plan.step('1')]).toEqual([0, 'launching'])
  })

  test('that leaves its words keeps the decision', () => {
    const plan = PlayedPlan.begun(before, alone).answer('a')
    plan.edit(before, [low('1', { questions: [choice], description: 'More.' }), normal('2')])
    expect(plan.complete('2').step('1')).toBe('launching')
    expect(plan.effect('start_worker', '1').context.decisions).toMatchObject([{ decision: 'red' }])
  })

  test('that opens a point of finished work asks before the work is done again', () => {
    const plan = PlayedPlan.begun([low('1'), low('2')], alone).complete('1')
    plan.edit([low('1'), low('2')], [low('1', { questions: [choice], description: 'More.' }), low('2')])
    expect([plan.step('1'), about(plan)]).toEqual(['pending', ['1#1']])
    expect(plan.complete('2').answer('b').step('1')).toBe('launching')
  })

  test('that removes the task withdraws the question', () => {
    const plan = PlayedPlan.begun(before, alone).edit(before, [normal('2')])
    expect(plan.state.inbox.size).toBe(0)
  })
})
