import { describe, expect, test } from 'vitest'
import {
  anIntegrationTest,
  aReport,
  critical,
  low,
  MISSES_A_CASE,
  normal,
} from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { decisionsIn } from '../state/decision-log.ts'
import { NO_EVIDENCE } from '../event-schemas/evidence.ts'
import type { GateName } from '../event-schemas/schemas.ts'
import { standing } from '../decide/standing.ts'
import { freeze, thaw } from '../state/snapshot.ts'

const EACH = { settings: { approval: 'each_task' as const } }
const blocked = { end: { kind: 'blocked' as const, reason: 'which?' } }
const bad = { failed: ['unit' as const] }

/** A task whose result waits for a person. */
const waiting = (): PlayedPlan =>
  PlayedPlan.begun([low('1')], EACH)
    .work('1')
    .gates('1')
/** A task whose gates fail for good. */
const failing = (): PlayedPlan =>
  PlayedPlan.begun([low('1')], { settings: { fixAttempts: 0 } })
    .work('1')
    .gates('1', bad)
const replan = (plan: PlayedPlan, recommend: 'rescope' | 'drop' = 'rescope'): PlayedPlan =>
  plan.tell({ type: 'task.replanned', v: 1, task: '1', recommend, note: 'another scope?', by: 'rules' })

describe('revise', () => {
  test('sends the task back with the feedback', () => {
    const plan = waiting().answer('revise', { feedback: 'smaller, please' })
    expect(plan.step('1')).toBe('launching')
    const { role, context } = plan.effect('start_worker')
    expect([role, context.feedback, context.draft?.worker]).toEqual([
      'fixer',
      'smaller, please',
      'w-shop-1-1',
    ])
    expect(plan.last('task.dispatched').reason).toBe('revise')
  })

  test('of a task without work dispatches a developer, not a fixer', () => {
    const plan = PlayedPlan.begun([low('1')]).work('1', { ...blocked, changed: [] })
    plan.answer('revise', { feedback: 'the second' })
    expect(plan.effect('start_worker')).toMatchObject({
      role: 'developer',
      context: { feedback: 'the second' },
    })
  })

  test('takes effect three times; the fourth time the plan pauses', () => {
    const plan = waiting()
    for (let round = 1; round <= 3; round++) plan.answer('revise').work('1').gates('1')
    expect(plan.task('1').counters.revisions).toBe(3)
    plan.answer('revise')
    expect(standing(plan.state)).toEqual({
      state: 'paused',
      why: 'task 1 was revised 3 times and is still not approved',
    })
    expect([plan.step('1'), plan.last('plan.paused').by]).toEqual(['awaiting_person', 'rules'])
  })

  test('the fourth time during a pause leaves that pause unchanged', () => {
    const plan = waiting()
    for (let round = 1; round <= 3; round++) plan.answer('revise').work('1').gates('1')
    plan.pause().answer('revise')
    expect(plan.all('plan.paused')).toHaveLength(1)
    expect(plan.resume().item('1').kind).toBe('approval')
  })

  test('after such a pause the person is asked again', () => {
    const plan = waiting()
    for (let round = 1; round <= 3; round++) plan.answer('revise').work('1').gates('1')
    plan.answer('revise').resume()
    expect(plan.item('1').kind).toBe('approval')
    expect(plan.answer('approve').commit('1').step('1')).toBe('completed')
  })

  test('of an escalated task takes effect three times too, then pauses and asks again', () => {
    const plan = failing()
    for (let round = 1; round <= 3; round++) plan.answer('revise').work('1').gates('1', bad)
    plan.answer('revise')
    expect([plan.step('1'), plan.state.paused?.by]).toEqual(['escalated', 'rules'])
    expect([...plan.state.inbox.values()].map(({ item }) => item.subject)).toEqual(['paused'])
    expect(plan.resume().item('1').kind).toBe('escalation')
  })
})

describe('reject', () => {
  test('fails the task, and the brain is asked how it could go on', () => {
    const plan = waiting().answer('reject', { feedback: 'not like this' })
    expect(plan.step('1')).toBe('failed')
    expect(plan.effect('replan')).toMatchObject({ feedback: 'not like this' })
  })

  test('lets a person choose between a new scope and dropping the task', () => {
    const plan = replan(waiting().answer('reject'), 'drop')
    expect(plan.item()).toMatchObject({ kind: 'question', subject: 'rejection', recommended: 'drop' })
    expect(plan.item().options.map(({ key }) => key)).toEqual(['rescope', 'drop'])
    expect(plan.owes('replan')).toBe(false)
  })

  test("a new scope is the person's feedback, with fresh budgets", () => {
    const plan = replan(failing().answer('reject')).answer('rescope', { feedback: 'only the header' })
    expect(plan.effect('start_worker').context.feedback).toBe('only the header')
    expect(plan.last('task.dispatched').reason).toBe('retry')
    expect(plan.task('1').counters.fixes).toBe(0)
  })

  test('a new scope without feedback keeps the feedback of the rejection', () => {
    const plan = replan(failing().answer('reject', { feedback: 'too big' })).answer('rescope')
    expect(plan.effect('start_worker').context.feedback).toBe('too big')
  })

  test('dropping a task drops its dependents, with the reason', () => {
    const tasks = [
      normal('1'),
      normal('2', { dependsOn: ['1'] }),
      normal('3', { dependsOn: ['2'] }),
      normal('4'),
    ]
    const plan = replan(PlayedPlan.begun(tasks).work('1', blocked).answer('reject')).answer('drop', {
      about: '1',
    })
    expect(['1', '2', '3', '4'].map((id) => plan.task(id).dropped)).toEqual([true, true, true, false])
    expect(plan.decisions('3').at(-1)).toBe('dropped by ada, because it depends on 1')
    expect(plan.step('4')).toBe('launching')
  })

  test('a dropped task does not hold up the release', () => {
    const plan = PlayedPlan.begun([normal('1'), low('2')])
      .work('1', blocked)
      .answer('reject')
    replan(plan).answer('drop').complete('2')
    expect(plan.owes('run_release_gate')).toBe(true)
  })

  test('a layer whose last open task is dropped is due', () => {
    const tasks = [low('1', { layer: 'core' }), low('2', { layer: 'core', dependsOn: ['1'] })]
    const integration = [anIntegrationTest('it-1', 'core', ['1'])]
    const plan = PlayedPlan.begun(tasks, { integration }).work('1', blocked).answer('reject')
    expect(replan(plan).answer('drop').effect('run_integration').layer).toBe('core')
  })
})

describe('split', () => {
  const parts = [low('1-s1'), low('1-s2', { dependsOn: ['1-s1'] })]
  const split = (): PlayedPlan => {
    const plan = PlayedPlan.begun([low('1'), low('2', { dependsOn: ['1'] })], EACH)
      .work('1')
      .gates('1')
      .answer('reject', { feedback: 'too large' })
    const proposed = { recommend: 'split' as const, note: 'in parts?', by: 'rules', parts }
    return plan.tell({ type: 'task.replanned', v: 1, task: '1', ...proposed })
  }

  test('is offered only where there are parts', () => {
    expect(
      split()
        .item('1')
        .options.map(({ key }) => key),
    ).toEqual(['rescope', 'split', 'drop'])
    const plan = replan(waiting().answer('reject'))
    expect(plan.item('1').options.map(({ key }) => key)).toEqual(['rescope', 'drop'])
  })

  test('replaces the task with its parts in order, with the feedback', () => {
    const plan = split().answer('split')
    expect([plan.step('1'), plan.step('1-s1'), plan.step('1-s2')]).toEqual(['failed', 'launching', 'pending'])
    expect(plan.effect('start_worker').context.feedback).toBe('too large')
    expect(plan.task('1')).toMatchObject({ dropped: true, splitInto: ['1-s1', '1-s2'] })
  })

  test('makes dependents of the task depend on its last part, and logs it', () => {
    const plan = split().answer('split')
    expect(plan.task('2').spec.dependsOn).toEqual(['1-s2'])
    expect(decisionsIn(plan.task('2').decisions).map(({ text }) => text)).toEqual([
      'its dependency 1 was rejected by ada and is being replanned',
      'task 1 was split by ada; it now depends on 1-s2',
    ])
    for (const id of ['1-s1', '1-s2']) plan.work(id).gates(id).answer('approve', { about: id }).commit(id)
    expect(plan.step('2')).toBe('launching')
  })

  test('survives a snapshot', () => {
    const { state } = split().answer('split')
    const again = thaw(JSON.parse(JSON.stringify(freeze(state))))
    const waits = (of: typeof state) => [...of.tasks.values()].map((task) => of.dependents.unmet(task))
    expect(waits(again)).toEqual(waits(state))
  })

  test('is not offered where the parts do not fit, and the reason is logged', () => {
    const logged = (some: typeof parts) => {
      const proposed = { recommend: 'split' as const, note: '', by: 'rules', parts: some }
      const plan = waiting()
        .answer('reject')
        .tell({ type: 'task.replanned', v: 1, task: '1', ...proposed })
      expect(plan.item('1')).toMatchObject({ recommended: 'rescope' })
      expect(plan.item('1').options.map(({ key }) => key)).toEqual(['rescope', 'drop'])
      return decisionsIn(plan.task('1').decisions).at(-1)?.text
    }
    expect(logged([])).toMatch(/proposes to rescope/)
    expect(logged([low('1'), low('b')])).toMatch(/task 1 already exists/)
    expect(logged([low('a'), low('a')])).toMatch(/twice/)
    expect(logged([low('a'), low('b', { dependsOn: ['z'] })])).toMatch(/depends on z/)
  })
})

describe('an override', () => {
  test("of failing gates is recorded in the person's name, and the review still runs", () => {
    const plan = PlayedPlan.begun([normal('1')], { settings: { fixAttempts: 0 } }).work('1')
    plan.gates('1', { failed: ['unit', 'lint'] }).answer('approve', { feedback: 'known to fail' })
    expect(plan.task('1').overrides).toEqual([
      { what: 'unit', tree: plan.task('1').draft?.tree, by: 'ada', at: plan.now, reason: 'known to fail' },
      { what: 'lint', tree: plan.task('1').draft?.tree, by: 'ada', at: plan.now, reason: 'known to fail' },
    ])
    expect(plan.task('1').live?.role).toBe('reviewer')
  })

  test('covers only the gates it names: gates that did not run on the same work run first', () => {
    const plan = PlayedPlan.begun([low('1')], { settings: { fixAttempts: 1 } }).work('1')
    plan.gates('1', { failed: ['unit'] }).work('1')
    // Only unit ran on the second draft.
    expect(plan.effect('run_gates')).toMatchObject({ scope: 'failed', gates: ['unit'] })
    plan.gates('1', { failed: ['unit'] }).answer('approve')
    expect([plan.step('1'), plan.effect('run_gates').scope]).toEqual(['gating', 'all'])
    plan.gates('1', { failed: ['unit', 'lint'] })
    expect(plan.item()).toMatchObject({ problem: expect.stringContaining(': lint still failing') })
    plan.answer('approve')
    expect(plan.effect('commit_task').proof.overrides.map(({ what }) => what)).toEqual(['unit', 'lint'])
  })

  describe('of a change that has to go on top of newly landed work', () => {
    const moved = (patch: string): PlayedPlan => {
      const plan = failing().answer('approve').overtaken('1')
      return plan.left('1', { tree: 'tree-on-top', changed: ['src/1.ts'], salvage: 'refs/salvage/1', patch })
    }

    test('stays valid where it is the same and fails with the same message', () => {
      const plan = moved('patch-1').gates('1', { failed: ['unit'] })
      expect(plan.effect('commit_task').proof.overrides).toMatchObject([
        { what: 'unit', tree: 'tree-on-top', by: 'ada' },
      ])
    })

    describe('with named failures', () => {
      interface Named {
        readonly failed: readonly GateName[]
        readonly failures: readonly string[]
        readonly summary?: string
        readonly inconclusive?: readonly GateName[]
      }
      const gated = (
        plan: PlayedPlan,
        { failed, failures, summary = 'failed', inconclusive = [] }: Named,
      ) => {
        const { attempt, tree, scope, gates } = plan.effect('run_gates', '1')
        const verdicts = gates.map((gate) => {
          const isFailed = failed.includes(gate)
          const other = inconclusive.includes(gate) ? 'inconclusive' : 'passed'
          const evidence = isFailed ? { ...NO_EVIDENCE, failures: [...failures] } : NO_EVIDENCE
          return { gate, outcome: isFailed ? 'failed' : other, summary, evidence } as const
        })
        return plan.tell({ type: 'task.gated', v: 2, task: '1', attempt, tree, scope, verdicts })
      }
      const one: Named = {
        failed: ['unit'],
        summary: '1 of 2 tests passed; 1 fail: a',
        failures: ['fails: a'],
      }
      const none = { settings: { fixAttempts: 0 } }
      const onTop = (patch = 'patch-1'): PlayedPlan =>
        gated(PlayedPlan.begun([low('1')], none).work('1'), one)
          .answer('approve')
          .overtaken('1')
          .collected('1', undefined, patch)

      test('stays valid for the same failures among more tests', () => {
        const plan = gated(onTop(), { ...one, summary: '3 of 4 tests passed; 1 fail: a' })
        expect(plan.effect('commit_task').proof.overrides).toMatchObject([
          { what: 'unit', tree: 'tree-w-shop-1-1-2', by: 'ada' },
        ])
      })

      test('stays valid when other work lands again', () => {
        const plan = gated(onTop(), { ...one, summary: '3 of 4 tests passed' })
        gated(plan.overtaken('1').collected('1'), { ...one, summary: '5 of 6 tests passed' })
        expect(plan.effect('commit_task').proof.overrides).toHaveLength(1)
      })

      test('lapses where anything else fails, or the change is another', () => {
        const asks = (failures: readonly string[]): boolean =>
          gated(onTop(), { failed: ['unit'], failures }).step('1') === 'escalated'
        expect(
          [['a'], ['b'], ['a', 'b']].map((names) => asks(names.map((name) => `fails: ${name}`))),
        ).toEqual([false, true, true])
        expect(gated(onTop('another'), one).item().problem).toContain(': unit tests still failing')
      })

      test('lapses where a gate with the same message names another failure', () => {
        const lint = (failures: string[]): Named => ({
          failed: ['lint'],
          summary: 'lint exited with 1',
          failures,
        })
        const plan = gated(PlayedPlan.begun([low('1')], none).work('1'), lint(['a: unused']))
        plan.answer('approve').overtaken('1').collected('1')
        expect(gated(plan, lint(['b: unused'])).item().problem).toContain(': lint still failing')
      })

      test('stays valid where other work lands before the rest of the gates has run', () => {
        const plan = PlayedPlan.begun([low('1'), low('2')], none).work('1')
        gated(plan, { ...one, inconclusive: ['lint'] })
        plan.work('2').answer('approve', { about: '1' })
        plan.gates('2').commit('2').collected('1')
        gated(plan, { ...one, summary: '3 of 4 tests passed' })
        expect([plan.step('1'), plan.state.inbox.size]).toEqual(['committing', 0])
      })
    })

    test('does not cover another gate, nor another change', () => {
      const problem = (patch: string, failed: GateName[]): string =>
        moved(patch).gates('1', { failed }).item().problem
      expect(problem('patch-1', ['unit', 'lint'])).toContain(': lint still failing')
      expect(problem('another', ['unit'])).toContain(': unit tests still failing')
    })
  })

  test('of failing gates does not cover inconclusive gates', () => {
    const plan = PlayedPlan.begun([low('1')], { settings: { fixAttempts: 0 } }).work('1')
    plan.gates('1', { failed: ['unit'], inconclusive: ['lint'] }).answer('approve')
    expect([plan.step('1'), plan.effect('run_gates').scope]).toEqual(['gating', 'all'])
    expect(plan.gates('1', { failed: ['unit'] }).step('1')).toBe('committing')
  })

  test('without a reason, or with a blank one, is refused', () => {
    for (const feedback of ['', '  \n']) {
      expect(() => failing().answer('approve', { feedback })).toThrow(/needs a reason/)
    }
  })

  test('goes into the commit', () => {
    const plan = failing().answer('approve')
    expect(plan.effect('commit_task').proof.overrides).toMatchObject([{ what: 'unit', by: 'ada' }])
  })

  test('of a review that requested changes is recorded', () => {
    const plan = PlayedPlan.begun([normal('1')], { settings: { reworks: 0 } })
      .work('1')
      .gates('1')
    plan.review('1', MISSES_A_CASE).answer('approve')
    expect([plan.step('1'), plan.task('1').overrides]).toMatchObject([
      'committing',
      [{ what: 'review', by: 'ada' }],
    ])
  })

  test('is not recorded for an ordinary approval', () => {
    expect(waiting().answer('approve').task('1').overrides).toEqual([])
  })
})

describe('every answer', () => {
  test('is kept with its author, item and reason', () => {
    const plan = waiting().answer('revise', { feedback: 'smaller' })
    expect(plan.state.humanDecisions).toEqual([
      { at: plan.now, item: 'A-1', task: '1', choice: 'revise', feedback: 'smaller', by: 'ada' },
    ])
    expect(plan.decisions('1')).toContain('ada answered A-1: revise (smaller)')
  })

  test('closes its item', () => {
    expect(waiting().answer('approve').state.inbox.size).toBe(0)
  })
})

test('pause is not an answer: the item stays open, and no risk is accepted', () => {
  const report = aReport({ risks: [{ description: 'slow', severity: 'critical' }] })
  const plan = PlayedPlan.begun([critical('1')])
    .complete('1', { report })
    .releaseGate()
  expect(plan.item().options.map(({ key }) => key)).toContain('pause')
  expect(() => plan.answer('pause')).toThrow('pause is not an answer')
  expect([plan.item().id, plan.state.risks.get('risk-1-1')?.status]).toEqual(['E-1', 'open'])
})
