import { describe, expect, test } from 'vitest'
import { aReport, HOUR, low, MINUTE, normal } from '../../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../../test/helpers/played-plan.ts'

const QUIET = { settings: { reportEveryMs: 1000 * HOUR } }

describe('a near miss', () => {
  const condemned = (): PlayedPlan =>
    PlayedPlan.begun([low('1')], QUIET)
      .started('1')
      .pass(40 * MINUTE)

  test('a worker that finished before it could be stopped goes on to its gates', () => {
    const plan = condemned()
    expect(plan.step('1')).toBe('stopping')
    plan.ended('1', { end: { kind: 'done' } }).collected('1')
    expect([plan.step('1'), plan.task('1').counters.restarts]).toEqual(['gating', 0])
  })

  test('is kept in the decision log', () => {
    expect(condemned().ended('1').decisions('1')).toContain(
      'near miss: it finished before it could be stopped',
    )
  })

  test('is not recorded for a worker that was stopped', () => {
    const plan = condemned().ended('1', { end: { kind: 'stopped', cause: 'stalled' } })
    expect(plan.decisions('1').join()).not.toContain('near miss')
  })
})

describe('a worker', () => {
  test('that reported a blocker and fell silent is lost with that blocker as the reason', () => {
    const plan = PlayedPlan.begun([low('1')], QUIET).started('1')
    const { worker, attempt } = plan.last('task.dispatched')
    plan.tell({
      type: 'worker.condemned',
      v: 1,
      task: '1',
      worker,
      attempt,
      cause: 'stalled',
      why: `${worker} gave no sign of life for 30m: it says that it is blocked: the database is down`,
    })
    plan.ended('1', { end: { kind: 'stopped', cause: 'stalled' } })
    expect(plan.task('1').cause).toEqual({
      kind: 'lost',
      reason: 'it stalled, and it says that it is blocked: the database is down',
    })
  })

  test('counts with what its agent says it used, where its report claims less', () => {
    const plan = PlayedPlan.begun([low('1')], QUIET).started('1')
    const { worker, attempt } = plan.last('task.dispatched')
    const claimed = { ...aReport(), usage: { tokensIn: 1, tokensOut: 1, usd: null } }
    const usage = { tokensIn: 900, tokensOut: 100, usd: 0.5 }
    plan.tell({
      type: 'worker.ended',
      v: 1,
      task: '1',
      worker,
      attempt,
      end: { kind: 'done' },
      report: claimed,
      usage,
    })
    expect([plan.task('1').spent, plan.state.spending.total]).toMatchObject([
      { tokens: 1000, usd: 0.5 },
      { tokens: 1000, usd: 0.5 },
    ])
  })

  test('has an id of its own for every attempt', () => {
    const plan = PlayedPlan.begun([low('1')])
      .work('1')
      .gates('1', { failed: ['unit'] })
    expect(plan.all('task.dispatched').map(({ worker }) => worker)).toEqual(['w-shop-1-1', 'w-shop-1-2'])
  })

  test('that was started twice is started once', () => {
    const plan = PlayedPlan.begun([low('1')]).started('1')
    const since = plan.task('1').live?.since
    plan.now += MINUTE
    expect([plan.started('1').step('1'), plan.task('1').live?.since]).toEqual(['working', since])
  })

  test('may end before it was seen to start', () => {
    expect(
      PlayedPlan.begun([low('1')])
        .ended('1')
        .step('1'),
    ).toBe('collecting')
  })

  test('leaves its report with its work', () => {
    const report = aReport({ explanation: 'I used a map' })
    expect(
      PlayedPlan.begun([low('1')])
        .work('1', { report })
        .task('1').draft?.report,
    ).toEqual(report)
  })

  test('without a report leaves none, even if the previous worker had one', () => {
    const plan = PlayedPlan.begun([low('1')])
      .work('1')
      .gates('1', { failed: ['unit'] })
    expect(plan.work('1', { report: null }).task('1').draft?.report).toBeNull()
  })

  test("gets the commits of its task's dependencies", () => {
    const plan = PlayedPlan.begun([low('1'), low('2', { dependsOn: ['1'] })]).complete('1')
    expect(plan.effect('start_worker', '2').context.dependencies).toMatchObject([
      { task: '1', commit: { sha: 'sha-1' } },
    ])
  })
})

describe('a worker is condemned', () => {
  test('when it gave no sign of life for too long', () => {
    const plan = PlayedPlan.begun([low('1')], QUIET).started('1')
    plan.lives('1').pass(25 * MINUTE)
    plan.pass(5 * MINUTE - 1)
    expect(plan.step('1')).toBe('working')
    expect(plan.pass(1).last('worker.condemned')).toMatchObject({
      cause: 'stalled',
      why: expect.stringContaining('w-shop-1-1 gave no sign of life for 30m'),
    })
  })

  test('not while it gives signs of life, until it exceeds its limit by a tenth', () => {
    const plan = PlayedPlan.begun([low('1')], QUIET).started('1')
    for (let sign = 1; sign <= 6; sign++) {
      plan.lives('1')
      plan.pass(11 * MINUTE - (sign === 6 ? 1 : 0))
      if (sign < 6) expect(plan.step('1')).toBe('working')
    }
    expect(plan.step('1')).toBe('working')
    expect(plan.pass(1).last('worker.condemned').cause).toBe('time_limit')
  })

  test('only once: it is stopped, and nothing else is decided about it', () => {
    const plan = PlayedPlan.begun([low('1')], QUIET)
      .started('1')
      .pass(40 * MINUTE)
      .pass(HOUR)
    expect(plan.all('worker.condemned')).toHaveLength(1)
    expect(plan.keys()).toEqual(['stop w-shop-1-1'])
  })

  test('not while it is still being launched', () => {
    expect(
      PlayedPlan.begun([low('1')], QUIET)
        .pass(5 * HOUR)
        .step('1'),
    ).toBe('launching')
  })

  test('when it is a reviewer too, and the task stays in review', () => {
    const plan = PlayedPlan.begun([normal('1')], QUIET)
      .work('1')
      .gates('1')
      .started('1')
      .pass(40 * MINUTE)
    expect([plan.step('1'), plan.task('1').live?.step]).toEqual(['reviewing', 'stopping'])
  })
})
