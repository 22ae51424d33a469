import { describe, expect, test } from 'vitest'
import { anIntegrationTest, low } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { outcomeOf } from '../decide/outcome.ts'
import { releaseManifest } from '../delivery/release/release-manifest.ts'
import { releaseSummary } from '../delivery/release/release-summary.ts'
import { freeze, thaw } from '../state/snapshot.ts'

const two = [low('1'), low('2', { dependsOn: ['1'] })]
const allThere = (): PlayedPlan => new PlayedPlan(two).baseline('1', '2')
const PLACES = { title: 'Shop', manifest: 'release.yaml' }

describe('a plan that built nothing', () => {
  test('asks a person before anything is released, with the evidence', () => {
    const plan = allThere()
    expect(plan.item()).toMatchObject({
      kind: 'question',
      subject: 'nothing_built',
      problem:
        'this plan built nothing: every task was found to exist already (task 1: its files are there; task 2: its files are there)',
      options: [{ key: 'build' }, { key: 'release' }, { key: 'cancel' }],
      blocking: true,
    })
    expect([plan.owes('run_release_gate'), outcomeOf(plan.state, plan.now)]).toEqual([false, 'needs_person'])
  })

  test('is released in the name of a person, and the manifest and summary show it', () => {
    const plan = allThere()
    expect(() => plan.answer('release', { feedback: '' })).toThrow('needs a reason')
    plan.answer('release', { feedback: 'the work landed last week' }).releaseGate()
    plan.tell({ type: 'release.prepared', v: 1, sha: 'tip', manifest: PLACES.manifest })
    const manifest = releaseManifest(plan.state)
    expect(manifest.nothing_built).toMatchObject({ by: 'ada', reason: 'the work landed last week' })
    expect(releaseSummary(manifest, PLACES)).toContain(
      'Built: nothing; released anyway by ada (the work landed last week)\n',
    )
    expect(plan.item().problem).toContain('nothing was built')
  })

  test('is built where a person chooses so, in the order of its tasks', () => {
    const integration = [anIntegrationTest('it-1', 'core', ['1'])]
    const layered = [low('1', { layer: 'core' }), low('2', { dependsOn: ['1'] })]
    const plan = new PlayedPlan(layered, { integration }).baseline('1', '2').integration('core', 'passed')
    plan.answer('build', { feedback: 'the test is older than the plan' })
    expect([plan.step('1'), plan.step('2'), plan.state.layers.get('core')?.status]).toEqual([
      'launching',
      'pending',
      'open',
    ])
    expect(plan.effect('start_worker', '1').context).toMatchObject({
      feedback: 'the test is older than the plan',
      audit: { status: 'PARTIAL' },
    })
    expect(thaw(JSON.parse(JSON.stringify(freeze(plan.state)))).counts).toEqual(plan.state.counts)
    plan.complete('1').integration('core', 'passed').complete('2').releaseGate()
    expect(releaseManifest(plan.state)).not.toHaveProperty('nothing_built')
  })

  test('is built without the tasks that a person dropped', () => {
    const plan = new PlayedPlan(two, { settings: { approval: 'each_task' } }).baseline('2')
    plan.work('1').gates('1').answer('reject', { feedback: 'not wanted' })
    plan.tell({
      type: 'task.replanned',
      v: 1,
      task: '1',
      recommend: 'drop',
      note: 'drop it?',
      by: 'rules',
      parts: [],
    })
    plan.answer('drop').answer('build')
    expect([plan.step('1'), plan.step('2')]).toEqual(['failed', 'launching'])
    expect(plan.task('2').spec.dependsOn).toEqual([])
    expect(thaw(JSON.parse(JSON.stringify(freeze(plan.state)))).counts).toEqual(plan.state.counts)
  })

  test('needs no question where one task was built', () => {
    const plan = new PlayedPlan(two).baseline('1').complete('2')
    expect([plan.state.inbox.size, plan.owes('run_release_gate')]).toEqual([0, true])
  })
})
