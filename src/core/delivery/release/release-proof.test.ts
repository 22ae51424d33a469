import { describe, expect, test } from 'vitest'
import { low } from '../../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../../test/helpers/played-plan.ts'
import { verdict } from '../../gates/verdicts.ts'
import { releaseManifest } from './release-manifest.ts'
import { approversOf, proofOf } from './release-proof.ts'

const manifestOf = (plan: PlayedPlan) => releaseManifest(plan.state)
const begun = () => PlayedPlan.begun([low('1')], { settings: { reviewLow: 'checks' } })

describe('the proof of a release', () => {
  test('counts a task without a commit as unproven, and none of its criteria as proven', () => {
    const { unproven, proven } = proofOf(manifestOf(begun()), [])
    expect(unproven[0]).toMatchObject({ kind: 'task', tasks: ['1'], why: 'not committed yet' })
    expect(proven).toEqual([])
  })

  test('counts a gate that could not check as unproven, and one that did not apply too', () => {
    const verdicts = [
      verdict('unit', 'passed', '2 of 2 tests passed'),
      verdict('build', 'inconclusive', 'npm was not found'),
    ]
    const manifest = {
      ...manifestOf(begun()),
      not_applicable: [{ gate: 'lint', why: 'there is no lint command', tasks: ['1'], release: true }],
    }
    const { unproven, proven } = proofOf(manifest, verdicts)
    expect(proven.filter(({ kind }) => kind === 'gate').map(({ what }) => what)).toEqual(['unit'])
    expect(unproven.filter(({ kind }) => kind === 'gate').map(({ what, why }) => [what, why])).toEqual([
      ['build', 'Could not check: npm was not found'],
      ['lint', 'did not apply: there is no lint command'],
    ])
  })

  test('names who accepted what without a proof', () => {
    const manifest = {
      ...manifestOf(begun()),
      overrides: [{ gate: 'unit', task: '1', by: 'Ann', at: '2026-01-01T00:00:00.000Z', reason: 'flaky' }],
    }
    expect(proofOf(manifest, []).waived).toEqual([
      { what: 'unit', tasks: ['1'], by: 'Ann', at: '2026-01-01T00:00:00.000Z', reason: 'flaky' },
    ])
  })

  test('names the person who approved the work beside its reviewer', () => {
    const plan = PlayedPlan.begun([low('1')], { settings: { reviewLow: 'checks', approval: 'each_task' } })
    plan.work('1').gates('1').answer('approve').commit('1')
    const { proven } = proofOf(manifestOf(plan), [], approversOf(plan.state))
    expect(proven.find(({ kind }) => kind === 'task')?.why).toBe('approved by nobody and ada')
  })
})
