/** Seed D, section 8, test_integration.py: milestones. */
import { describe, expect, test } from 'vitest'
import { phaseOf } from '../../src/core/decide/records.ts'
import { standing } from '../../src/core/decide/standing.ts'
import { anIntegrationTest, low } from '../helpers/plan-builder.ts'
import { ScriptedProject, taskOf, type ProjectOptions } from '../helpers/scripted-project.ts'

const tasks = [
  low('1', { layer: 'core' }),
  low('2', { layer: 'core' }),
  low('3', { layer: 'workflow', dependsOn: ['1', '2'] }),
]
const integration = [
  anIntegrationTest('it-core', 'core', ['1', '2']),
  anIntegrationTest('it-flow', 'workflow', ['3']),
]
const project = (integrated?: ProjectOptions['integrated']) =>
  ScriptedProject.registered(tasks, { integration, ...(integrated === undefined ? {} : { integrated }) })

describe('integration', () => {
  test('test_milestone_detection: a layer is validated when its last task is completed, before the next one starts', async () => {
    const layered = await project()
    await layered.run()
    const interesting = (await layered.entries()).flatMap(({ event }) => {
      if (event.type === 'task.committed') return [`committed ${event.task}`]
      if (event.type === 'task.dispatched') return [`started ${event.task}`]
      return event.type === 'integration.ran' ? [`integrated ${event.layer}`] : []
    })
    expect(interesting.slice(0, 2).toSorted()).toEqual(['started 1', 'started 2'])
    expect(interesting.slice(2, 4).toSorted()).toEqual(['committed 1', 'committed 2'])
    expect(interesting.slice(4)).toEqual([
      'integrated core',
      'started 3',
      'committed 3',
      'integrated workflow',
    ])
  })

  test('test_integration_pass_advances_phase: when all layers have passed, the release follows', async () => {
    const layered = await project()
    const engine = await layered.run()
    expect([...engine.state.layers.values()].map(({ status }) => status)).toEqual(['passed', 'passed'])
    expect([phaseOf(engine.state), standing(engine.state).state]).toEqual(['done', 'done'])
  })

  test('test_integration_fail_loops_to_decompose: a failure adds a diagnostic task, and the tests run again', async () => {
    const layered = await project((test, round) => (test === 'it-core' && round === 1 ? 'failed' : 'passed'))
    const engine = await layered.run()
    expect(
      (await layered.events('plan.extended')).map(({ about, tasks: [task] }) => [about, task?.id]),
    ).toEqual([['core', 'diagnose-core-1']])
    expect(taskOf(engine, 'diagnose-core-1').step).toBe('completed')
    expect((await layered.events('integration.ran')).map(({ layer, round }) => `${layer} ${round}`)).toEqual([
      'core 1',
      'core 2',
      'workflow 1',
    ])
    expect(standing(engine.state).state).toBe('done')
  })

  test('test_integration_max_retries_pauses: after two diagnostic rounds the plan pauses', async () => {
    const layered = await project((test) => (test === 'it-core' ? 'failed' : 'passed'))
    const engine = await layered.run()
    expect(await layered.events('integration.ran')).toHaveLength(3)
    expect(standing(engine.state)).toEqual({
      state: 'paused',
      why: 'integration of core still fails after 2 rounds',
    })
    expect(taskOf(engine, '3').step).toBe('ready')
  })
})
