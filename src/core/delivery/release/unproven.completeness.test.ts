import { describe, expect, test } from 'vitest'
import { low } from '../../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../../test/helpers/played-plan.ts'
import { NO_EVIDENCE } from '../../event-schemas/evidence.ts'
import { releaseManifest } from './release-manifest.ts'
import { releaseSummary } from './release-summary.ts'

/** One committed low task, with the place that the rules found for its criterion; null: none. */
function landed(file: string | null): PlayedPlan {
  const plan = PlayedPlan.begun([low('1')], { settings: { reviewLow: 'checks' } }).work('1')
  const { attempt, tree, scope, gates } = plan.effect('run_gates', '1')
  const criteria = [{ criterion: '1 works', by: 'rules' as const, file, line: null }]
  const verdicts = gates.map((gate) => {
    const evidence = gate === 'plan_alignment' ? { ...NO_EVIDENCE, criteria } : NO_EVIDENCE
    return { gate, outcome: 'passed' as const, summary: '', evidence }
  })
  plan.tell({ type: 'task.gated', v: 2, task: '1', attempt, tree, scope, verdicts })
  return plan.commit('1').releaseGate()
}

const summary = (plan: PlayedPlan): string =>
  releaseSummary(releaseManifest(plan.state), { title: 'Shop', manifest: 'm' })

describe('a release', () => {
  test('lists criteria that are mapped by rules and unverified, and is not blocked by them', () => {
    const plan = landed('src/1.ts')
    expect(plan.owes('prepare_release')).toBe(true)
    expect(releaseManifest(plan.state).criteria).toEqual({
      total: 1,
      passed: 0,
      unconfirmed: [
        { task_id: '1', criterion: '1 works', place: 'src/1.ts', why: 'mapped by rules, unverified' },
      ],
    })
    expect(summary(plan)).toContain(
      'Criteria: 0/1 confirmed; not confirmed: 1: 1 works (mapped by rules, unverified)\n',
    )
  })

  test('is blocked by an unmapped criterion until a person accepts it', () => {
    const plan = landed(null)
    expect(plan.owes('prepare_release')).toBe(false)
    expect(plan.item()).toMatchObject({
      kind: 'escalation',
      subject: 'completeness',
      problem: '1 criterion is mapped to nothing in the tree: task 1: 1 works',
      blocking: true,
    })
    expect(() => plan.answer('accept', { feedback: '' })).toThrow('needs a reason')
    plan.answer('accept', { feedback: 'shown by hand' })
    expect(plan.owes('prepare_release')).toBe(true)
    expect(releaseManifest(plan.state).criteria?.accepted).toMatchObject({
      by: 'ada',
      reason: 'shown by hand',
    })
    expect(summary(plan)).toContain('; released without them by ada (shown by hand)\n')
  })

  test('whose criteria are all confirmed lists only their number', () => {
    const plan = new PlayedPlan([low('1'), low('2')]).baseline('1')
    expect(releaseManifest(plan.state).criteria).toEqual({ total: 2, passed: 2, unconfirmed: [] })
    expect(summary(plan)).not.toContain('Criteria:')
  })
})

test('a dropped task is not counted as a completed one, and is named', () => {
  const plan = PlayedPlan.begun([low('1'), low('2')])
    .complete('1')
    .work('2', { end: { kind: 'blocked', reason: 'which?' } })
    .answer('reject')
  plan
    .tell({ type: 'task.replanned', v: 1, task: '2', recommend: 'drop', note: '', by: 'nobody' })
    .answer('drop')
  const manifest = releaseManifest(plan.state)
  expect(manifest.dropped).toEqual([{ task_id: '2', title: 'Do 2' }])
  expect(summary(plan)).toContain('Tasks: 1/2 completed (dropped: 2)\n')
})
