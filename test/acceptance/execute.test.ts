/** Seed D, section 8, test_execute.py: the flow of a plan. Titles note where our order differs from the seed's. */
import { describe, expect, test } from 'vitest'
import { phaseOf, planRecord } from '../../src/core/decide/records.ts'
import { standing } from '../../src/core/decide/standing.ts'
import { freeze } from '../../src/core/state/snapshot.ts'
import { loadPlan } from '../../src/engine/plan-log.ts'
import { inSequence } from '../../src/simulation/scripted-person.ts'
import { anIntegrationTest, low } from '../helpers/plan-builder.ts'
import { ScriptedProject, STREAM, taskOf } from '../helpers/scripted-project.ts'

const EACH = { settings: { approval: 'each_task' as const } }
const deciding = (...choices: string[]) =>
  inSequence(choices.map((choice) => ({ choice, feedback: `${choice} it` })))

describe('the execute phase', () => {
  test('test_happy_path: three tasks, all gates pass, all are approved: integrated and released (gates come before the person)', async () => {
    const tasks = ['1', '2', '3'].map((id) => low(id, { layer: 'core' }))
    const project = await ScriptedProject.registered(tasks, {
      ...EACH,
      integration: [anIntegrationTest('it-1', 'core', ['1', '2', '3'])],
      person: deciding('approve', 'approve', 'approve'),
    })
    const engine = await project.run()
    expect([...engine.state.tasks.values()].map(({ step }) => step)).toEqual(Array(3).fill('completed'))
    expect(engine.state.layers.get('core')?.status).toBe('passed')
    expect(phaseOf(engine.state)).toBe('done')
    const order = (await project.entries()).map(({ event }) => event.type)
    expect(order.indexOf('task.gated')).toBeLessThan(order.indexOf('inbox.answered'))
  })

  test('test_task_dependency_ordering: no task starts before its dependencies are completed', async () => {
    const tasks = [
      low('c', { dependsOn: ['a', 'b'] }),
      low('b', { dependsOn: ['a'] }),
      low('a'),
      low('d', { dependsOn: ['c'] }),
    ]
    const project = await ScriptedProject.registered(tasks)
    await project.run()
    expect((await project.events('task.dispatched')).map(({ task }) => task)).toEqual(['a', 'b', 'c', 'd'])
    expect((await project.events('task.committed')).map(({ task }) => task)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('test_revision_loop: revise, then approve; the feedback reaches the worker with its last draft', async () => {
    const project = await ScriptedProject.registered([low('1')], {
      ...EACH,
      person: inSequence([{ choice: 'revise', feedback: 'use a map' }, { choice: 'approve' }]),
    })
    const engine = await project.run()
    expect(project.jobs.map(({ context }) => context.feedback)).toEqual([null, 'use a map'])
    expect(project.jobs[1]?.context.draft?.worker).toBe('w-shop-1-1')
    expect(taskOf(engine, '1')).toMatchObject({ step: 'completed', attempt: 2, counters: { revisions: 1 } })
  })

  test('test_max_revisions_escalates: after three revisions without approval the plan pauses', async () => {
    const project = await ScriptedProject.registered([low('1')], {
      ...EACH,
      person: deciding('revise', 'revise', 'revise', 'revise'),
    })
    const engine = await project.run()
    expect(standing(engine.state)).toEqual({
      state: 'paused',
      why: 'task 1 was revised 3 times and is still not approved',
    })
    expect([project.jobs.length, project.workspace.landed]).toEqual([4, []])
  })

  test('test_reject_returns_to_decompose: a rejected task fails and goes back to planning', async () => {
    const project = await ScriptedProject.registered([low('1'), low('2', { dependsOn: ['1'] })], {
      ...EACH,
      person: (item) =>
        item.kind === 'approval'
          ? { choice: 'reject', feedback: 'not like this', afterMs: 0, times: 1 }
          : null,
    })
    const engine = await project.run()
    expect([taskOf(engine, '1').step, phaseOf(engine.state)]).toEqual(['failed', 'decompose'])
    expect([...engine.state.inbox.values()][0]?.item).toMatchObject({
      kind: 'question',
      recommended: 'rescope',
    })
    expect(project.workspace.landed).toEqual([])
  })

  test('test_pause_serializes_and_exits: pause saves the state and its reason, and the engine ends cleanly', async () => {
    const project = await ScriptedProject.registered([low('1')], {
      ...EACH,
      person: inSequence([{ choice: 'pause', feedback: 'back on Monday' }]),
    })
    const engine = await project.run()
    expect(planRecord(engine.state).blocked_reason).toBe('back on Monday')
    await engine.close()
    const saved = await loadPlan(project.log, STREAM)
    expect(JSON.stringify(freeze(saved.state))).toBe(JSON.stringify(freeze(engine.state)))
    expect(project.troubles).toEqual([])
  })

  test('test_resume_from_saved_state: a new engine continues from the saved state', async () => {
    const project = await ScriptedProject.registered([low('1'), low('2', { dependsOn: ['1'] })], {
      ...EACH,
      person: deciding('pause', 'approve'),
    })
    const first = await project.run()
    await first.close()
    const second = await project.start()
    expect(standing(second.state).state).toBe('paused')
    await second.propose({ type: 'plan.resumed', v: 1, by: 'ada' })
    await second.propose({
      type: 'inbox.answered',
      v: 1,
      id: 'A-1',
      choice: 'approve',
      feedback: '',
      by: 'ada',
    })
    await project.quiet()
    expect(standing(second.state).state).toBe('done')
    expect(project.jobs.map(({ worker }) => worker)).toEqual(['w-shop-1-1', 'w-shop-2-1'])
  })
})
