import { describe, expect, test } from 'vitest'
import { aReport, low, MINUTE } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { describeQueuePlace, proofWindow, queueOf } from './landing-queue.ts'

const UNIT = { failed: ['unit' as const] }
const lows = (...ids: string[]) => ids.map((id) => low(id))
const begun = (...ids: string[]): PlayedPlan =>
  PlayedPlan.begun(lows(...ids), { settings: { maxParallelAgents: 6, maxWaitingForReview: 9 } })
/** A plan whose agents have ended in this order. */
const finished = (...ids: string[]): PlayedPlan => ids.reduce((plan, id) => plan.work(id), begun(...ids))
const queue = (plan: PlayedPlan): string[] => queueOf(plan.state).map(({ spec }) => spec.id)
const place = (plan: PlayedPlan, id: string) => describeQueuePlace(plan.state, plan.task(id))
const proofs = (plan: PlayedPlan, id: string): number =>
  plan.all('work.collected').filter(({ task }) => task === id).length

describe('finished work', () => {
  test('queues in the order it ended, each on top of the one before', () => {
    const plan = finished('2', '1', '3')
    expect(queue(plan)).toEqual(['2', '1', '3'])
    expect(plan.task('3').draft?.base).toMatchObject({ onto: 'tree-w-shop-1-1', ahead: ['2', '1'] })
  })

  test('is proven in parallel, for as many tasks as agents may work', () => {
    const plan = PlayedPlan.begun(lows('1', '2', '3'), {
      settings: { maxParallelAgents: 2, maxWaitingForReview: 9 },
    })
    for (const id of ['1', '2', '3']) plan.work(id)
    expect(['1', '2', '3'].map((id) => plan.owes('run_gates', id))).toEqual([true, true, false])
    expect(place(plan, '3')).toBe('waiting to be proven on top of tasks 1 and 2')
    expect(plan.gates('1').owes('run_gates', '3')).toBe(true)
  })

  test('is proven only a limited distance ahead of the first that has not passed', () => {
    const plan = PlayedPlan.begun(lows('1', '2', '3', '4'), {
      settings: { maxParallelAgents: 3, maxWaitingForReview: 9 },
    })
    for (const id of ['1', '2', '3', '4']) plan.work(id)
    plan.gates('2').gates('3')
    expect(plan.owes('run_gates', '4')).toBe(false)
    expect(plan.gates('1').owes('run_gates', '4')).toBe(true)
  })

  test('that ended together joins by its number of dependents, then by the size of its change', () => {
    const many = { create: ['a', 'b', 'c'], modify: [], delete: [], refactor: null }
    const specs = [low('1', { files: many }), low('2'), low('3'), low('4', { dependsOn: ['3'] })]
    const plan = PlayedPlan.begun(specs, { settings: { maxParallelAgents: 6, maxWaitingForReview: 9 } })
    for (const id of ['1', '2', '3']) plan.started(id).ended(id)
    for (const id of ['3', '2', '1']) plan.collected(id)
    expect(queue(plan)).toEqual(['3', '2', '1'])
  })

  test('lands in its turn without another proof, in whatever order it passed', () => {
    const plan = finished('1', '2', '3').gates('3').gates('2')
    expect([place(plan, '2'), place(plan, '3')]).toEqual([
      'waiting to land, 2nd in the queue',
      'waiting to land, 3rd in the queue',
    ])
    expect(plan.owes('commit_task')).toBe(false)
    plan.gates('1').commit('1').commit('2').commit('3')
    expect(['1', '2', '3'].map((id) => proofs(plan, id))).toEqual([1, 1, 1])
    expect(plan.all('task.commit_refused')).toEqual([])
  })
})

describe('when one task fails its gates', () => {
  test('fewer are proven at once, the more often work has failed', () => {
    const plan = finished('1', '2', '3', '4', '5', '6')
    const windowAt = (failedProofs: number, landings: number): number =>
      proofWindow({ ...plan.state, failedProofs, landings })
    expect([windowAt(0, 0), windowAt(0, 40), windowAt(1, 60)]).toEqual([6, 6, 6])
    expect([windowAt(1, 19), windowAt(1, 9), windowAt(6, 54), windowAt(1, 3)]).toEqual([5, 3, 3, 2])
    expect([windowAt(1, 1), windowAt(1, 0), windowAt(50, 1)]).toEqual([1, 1, 1])
  })

  test('those behind it are proven one after the other where nothing has landed, and more at once after that', () => {
    const behind = ['2', '3', '4', '5', '6']
    const plan = finished('1', ...behind).gates('1', UNIT)
    for (const id of behind) plan.collected(id)
    const proving = (): string[] => behind.filter((id) => plan.owes('run_gates', id))
    expect(proving()).toEqual(['2'])
    plan.gates('2').commit('2')
    expect(proving()).toEqual(['3'])
    plan.gates('3').commit('3').gates('4').commit('4')
    expect(proving()).toEqual(['5', '6'])
  })

  test('only those behind it are proven again, without it, and keep their order', () => {
    const plan = finished('1', '2', '3', '4').gates('1').gates('4').gates('2', UNIT)
    expect(plan.step('2')).toBe('launching')
    expect(plan.step('3')).toBe('collecting')
    plan.collected('3').collected('4')
    expect(plan.task('4').draft?.base).toMatchObject({ onto: 'tree-w-shop-3-1-2', ahead: ['1', '3'] })
    plan.commit('1').gates('3').gates('4').commit('3').commit('4')
    expect([proofs(plan, '1'), proofs(plan, '3'), proofs(plan, '4')]).toEqual([1, 2, 2])
    expect(queue(plan)).toEqual([])
  })

  test('a failure on top of it is held until it is known which task caused it', () => {
    const plan = finished('1', '2').gates('2', UNIT)
    expect([plan.step('2'), plan.owes('run_gates', '2')]).toEqual(['gating', false])
    expect(place(plan, '2')).toBe('failed on top of task 1; waiting until those are proven')
    plan.gates('1', UNIT)
    plan.collected('2').gates('2')
    expect([plan.step('2'), plan.task('2').counters.fixes]).toEqual(['committing', 0])
  })

  test('a task that fails on top of passed work gets the names of those tasks', () => {
    const plan = finished('1', '2').gates('2', UNIT).gates('1')
    expect(plan.step('2')).toBe('launching')
    expect(plan.effect('start_worker', '2').context.cause).toEqual({
      kind: 'gates_failed',
      gates: ['unit'],
      onTopOf: ['1'],
    })
    expect(plan.decisions('2')).toContain('gates failed: unit, on top of 1')
  })

  test('its fix joins at the end', () => {
    const plan = finished('1', '2').gates('1', UNIT).collected('2').work('1')
    expect(queue(plan)).toEqual(['2', '1'])
    expect(plan.task('1').draft?.base).toMatchObject({ ahead: ['2'] })
  })
})

describe('work that waits for a person', () => {
  const asked = (): PlayedPlan =>
    PlayedPlan.begun(lows('1', '2'), { settings: { approval: 'each_task', maxParallelAgents: 2 } })
      .work('1')
      .gates('1')
      .work('2')
      .gates('2')

  test('does not block the others, and rejoins at the end once it is approved', () => {
    const plan = asked().answer('approve', { about: '2' })
    expect([plan.step('1'), queue(plan)]).toEqual(['awaiting_person', ['2']])
    plan.commit('2').answer('approve', { about: '1' })
    expect(plan.step('1')).toBe('collecting')
    plan.collected('1').gates('1').commit('1')
    expect(plan.all('inbox.opened')).toHaveLength(2)
  })

  test('lands without another proof where nothing has landed since', () => {
    const plan = asked().answer('approve', { about: '1' }).commit('1')
    expect(proofs(plan, '1')).toBe(1)
  })
})

test('a task with a long review loses its place, and rejoins once it is approved', () => {
  const unsure = { report: aReport({ selfAssessment: 'uncertain' as const }) }
  const plan = begun('1', '2').work('1', unsure).gates('1').work('2').gates('2')
  expect(queue(plan.pass(MINUTE))).toEqual(['1', '2'])
  expect([queue(plan.pass(5 * MINUTE)), plan.step('1')]).toEqual([['2'], 'reviewing'])
  plan.collected('2').gates('2').commit('2').review('1')
  expect(plan.step('1')).toBe('collecting')
  plan.collected('1').gates('1').commit('1')
  expect(plan.all('task.reviewed').filter(({ task }) => task === '1')).toHaveLength(1)
})

test('a rejected or removed task does not block the queue', () => {
  const specs = lows('1', '2')
  const plan = finished('1', '2').edit(specs, [low('1', { acceptanceCriteria: ['it is blue'] }), low('2')])
  expect(queue(plan)).toEqual(['2'])
  plan.collected('2').gates('2').commit('2')
  expect(plan.step('2')).toBe('completed')
})

test('work that cannot be collected at present does not block the others', () => {
  const plan = begun('1', '2').ended('1')
  plan.tell({ type: 'effect.failed', v: 1, effect: 'collect w-shop-1-1', reason: 'the disk is full' })
  plan.work('2').gates('2').commit('2')
  expect(plan.step('2')).toBe('completed')
})

test('work that conflicts with work before it waits until that has landed or left, without blocking the others', () => {
  const plan = begun('1', '2', '3').work('1').ended('2')
  plan.conflicting('2').work('3')
  expect([queue(plan), plan.owes('collect_work', '2')]).toEqual([['1', '3'], false])
  const left = plan.gates('1', UNIT).collected('3')
  expect(left.owes('collect_work', '2')).toBe(true)
  left.collected('2')
  expect(queue(left)).toEqual(['3', '2'])
})

test('work that conflicts with landed work is sent back', () => {
  const plan = begun('1', '2').work('1').ended('2')
  plan.conflicting('2').gates('1').commit('1').conflicting('2')
  expect(plan.task('2')).toMatchObject({ attempt: 2, cause: { kind: 'refused' } })
})
