import { describe, expect, test } from 'vitest'
import { HOUR, low } from '../../../test/helpers/plan-builder.ts'
import type { Outcomes } from '../../../test/helpers/outcomes.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'

const QUIET = { settings: { reportEveryMs: 1000 * HOUR } }
const one = (): PlayedPlan => PlayedPlan.begun([low('1')], QUIET)
const launches = (plan: PlayedPlan): string[] => plan.all('task.dispatched').map(({ reason }) => reason)
const keys = (plan: PlayedPlan): string[] => plan.item().options.map(({ key }) => key)

describe('a refusal for the same reasons as the last attempt', () => {
  const bad: Outcomes = { failed: ['unit'], failures: ['fails: a', 'fails: b'] }

  test('goes to a person without another worker', () => {
    const plan = one().work('1').gates('1', bad).work('1').gates('1', bad)
    expect([launches(plan), plan.step('1')]).toEqual([['first', 'fix'], 'escalated'])
    expect(plan.item().problem).toContain('unit tests still failing for the same reasons after 1 fix attempt')
  })

  test('is another one where one reason less is left', () => {
    const plan = one().work('1').gates('1', bad).work('1')
    plan.gates('1', { failed: ['unit'], failures: ['fails: b'] })
    expect(launches(plan)).toEqual(['first', 'fix', 'fix'])
  })

  test('is another one where another gate fails', () => {
    const plan = one().work('1').gates('1', bad).work('1').gates('1')
    plan.gates('1', { failed: ['integrity'], failures: ['fails: a', 'fails: b'] })
    expect(launches(plan)).toEqual(['first', 'fix', 'fix'])
  })

  test('is not known where a gate does not name its reasons', () => {
    const unnamed: Outcomes = { failed: ['unit'] }
    const plan = one().work('1').gates('1', unnamed).work('1').gates('1', unnamed)
    expect(launches(plan)).toEqual(['first', 'fix', 'fix'])
  })

  test('counts from a person’s answer on', () => {
    const plan = one().work('1').gates('1', bad).work('1').gates('1', bad)
    plan.answer('revise', { feedback: 'b needs a clock' }).work('1').gates('1', bad)
    expect(launches(plan)).toEqual(['first', 'fix', 'revise', 'fix'])
  })
})

describe('gates that could not be checked for the same reasons as before', () => {
  const bad = (why: string): Outcomes => ({ inconclusive: ['unit'], failures: [why] })

  test('run again once, and go to a person then', () => {
    const plan = one().work('1').gates('1', bad('sh: tool: not found'))
    expect(plan.step('1')).toBe('gating')
    plan.gates('1', bad('sh: tool: not found'))
    expect([launches(plan), plan.step('1'), plan.item().recommended]).toEqual([
      ['first'],
      'escalated',
      'recheck',
    ])
  })

  test('run again once more for other reasons', () => {
    const plan = one().work('1').gates('1', bad('timed out')).gates('1', bad('not found'))
    expect(plan.step('1')).toBe('gating')
  })
})

describe('a test runner that cannot fail', () => {
  const blind: Outcomes = {
    failed: ['unit', 'tests_to_run'],
    findings: ['the test runner cannot fail: the run with tests that must fail exited with 0'],
  }

  test('goes to a person at once, who is not advised to send it to a worker', () => {
    const plan = one().work('1').gates('1', blind)
    expect([launches(plan), plan.step('1')]).toEqual([['first'], 'escalated'])
    expect([keys(plan), plan.item().recommended]).toEqual([['recheck', 'approve', 'reject'], 'recheck'])
    expect(plan.item().problem).toBe(
      'task 1 (Do 1): required tests, unit tests failed for a reason that no worker can mend: tests_to_run failed (the test runner cannot fail: the run with tests that must fail exited with 0)',
    )
  })

  test('is a matter for a worker where something else fails too', () => {
    const findings = [...(blind.findings ?? []), 'fails: a']
    expect(
      launches(
        one()
          .work('1')
          .gates('1', { ...blind, findings }),
      ),
    ).toEqual(['first', 'fix'])
  })
})

test('an escalation names the failing tests that the summary leaves out', () => {
  const plan = PlayedPlan.begun([low('1')], { settings: { fixAttempts: 0 } }).work('1')
  const findings = ['passed on the base, now missing: a > b', 'fails: c', 'fails: d', 'fails: e']
  plan.gates('1', { failed: ['unit'], findings })
  expect(plan.item().problem).toContain(
    'unit failed (passed on the base, now missing: a > b; fails: c; fails: d; and 1 more)',
  )
})
