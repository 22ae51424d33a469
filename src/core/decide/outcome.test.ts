import { describe, expect, test } from 'vitest'
import { aReport, low } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { NOT_STARTED } from '../delivery/not-started.ts'
import { outcomeOf } from './outcome.ts'

const HOUR = 3_600_000
const outcome = (plan: PlayedPlan): string => outcomeOf(plan.state, plan.now)

/** Plays `round` until the task is escalated; time passes between the rounds. */
function untilEscalated(plan: PlayedPlan, id: string, round: () => void): void {
  for (let time = 0; time < 20 && plan.step(id) !== 'escalated'; time++) {
    if (plan.task(id).live !== null) round()
    plan.pass(HOUR / 4)
  }
  expect(plan.step(id)).toBe('escalated')
}

describe('the outcome of a plan', () => {
  test('is moving from the start', () => {
    expect(outcome(new PlayedPlan([low('a')]))).toBe('moving')
    expect(outcome(PlayedPlan.begun([low('a')]))).toBe('moving')
  })

  test('needs a person while a point of the plan is open, also where a gate failed for good', () => {
    const questions = [{ kind: 'undecided' as const, words: 'Store: TBD', line: 1, choices: [] }]
    const plan = PlayedPlan.begun([low('a'), low('b', { questions })], { settings: { fixAttempts: 0 } })
    untilEscalated(plan, 'a', () => plan.work('a').gates('a', { failed: ['unit'] }))
    expect(outcome(plan)).toBe('needs_person')
    expect(outcome(plan.answer('worker', { about: 'b#1' }).complete('b'))).toBe('gate_failed')
  })

  test('needs a person while a worker waits for an answer, also where a gate failed for good', () => {
    const plan = PlayedPlan.begun([low('a'), low('b')], { settings: { fixAttempts: 0 } })
    plan.work('b', { report: aReport({ ambiguities: ['which heading level?'] }) })
    untilEscalated(plan, 'a', () => plan.work('a').gates('a', { failed: ['unit'] }))
    expect([...plan.state.inbox.values()].map(({ item }) => item.kind).sort()).toEqual([
      'escalation',
      'question',
    ])
    expect(outcome(plan)).toBe('needs_person')
  })

  test('is released once the manifest is committed, whether signed or not', () => {
    const plan = PlayedPlan.begun([low('a')])
      .complete('a')
      .releaseGate()
    expect(outcome(plan)).toBe('moving')
    plan.tell({ type: 'release.prepared', v: 1, sha: 'sha', manifest: 'docs/releases/shop.yaml' })
    expect(outcome(plan)).toBe('released')
    expect(outcome(plan.answer('sign'))).toBe('released')
  })

  test('is cancelled as soon as a person cancels it', () => {
    expect(outcome(PlayedPlan.begun([low('a')]).cancel())).toBe('cancelled')
  })

  test('is moving while its workers finish during a pause, then needs a person', () => {
    const plan = PlayedPlan.begun([low('a'), low('b', { dependsOn: ['a'] })]).pause()
    expect(outcome(plan)).toBe('moving')
    expect(outcome(plan.complete('a'))).toBe('needs_person')
  })

  test('needs a person when an effect keeps failing, although it is retried', () => {
    const plan = new PlayedPlan([low('a')])
    for (let time = 0; time < 20 && plan.state.inbox.size === 0; time++)
      plan.failEffect('baseline').pass(HOUR)
    expect(plan.item().subject).toBe('effect')
    expect(outcome(plan)).toBe('needs_person')
  })

  test('is a failed gate when only that is left to decide', () => {
    const plan = PlayedPlan.begun([low('a'), low('b')])
    untilEscalated(plan, 'a', () => plan.work('a').gates('a', { failed: ['unit'] }))
    expect(outcome(plan)).toBe('moving')
    expect(outcome(plan.complete('b'))).toBe('gate_failed')
  })

  test.each([
    [`${NOT_STARTED}no such program`, 'no_agent'],
    ['exit code 1', 'needs_person'],
  ])('whose workers all fail with %j is %s', (reason, expected) => {
    const plan = PlayedPlan.begun([low('a')])
    const end = { kind: 'failed', reason } as const
    untilEscalated(plan, 'a', () => plan.ended('a', { end, report: null }).collected('a', []))
    expect(outcome(plan)).toBe(expected)
  })
})
