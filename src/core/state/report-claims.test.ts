import { describe, expect, test } from 'vitest'
import { aReport, critical, low } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { needsFeedback } from '../answers/answer-rules.ts'
import { reviewArtifact } from '../delivery/review-artifact.ts'
import { releaseManifest } from '../delivery/release/release-manifest.ts'
import { releaseSummary } from '../delivery/release/release-summary.ts'
import type { ReportedTests } from '../event-schemas/requests.ts'
import type { Report } from '../event-schemas/schemas.ts'
import { testsText } from './report-claims.ts'

const handedIn = (report: Partial<Report>, changed?: readonly string[]): PlayedPlan =>
  PlayedPlan.begun([low('1')]).work('1', {
    report: aReport(report),
    ...(changed === undefined ? {} : { changed }),
  })

describe("a question in a worker's report", () => {
  test.each([
    ['an ambiguity', { ambiguities: ['is the limit inclusive?'] }],
    ['a blocker', { blockers: ['is the limit inclusive?'] }],
  ])('%s opens a question although the worker is confident', (_, fields) => {
    const plan = handedIn({ selfAssessment: 'confident', ...fields })
    expect(plan.step('1')).toBe('escalated')
    expect(plan.item('1')).toMatchObject({
      kind: 'question',
      problem: 'task 1 (Do 1): its worker asks: is the limit inclusive?',
      options: [{ key: 'continue' }, { key: 'revise' }, { key: 'reject' }],
      recommended: 'revise',
      blocking: true,
    })
  })

  test('lets the work go to the gates where a person continues, and is not asked again', () => {
    const plan = handedIn({ ambiguities: ['is the limit inclusive?'] }).answer('continue')
    expect([plan.step('1'), plan.owes('run_gates')]).toEqual(['gating', true])
    plan
      .gates('1', { failed: ['unit'] })
      .work('1', { report: aReport({ ambiguities: ['is the limit inclusive?'] }) })
    expect(plan.step('1')).toBe('gating')
  })

  test('sends the work back with the feedback of a person, which is required', () => {
    const plan = handedIn({ ambiguities: ['is the limit inclusive?'] })
    expect(needsFeedback(plan.item('1'), 'revise', null)).toBe(true)
    plan.answer('revise', { feedback: 'it is inclusive' })
    expect(plan.effect('start_worker', '1').context.feedback).toBe('it is inclusive')
  })

  test('cannot be skipped where nothing was changed', () => {
    expect(
      handedIn({ blockers: ['no access'] }, [])
        .item('1')
        .options.map(({ key }) => key),
    ).toEqual(['revise', 'reject'])
  })

  test('is not asked when an older log is folded', () => {
    const plan = PlayedPlan.begun([low('1')]).started('1')
    const { worker, attempt } = plan.task('1').live ?? { worker: '', attempt: 0 }
    const report = aReport({ ambiguities: ['is it?'] })
    plan.tell({ type: 'worker.ended', v: 1, worker, task: '1', attempt, end: { kind: 'done' }, report })
    expect(plan.collected('1').step('1')).toBe('gating')
  })
})

describe('a risk that a worker reports', () => {
  const risk = { description: 'drops sessions', severity: 'critical' as const }
  const committed = (report: Partial<Report>): PlayedPlan =>
    PlayedPlan.begun([low('1')]).complete('1', { report: aReport(report) })

  test('is in the review artifact, from the report and from the note', () => {
    const note = { summary: 's', risks: ['slow at first', 'drops  sessions'], rollback: 'revert' }
    const plan = PlayedPlan.begun([low('1')]).work('1', {
      report: aReport({ risks: [risk], reviewNote: note }),
    })
    const artifact = reviewArtifact(plan.gates('1').effect('commit_task', '1'))
    expect(artifact).toContain('- Risk: drops sessions (critical)\n- Risk: slow at first (normal)\n')
  })

  test('of critical severity needs a person, on a low task as well', () => {
    const plan = committed({ risks: [risk] }).releaseGate()
    expect(plan.item().problem).toContain('risk-1-1 (task 1): drops sessions')
    expect(plan.owes('prepare_release')).toBe(false)
    plan.answer('accept', { feedback: 'we watch it' })
    expect(plan.effect('prepare_release').manifest.risks).toMatchObject([
      { status: 'accepted', accepted_by: 'ada' },
    ])
  })

  test('is mitigated where a person explains how, and the manifest and summary show it', () => {
    const plan = committed({ risks: [risk] }).releaseGate()
    expect(() => plan.answer('mitigate', { feedback: '' })).toThrow('needs a reason')
    plan.answer('mitigate', { feedback: 'sessions are kept since 2.1' })
    const manifest = releaseManifest(plan.state)
    expect(manifest.risks).toMatchObject([
      { status: 'mitigated', accepted_by: 'ada', reason: 'sessions are kept since 2.1' },
    ])
    const summary = releaseSummary(manifest, { title: 'Shop', manifest: 'm' })
    expect(summary).toContain('Mitigated risks: risk-1-1 by ada (sessions are kept since 2.1)')
  })

  test('is settled alone where the answer names it, and the rest is asked about again', () => {
    const risks = [risk, { ...risk, description: 'leaks memory' }]
    const plan = committed({ risks }).releaseGate()
    plan.answer('mitigate', { feedback: 'risk-1-2: freed on close' })
    expect([...plan.state.risks.values()].map(({ status }) => status)).toEqual(['open', 'mitigated'])
    expect(plan.item().problem).toBe('open risks need a decision: risk-1-1 (task 1): drops sessions')
  })

  test('in the review note alone counts as a risk of the task', () => {
    const reviewNote = { summary: 's', risks: ['slow at first', 'None known.'], rollback: 'revert' }
    const plan = PlayedPlan.begun([critical('1')]).complete('1', { report: aReport({ reviewNote }) })
    expect([...plan.state.risks.values()]).toMatchObject([{ id: 'risk-1-1', description: 'slow at first' }])
  })
})

test('reported tests read as counts, and failing names count where no number was given', () => {
  const failed: ReportedTests = { outcome: 'failed', component: 'shop', passed: 3, failing: ['adds an item'] }
  expect(testsText(failed)).toBe('shop: 3 passed, 1 failed: adds an item')
  expect(testsText({ outcome: 'failed', failed: 2 })).toBe('2 failed')
  expect(testsText({ outcome: 'passed' })).toBe('passed')
})
