import { describe, expect, test } from 'vitest'
import { aReport, anIntegrationTest, critical, low, normal } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { decisionsIn } from '../state/decision-log.ts'
import { phaseOf, planRecord, taskRecord } from './records.ts'
import { iso } from '../../lib/text/format-time.ts'

const note = { summary: 'it works now', risks: ['slow'], rollback: 'revert' }
const risks = [{ description: 'slow under load', severity: 'normal' as const }]
const report = aReport({ reviewNote: note, risks })
const record = (plan: PlayedPlan, id: string) => taskRecord(plan.state, plan.task(id))

describe("a task's record", () => {
  test('of a finished task has all documented fields', () => {
    const plan = PlayedPlan.begun([critical('1', { ownership: 'src/pay' })])
    plan
      .pass(5)
      .work('1')
      .gates('1', { failed: ['unit'] })
    plan
      .work('1', { report, changed: ['src/pay.ts'] })
      .pass(7)
      .gates('1')
      .gates('1')
      .review('1')
      .commit('1')
    expect(record(plan, '1')).toEqual({
      task_id: '1',
      status: 'completed',
      tier: 'critical',
      retry_count: 0,
      decision_log: decisionsIn(plan.task('1').decisions),
      artifacts: ['src/pay.ts', 'docs/reviews/1.md'],
      known_risks: [
        {
          id: 'risk-1-1',
          description: 'slow under load',
          severity: 'normal',
          status: 'open',
          source_task: '1',
        },
      ],
      review_notes: note,
      commit_sha: 'sha-1',
      duration_ms: 12,
      ownership: 'src/pay',
    })
  })

  test('of an untouched task is empty', () => {
    expect(record(new PlayedPlan([low('1')]), '1')).toEqual({
      task_id: '1',
      status: 'ready',
      tier: 'low',
      retry_count: 0,
      decision_log: [],
      artifacts: [],
      known_risks: [],
      review_notes: null,
      commit_sha: null,
      duration_ms: null,
      ownership: 'area-1',
    })
  })

  test('counts fix attempts until the commit, and the decision log keeps their history', () => {
    const plan = PlayedPlan.begun([low('1')])
      .work('1')
      .gates('1', { failed: ['unit'] })
    expect(record(plan, '1').retry_count).toBe(1)
    plan.work('1').gates('1').gates('1').commit('1')
    expect(record(plan, '1').retry_count).toBe(0)
    expect(record(plan, '1').decision_log.map(({ text }) => text)).toContain(
      'fix attempt 1 of 2 for unit (not judged: no model)',
    )
  })

  test("names a worker's risks as open before the commit, and follows them after it", () => {
    const plan = PlayedPlan.begun([low('1')]).work('1', { report })
    expect(record(plan, '1').known_risks).toMatchObject([{ id: 'risk-1-1', status: 'open' }])
    plan.gates('1').commit('1').releaseGate()
    expect(record(plan, '1').known_risks).toMatchObject([{ id: 'risk-1-1', status: 'accepted' }])
  })
})

describe("a plan's record", () => {
  test('has exactly the documented fields', () => {
    expect(planRecord(new PlayedPlan([low('1')]).state)).toEqual({
      plan_id: 'shop',
      phase: 'audit',
      baseline_sha: null,
      current_sha: null,
      current_task_id: null,
      blocked_reason: null,
      shared_context_block: null,
      unresolved_risks: [],
      checkpoint_tags: [],
      drafts: {},
      gate_results: {},
      integration_results: {},
      human_decisions: [],
    })
  })

  test('describes work in progress', () => {
    const tasks = [critical('1', { layer: 'core' }), normal('2', { dependsOn: ['1'] })]
    const plan = PlayedPlan.begun(tasks, { integration: [anIntegrationTest('it-1', 'core', ['1'])] })
    plan.complete('1', { report }).integration('core', 'passed')
    plan.work('2', { end: { kind: 'blocked', reason: 'which?' } })
    expect(planRecord(plan.state)).toMatchObject({
      phase: 'execute',
      baseline_sha: 'base',
      current_sha: 'sha-1',
      current_task_id: null,
      blocked_reason: 'E-1: task 2 (Do 2): its worker is blocked: which?',
      shared_context_block: 'a shop in TypeScript',
      unresolved_risks: [{ id: 'risk-1-1', source_task: '1' }],
      checkpoint_tags: ['pm/shop/checkpoint-task-1'],
      integration_results: {
        core: { round: 1, passed: true, results: [{ id: 'it-1', outcome: 'passed', output: 'it-1 passed' }] },
      },
    })
    plan.answer('retry', { feedback: 'the second' })
    const after = planRecord(plan.state)
    expect([after.current_task_id, after.blocked_reason]).toEqual(['2', null])
    expect(after.human_decisions).toEqual([
      { at: iso(plan.now), item: 'E-1', task_id: '2', choice: 'retry', feedback: 'the second', by: 'ada' },
    ])
  })

  test('keeps drafts and gate results by task', () => {
    const { drafts, gate_results } = planRecord(
      PlayedPlan.begun([low('1')])
        .work('1', { report })
        .gates('1').state,
    )
    expect(drafts).toEqual({
      '1': {
        worker_id: 'w-shop-1-1',
        tree: 'tree-w-shop-1-1',
        files: ['src/1.ts'],
        salvage: 'refs/salvage/w-shop-1-1',
        explanation: 'did what was asked',
        self_assessment: 'confident',
      },
    })
    expect(gate_results['1']?.map(({ gate, outcome }) => `${gate} ${outcome}`)).toContain('unit passed')
  })

  test('is plain JSON', () => {
    const plan = PlayedPlan.begun([low('1')]).complete('1')
    expect(JSON.parse(JSON.stringify(planRecord(plan.state)))).toEqual(planRecord(plan.state))
  })
})

describe('the phase', () => {
  const layered = { integration: [anIntegrationTest('it-1', 'core', ['1'])] }
  const built = (): PlayedPlan => PlayedPlan.begun([low('1', { layer: 'core' })], layered).complete('1')
  const rejected = (): PlayedPlan =>
    PlayedPlan.begun([low('1')])
      .work('1', { end: { kind: 'blocked', reason: '?' } })
      .answer('reject')

  test.each<[string, () => PlayedPlan]>([
    ['audit', () => new PlayedPlan([low('1')])],
    ['execute', () => PlayedPlan.begun([low('1')])],
    ['decompose', rejected],
    ['integrate', built],
    ['execute', () => built().integration('core', 'failed')],
    ['release', () => built().integration('core', 'passed')],
    [
      'done',
      () =>
        PlayedPlan.begun([low('1')])
          .complete('1')
          .releaseGate()
          .tell({ type: 'release.prepared', v: 1, sha: 'r', manifest: 'm' }),
    ],
    ['cancelled', () => PlayedPlan.begun([low('1')]).cancel()],
  ])('is %s', (phase, plan) => {
    expect(phaseOf(plan().state)).toBe(phase)
  })

  test('is decompose from a failed integration until its diagnostic task exists', () => {
    const plan = built()
    const { round, tests } = plan.effect('run_integration')
    const failed = { outcome: 'failed' as const, output: '', values: {}, run: null }
    const results = tests.map(({ id }) => ({ id, ...failed }))
    plan.apply({ type: 'integration.ran', v: 2, layer: 'core', round, tree: 'tip', results })
    expect(phaseOf(plan.state)).toBe('decompose')
    expect(phaseOf(plan.diagnose().state)).toBe('execute')
  })

  test('is integrate where the integration has failed for good', () => {
    const plan = built()
    for (const id of ['diagnose-core-1', 'diagnose-core-2']) plan.integration('core', 'failed').complete(id)
    expect(phaseOf(plan.integration('core', 'failed').state)).toBe('integrate')
  })
})
