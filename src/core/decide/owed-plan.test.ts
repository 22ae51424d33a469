import { describe, expect, test } from 'vitest'
import {
  aBranch,
  anAudit,
  aReport,
  anIntegrationTest,
  critical,
  low,
  normal,
} from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { SAMPLE_EVENTS } from '../../../test/helpers/sample-events.ts'
import type { Tier } from '../planning/plan.ts'
import { answerEvents } from '../answers/answer-rules.ts'
import { itemEvidence } from '../delivery/inbox/item-evidence.ts'
import { standing } from './standing.ts'

describe('a plan that was made from a spec', () => {
  const proposed = () => {
    const plan = new PlayedPlan([normal('1'), low('2', { dependsOn: ['1'] })])
    plan.state.proposal = { estimate: 'about 20m of work' }
    return plan.decide()
  }

  test('is shown before anything of it is started', () => {
    const plan = proposed()
    const [open] = plan.state.inbox.values()
    expect(plan.keys()).toEqual([])
    expect(standing(plan.state).state).toBe('waiting')
    expect(open?.item).toMatchObject({ kind: 'question', blocking: true, recommended: 'start' })
    expect(open === undefined ? [] : itemEvidence(plan.state, open.item)).toEqual([
      '2 tasks: 1 normal, 1 low',
      '1: Do 1 (normal, developer)',
      '2: Do 2 (low, developer, after 1)',
    ])
  })

  test('starts with its baseline once a person has agreed', () => {
    const plan = proposed()
    const [id = ''] = plan.state.inbox.keys()
    plan.tell({ ...SAMPLE_EVENTS['inbox.answered'], id, choice: 'start' })
    expect(plan.keys()).toEqual(['baseline'])
  })

  test('ends where a person refuses it', () => {
    const plan = proposed()
    const [id = ''] = plan.state.inbox.keys()
    const answer = { id, choice: 'cancel', feedback: '', by: 'ada', proof: 'token' } as const
    expect(JSON.stringify(answerEvents(plan.state, answer))).toContain('plan.cancelled')
  })
})

describe('the baseline', () => {
  test('comes before anything is started', () => {
    const plan = new PlayedPlan([low('1')]).decide()
    expect([plan.keys(), plan.step('1')]).toEqual([['baseline'], 'ready'])
  })

  test('is taken once', () => {
    expect(PlayedPlan.begun([low('1')]).owes('take_baseline')).toBe(false)
  })

  test('completes existing tasks without building them, with the evidence', () => {
    const plan = new PlayedPlan([low('1'), low('2', { dependsOn: ['1'] })]).baseline('1')
    expect([plan.step('1'), plan.task('1').attempt, plan.step('2')]).toEqual(['completed', 0, 'launching'])
    expect(plan.decisions('1')).toEqual(['exists: its files are there'])
  })

  test('logs partly existing tasks and concurrent branches without changing a step', () => {
    const plan = new PlayedPlan([low('1'), low('2')]).tell({
      ...SAMPLE_EVENTS['plan.baselined'],
      audits: [
        anAudit('1', {
          status: 'PARTIAL',
          evidence: 'src/1.ts exists, but it adds no test that would prove it',
        }),
        anAudit('2', { status: 'MISSING', evidence: 'none of its new files exist' }),
      ],
      branches: { noticed: [aBranch('log`in', '1'), aBranch('two', '2')], more: 0, trouble: null },
    })
    expect([plan.step('1'), plan.state.counts.completed]).toEqual(['launching', 0])
    expect(plan.decisions('1').slice(0, 2)).toEqual([
      'partly exists: src/1.ts exists, but it adds no test that would prove it',
      "branch `log'in` is 2 commits ahead of the start commit and touches `src/1.ts`; it was left alone",
    ])
    expect(plan.decisions('2')[0]).toContain('branch `two`')
  })

  test('gives a worker the audit and the branches of its own task', () => {
    const audit = anAudit('1', { status: 'PARTIAL' })
    const plan = new PlayedPlan([low('1'), low('2')]).tell({
      ...SAMPLE_EVENTS['plan.baselined'],
      audits: [audit],
      branches: { noticed: [aBranch('one', '1'), aBranch('two', '2')], more: 0, trouble: null },
    })
    expect(plan.effect('start_worker', '1').context).toMatchObject({
      audit,
      branches: [{ name: 'one', ahead: 2, isWhole: true, files: ['src/1.ts'], more: 0 }],
    })
  })

  test('gives a worker its context block', () => {
    const plan = PlayedPlan.begun([low('1')])
    expect(plan.effect('start_worker').context.block).toBe('a shop in TypeScript')
  })
})

describe('integration of a layer', () => {
  const tasks = [low('1', { layer: 'core' }), low('2', { layer: 'core' }), low('3', { dependsOn: ['1'] })]
  const integration = [anIntegrationTest('it-1', 'core', ['1', '2'])]
  const done = (): PlayedPlan => PlayedPlan.begun(tasks, { integration }).complete('1').complete('2')
  const diagnosed = (plan: PlayedPlan, round: number): PlayedPlan => {
    if (plan.task('3').live !== null) plan.complete('3')
    return plan.integration('core', 'failed').complete(`diagnose-core-${round}`)
  }

  test('runs when the last task of the layer is completed, and not before', () => {
    const plan = PlayedPlan.begun(tasks, { integration }).complete('1')
    expect(plan.owes('run_integration')).toBe(false)
    expect(plan.complete('2').effect('run_integration')).toMatchObject({ layer: 'core', round: 1 })
  })

  test('keeps new tasks from starting until it has passed', () => {
    const plan = PlayedPlan.begun([...tasks, low('4', { dependsOn: ['2'] })], { integration })
    plan.complete('1').complete('3').complete('2')
    expect(plan.step('4')).toBe('ready')
    expect(plan.integration('core', 'passed').step('4')).toBe('launching')
  })

  const failedOnce = (plan: PlayedPlan): PlayedPlan => {
    const { round, tests } = plan.effect('run_integration')
    const failed = { outcome: 'failed' as const, output: 'energy is off', values: { energy: 2 }, run: null }
    const results = tests.map(({ id }) => ({ id, ...failed }))
    return plan.tell({ type: 'integration.ran', v: 2, layer: 'core', round, tree: 'tip', results })
  }

  test('that fails is diagnosed first, with all landed commits', () => {
    const plan = failedOnce(done())
    expect(plan.effect('diagnose_layer')).toMatchObject({
      round: 1,
      tree: 'tip',
      tests: [{ id: 'it-1' }],
      results: [{ id: 'it-1', values: { energy: 2 } }],
    })
    expect(plan.effect('diagnose_layer').commits.map(({ task }) => task)).toEqual(['1', '2'])
    expect(plan.all('plan.extended')).toEqual([])
  })

  test('that fails adds one diagnostic task to the layer, which has to pass the test', () => {
    const plan = failedOnce(done()).diagnose('2')
    expect(plan.task('diagnose-core-1').spec).toMatchObject({
      tier: 'normal',
      layer: 'core',
      dependsOn: ['1', '2'],
      ownGates: [{ name: 'it-1', command: 'run it-1' }],
      description: 'it-1: failed\nenergy is off\nDiagnosis: looked at',
    })
  })

  test('that is inconclusive runs again, and does not pass', () => {
    const plan = done().integration('core', 'inconclusive').integration('core', 'inconclusive')
    expect(plan.effect('run_integration').round).toBe(3)
    expect(plan.integration('core', 'inconclusive').owes('diagnose_layer')).toBe(true)
    expect(plan.owes('run_release_gate')).toBe(false)
  })

  test('runs again after its diagnostic task', () => {
    expect(diagnosed(done(), 1).effect('run_integration')).toMatchObject({ round: 2 })
  })

  test('is diagnosed twice; then the plan pauses', () => {
    const plan = diagnosed(diagnosed(done(), 1), 2).integration('core', 'failed')
    expect(standing(plan.state)).toEqual({
      state: 'paused',
      why: 'integration of core still fails after 2 rounds',
    })
    expect(plan.all('plan.extended')).toHaveLength(2)
  })

  test('that paused the plan asks a person, who resumes it by the answer or by the command', () => {
    const plan = diagnosed(diagnosed(done(), 1), 2).integration('core', 'failed')
    const item = plan.item()
    expect(item).toMatchObject({
      subject: 'paused',
      blocking: true,
      problem: 'the plan was paused: integration of core still fails after 2 rounds',
      options: [{ key: 'resume' }, { key: 'cancel' }],
    })
    expect(itemEvidence(plan.state, item)).toEqual(['core: it-1 failed'])
    const answer = { id: item.id, choice: 'resume', feedback: '', by: 'ada', proof: 'token' } as const
    expect(answerEvents(plan.state, answer)).toEqual({
      ok: true,
      events: [{ type: 'plan.resumed', v: 1, by: 'ada' }],
    })
    plan.resume()
    expect([...plan.state.inbox.values()]).toEqual([])
    expect(plan.owes('run_integration')).toBe(true)
  })

  test('a plan that a person paused opens no item', () => {
    expect([...done().pause().state.inbox.values()]).toEqual([])
  })

  test('is run again when a person resumes, and may pass then', () => {
    const plan = diagnosed(diagnosed(done(), 1), 2).integration('core', 'failed').resume()
    expect(plan.integration('core', 'passed').owes('run_release_gate')).toBe(true)
  })

  test('a diagnosis of critical work is critical', () => {
    const plan = PlayedPlan.begun([critical('1', { layer: 'core' })], {
      integration: [anIntegrationTest('it-1', 'core', ['1'])],
    })
    plan.complete('1').integration('core', 'failed')
    expect(plan.task('diagnose-core-1').tier).toBe('critical')
  })
})

describe('the release gate', () => {
  const ready = (): PlayedPlan => PlayedPlan.begun([low('1')]).complete('1')

  test('runs when every task is completed', () => {
    expect(ready().effect('run_release_gate').round).toBe(1)
  })

  test('that fails opens one remediation task for each failed check', () => {
    const plan = ready().releaseGate({ unit: 'failed', lint: 'failed' })
    expect([...plan.state.tasks.keys()]).toEqual(['1', 'remediation-01', 'remediation-02'])
    expect(plan.task('remediation-02').spec.title).toBe('Make lint pass on the whole tree')
  })

  test.each(['build', 'migrations'] as const)('opens a task that %s has to pass', (gate) => {
    const plan = ready().releaseGate({ build: 'failed', migrations: 'failed' })
    const id = gate === 'build' ? 'remediation-01' : 'remediation-02'
    if (gate === 'migrations') plan.complete('remediation-01')
    expect(plan.work(id).effect('run_gates', id).gates).toContain(gate)
  })

  test('runs again after the remediation', () => {
    const plan = ready().releaseGate({ unit: 'failed' }).complete('remediation-01')
    expect(plan.effect('run_release_gate').round).toBe(2)
  })

  test('is remedied twice; then a person is asked', () => {
    const plan = ready()
    for (const id of ['remediation-01', 'remediation-02']) plan.releaseGate({ unit: 'failed' }).complete(id)
    plan.releaseGate({ unit: 'failed' })
    expect(plan.item()).toMatchObject({
      subject: 'release_gate',
      problem: expect.stringContaining('unit failed'),
    })
    expect(plan.all('plan.extended')).toHaveLength(2)
    expect(standing(plan.state).state).toBe('waiting')
  })

  test('that is inconclusive runs again twice, then a person is asked', () => {
    const plan = ready()
    for (let run = 1; run <= 3; run++) plan.releaseGate({ unit: 'inconclusive' })
    expect(plan.item().problem).toContain('unit inconclusive')
    expect(plan.answer('retry').effect('run_release_gate').round).toBe(4)
  })

  test('a person may override it, and that is recorded with the name', () => {
    const plan = ready()
    for (let run = 1; run <= 3; run++) plan.releaseGate({ unit: 'inconclusive' })
    plan.answer('approve', { feedback: 'checked by hand' })
    expect(plan.state.release.overrides).toMatchObject([
      { what: 'unit', by: 'ada', reason: 'checked by hand' },
    ])
    expect(plan.owes('prepare_release')).toBe(true)
  })
})

describe('risks', () => {
  const withRisk = (tier: Tier): PlayedPlan => {
    const risks = [{ description: 'slow under load', severity: tier }]
    return PlayedPlan.begun([normal('1', { tier })]).complete('1', { report: aReport({ risks }) })
  }
  const only = (plan: PlayedPlan) => [...plan.state.risks.values()][0]

  test('are open from the commit on', () => {
    expect(only(withRisk('normal'))).toMatchObject({ id: 'risk-1-1', status: 'open', sourceTask: '1' })
  })

  test('on critical work stop the release until a person accepts them, with name, time and reason', () => {
    const plan = withRisk('critical').releaseGate()
    expect([plan.item().subject, plan.owes('prepare_release')]).toEqual(['risk', false])
    plan.answer('accept', { feedback: 'we watch it' })
    expect(only(plan)).toMatchObject({
      status: 'accepted',
      acceptedBy: 'ada',
      acceptedAt: plan.now,
      reason: 'we watch it',
    })
    expect(plan.owes('prepare_release')).toBe(true)
  })

  test('on other work are accepted by the rules and listed', () => {
    const plan = withRisk('normal').releaseGate()
    expect(only(plan)).toMatchObject({ status: 'accepted', acceptedBy: 'rules' })
    expect(plan.effect('prepare_release').manifest.risks).toHaveLength(1)
  })

  test('that are mitigated need no acceptance', () => {
    const settled = { risk: 'risk-1-1', status: 'mitigated', by: 'ada', reason: 'cached' } as const
    const plan = withRisk('critical')
      .tell({ type: 'risk.settled', v: 1, ...settled })
      .releaseGate()
    expect(plan.owes('prepare_release')).toBe(true)
  })
})

describe('the sign-off', () => {
  const released = (): PlayedPlan =>
    PlayedPlan.begun([low('1')])
      .complete('1')
      .releaseGate()
      .tell({ type: 'release.prepared', v: 1, sha: 'r', manifest: 'm' })

  test('is requested when the release is prepared, and blocks nothing', () => {
    expect(released().item()).toMatchObject({ id: 'R-1', kind: 'release', blocking: false })
  })

  test('ends the plan', () => {
    const plan = released().answer('sign')
    expect([plan.state.release.step, plan.owed()]).toEqual([
      'signed',
      { decision: null, effects: [], wakeAt: null },
    ])
  })

  test('given by command closes the inbox item as well', () => {
    const plan = released().tell({ type: 'release.signed', v: 1, by: 'ada' })
    expect([plan.state.release.step, plan.state.inbox.size]).toEqual(['signed', 0])
  })
})
