/** Seed D, section 8, test_verify.py: the gates. */
import { describe, expect, test } from 'vitest'
import { ALWAYS_GATES, MANDATORY_GATES, gatesFor } from '../../src/core/planning/gates.ts'
import { standing } from '../../src/core/decide/standing.ts'
import { failing } from '../../src/simulation/scripted-gates.ts'
import { low } from '../helpers/plan-builder.ts'
import { ScriptedProject, taskOf } from '../helpers/scripted-project.ts'

/** Those of every task, and the two it was assigned. */
const ALL = MANDATORY_GATES.length + ALWAYS_GATES.length + 2

describe('the gates', () => {
  test('test_mock_gate_all_pass: scripted gates pass by default, and the task is done', async () => {
    const project = await ScriptedProject.registered([low('1')])
    const engine = await project.run()
    expect(taskOf(engine, '1').step).toBe('completed')
    expect(new Set(taskOf(engine, '1').verdicts?.map(({ outcome }) => outcome))).toEqual(new Set(['passed']))
    expect(taskOf(engine, '1').verdicts).toHaveLength(ALL)
  })

  test('test_mock_gate_failure_triggers_retry: a failed gate starts a fixer, whose brief names the gate', async () => {
    const project = await ScriptedProject.registered([low('1')], { gates: failing({ unit: 1 }) })
    await project.run()
    expect(project.jobs.map(({ role }) => role)).toEqual(['developer', 'fixer'])
    expect(project.jobs[1]?.context.cause).toEqual({ kind: 'gates_failed', gates: ['unit'] })
  })

  test('test_gate_retry_then_pass: only the failed gate runs again, then all of them', async () => {
    const project = await ScriptedProject.registered([low('1')], { gates: failing({ unit: 2 }) })
    const engine = await project.run()
    expect(
      (await project.events('task.gated')).map(({ scope, verdicts }) => [scope, verdicts.length]),
    ).toEqual([
      ['all', ALL],
      ['failed', 1],
      ['failed', 1],
      ['all', ALL],
    ])
    expect(taskOf(engine, '1')).toMatchObject({ step: 'completed', attempt: 3, counters: { fixes: 2 } })
  })

  test('test_gate_retry_exhausted_escalates: after two retries a person is asked, who may override, revise or reject', async () => {
    const project = await ScriptedProject.registered([low('1')], { gates: failing({ unit: Infinity }) })
    const engine = await project.run()
    expect(taskOf(engine, '1')).toMatchObject({ step: 'escalated', attempt: 3 })
    const item = [...engine.state.inbox.values()][0]?.item
    expect(item?.options.map(({ key }) => key)).toEqual(['revise', 'approve', 'reject'])
    expect(standing(engine.state).state).toBe('waiting')
    expect(project.workspace.landed).toEqual([])
  })

  test('test_gate_retry_exhausted_escalates: an override accepts it, in the name of the person', async () => {
    const project = await ScriptedProject.registered([low('1')], {
      gates: failing({ unit: Infinity }),
      person: (item) =>
        item.kind === 'escalation' ? { choice: 'approve', feedback: 'known', afterMs: 0, times: 1 } : null,
    })
    const engine = await project.run()
    expect(taskOf(engine, '1').step).toBe('completed')
    expect(taskOf(engine, '1').overrides).toMatchObject([{ what: 'unit', by: 'captain', reason: 'known' }])
  })

  test.each([
    ['core', ['src/core/energy.cpp'], ['build', 'unit', 'lint', 'contract']],
    ['workflow', ['workflows/relax.py'], ['unit', 'lint']],
    ['integration', ['tests/energy.py'], ['unit', 'numeric']],
    ['infrastructure', ['deploy/run.py'], ['unit', 'lint']],
    ['algorithm', ['algorithms/mix.py'], ['unit', 'lint']],
  ])('test_gate_assignment_by_layer: a %s task', (layer, paths, gates) => {
    expect(gatesFor({ layer, paths })).toEqual(gates)
  })
})
