import { describe, expect, test } from 'vitest'
import { anIntegrationTest, low } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { opened } from '../delivery/inbox/inbox-items.ts'
import { proposalQuestion } from '../delivery/inbox/release-items.ts'
import type { TaskSpec } from '../planning/plan.ts'
import { freeze, thaw } from '../state/snapshot.ts'

const specs = [low('1'), low('2', { dependsOn: ['1'] }), low('3', { dependsOn: ['2'] }), low('4')]

const edit = (
  plan: PlayedPlan,
  after: readonly TaskSpec[],
  before: readonly TaskSpec[] = specs,
): PlayedPlan => plan.edit(before, after)
const blue = { acceptanceCriteria: ['it is blue'] }
const changed = (id: string): readonly TaskSpec[] =>
  specs.map((spec) => (spec.id === id ? { ...spec, ...blue } : spec))
const alone = { settings: { maxParallelAgents: 1 } }

test('an edit of a plan that waits to be started leaves the question open, with what the plan takes now', () => {
  const proposal = { estimate: 'about 4 h' }
  const plan = new PlayedPlan(specs, { proposal })
  plan.tell(opened(proposalQuestion(plan.state, proposal)))
  const asked = () => [...plan.state.inbox.values()].map(({ item }) => item.problem)
  expect(asked()).toEqual(['the plan made from the spec waits for you: about 4 h'])
  plan.edit(specs, specs.slice(0, 2), 'about 2 h')
  expect(asked()).toEqual(['the plan made from the spec waits for you: about 2 h'])
})

describe('an edited plan', () => {
  test('leaves untouched tasks as they are, and completed work completed', () => {
    const plan = PlayedPlan.begun(specs, alone).complete('1').complete('4').complete('2')
    const before = structuredClone({ ...plan.task('1'), place: null })
    edit(plan, changed('3'))
    expect({ ...plan.task('1'), place: null }).toEqual(before)
    expect(plan.all('task.dispatched').filter(({ task }) => task === '1')).toHaveLength(1)
  })

  test('re-runs a completed task and its dependents on top of the landed work', () => {
    const plan = PlayedPlan.begun(specs, alone).complete('1').complete('4').complete('2').complete('3')
    edit(plan, changed('2'))
    expect([plan.step('1'), plan.step('3')]).toEqual(['completed', 'pending'])
    expect(plan.task('2')).toMatchObject({ commit: null, draft: null, earlier: [{ sha: 'sha-2' }] })
    expect(plan.task('2').live).toMatchObject({ worker: 'w-shop-2-2' })
    expect(plan.last('task.dispatched')).toMatchObject({ task: '2', attempt: 2, reason: 'again' })
    expect(plan.effect('start_worker').spec.acceptanceCriteria).toEqual(['it is blue'])
    expect(plan.effect('start_worker').context.feedback).toBe('the plan was edited: 2')
    expect(plan.complete('2').complete('3').owes('run_release_gate')).toBe(true)
  })

  test('stops the worker of a changed task, saves its work, and dispatches another one on its draft', () => {
    const plan = PlayedPlan.begun(specs, alone).started('1')
    edit(plan, changed('1'))
    expect(plan.effect('stop_worker')).toMatchObject({ worker: 'w-shop-1-1', cause: 'plan_edited' })
    plan.ended('1', { end: { kind: 'stopped', cause: 'plan_edited' }, report: null }).collected('1')
    expect(plan.task('1')).toMatchObject({ step: 'launching', counters: { restarts: 0 } })
    expect(plan.effect('start_worker').context.draft).toMatchObject({ worker: 'w-shop-1-1' })
  })

  test('drops removed tasks and stops their workers', () => {
    const plan = PlayedPlan.begun(specs, alone).started('1')
    edit(plan, [low('2'), low('3', { dependsOn: ['2'] }), low('4')])
    expect(plan.effect('stop_worker')).toMatchObject({ worker: 'w-shop-1-1' })
    plan.ended('1', { end: { kind: 'stopped', cause: 'plan_edited' }, report: null }).collected('1')
    expect([plan.step('1'), plan.task('1').dropped]).toEqual(['failed', true])
    for (const id of ['2', '4', '3']) plan.complete(id)
    expect(plan.owes('run_release_gate')).toBe(true)
  })

  test('keeps a split: dependents of the task depend on its last part', () => {
    const whole = [low('1'), low('2', { dependsOn: ['1'] })]
    const plan = PlayedPlan.begun(whole, { settings: { fixAttempts: 0 } })
      .work('1')
      .gates('1', { failed: ['unit'] })
      .answer('reject')
    const parts = [low('1-s1'), low('1-s2', { dependsOn: ['1-s1'] })]
    const proposed = { recommend: 'split' as const, note: '', by: 'rules', parts }
    plan.tell({ type: 'task.replanned', v: 1, task: '1', ...proposed }).answer('split')
    edit(plan, [...whole, low('3', { dependsOn: ['1'] })], whole)
    for (const id of ['2', '3']) expect(plan.task(id).spec.dependsOn).toEqual(['1-s2'])
    for (const id of ['1-s1', '1-s2', '2', '3']) plan.complete(id)
    expect(plan.owes('run_release_gate')).toBe(true)
  })

  test('runs new tasks in their order', () => {
    const plan = PlayedPlan.begun(specs, alone)
    edit(plan, [...specs, low('5', { dependsOn: ['3'] })])
    for (const id of ['1', '4', '2', '3', '5']) plan.complete(id)
    expect(plan.owes('run_release_gate')).toBe(true)
  })

  test('closes items about a task that runs again', () => {
    const plan = PlayedPlan.begun([low('1')], { settings: { fixAttempts: 0 } })
    plan.work('1').gates('1', { failed: ['unit'] })
    expect(plan.state.inbox.size).toBe(1)
    edit(plan, [low('1', blue)], [low('1')])
    expect([plan.state.inbox.size, plan.step('1')]).toEqual([0, 'launching'])
  })

  test('re-runs the integration tests of a layer whose work runs again', () => {
    const layered = [low('1', { layer: 'core' }), low('2')]
    const integration = [anIntegrationTest('it-1', 'core', ['1'])]
    const plan = PlayedPlan.begun(layered, { ...alone, integration })
    plan.complete('1').integration('core', 'passed')
    plan.edit(layered, [{ ...low('1', { layer: 'core' }), ...blue }, low('2')])
    plan.complete('2').complete('1')
    expect(plan.effect('run_integration').round).toBe(2)
  })

  test('is rejected while an affected task is being committed', () => {
    const plan = PlayedPlan.begun([low('1')])
      .work('1')
      .gates('1')
    expect(plan.step('1')).toBe('committing')
    expect(() => edit(plan, [low('1', blue)], [low('1')])).toThrow('is being committed')
  })

  test('is the same state after a round trip through JSON', () => {
    const plan = PlayedPlan.begun(specs, alone).complete('1').complete('4').complete('2')
    edit(plan, [...changed('2'), low('5')])
    const again = thaw(JSON.parse(JSON.stringify(freeze(plan.state))))
    expect(JSON.stringify(freeze(again))).toBe(JSON.stringify(freeze(plan.state)))
  })
})
