import { describe, expect, test } from 'vitest'
import { aReport, HOUR, low, MINUTE, MISSES_A_CASE, normal } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import type { WorkerEnd } from '../event-schemas/schemas.ts'

const SECOND = 1000
/** No report comes between. */
const QUIET = { settings: { reportEveryMs: 1000 * HOUR } }
const one = (): PlayedPlan => PlayedPlan.begun([low('1')], QUIET)
const crash: WorkerEnd = { kind: 'failed', reason: 'exit code 1' }
const reasons = (plan: PlayedPlan): string[] => plan.all('task.dispatched').map(({ reason }) => reason)

describe('fix attempts', () => {
  const bad = { failed: ['unit' as const] }

  test('two are made after failed gates, then a person is asked', () => {
    const plan = one().work('1').gates('1', bad).work('1').gates('1', bad)
    expect(reasons(plan)).toEqual(['first', 'fix', 'fix'])
    plan.work('1').gates('1', bad)
    expect([plan.step('1'), plan.task('1').attempt]).toEqual(['escalated', 3])
    expect(plan.item().problem).toBe(
      'task 1 (Do 1): unit tests still failing after 2 fix attempts: unit failed',
    )
    expect(plan.item().options.map(({ key }) => key)).toEqual(['revise', 'approve', 'reject'])
  })

  test('a fixer gets the failures and the last draft', () => {
    const plan = one().work('1').gates('1', bad)
    const { role, context } = plan.effect('start_worker')
    expect(role).toBe('fixer')
    expect(context.cause).toEqual({ kind: 'gates_failed', gates: ['unit'] })
    expect(context.failed.map(({ gate }) => gate)).toEqual(['unit'])
    expect(context.draft).toMatchObject({ worker: 'w-shop-1-1', changed: ['src/1.ts'] })
  })

  test('the failures are kept after a lost fixer, and dropped once the work is proven', () => {
    const plan = one().work('1').gates('1', bad).work('1', { end: crash })
    plan.pass(10 * SECOND)
    expect(plan.effect('start_worker').context.failed.map(({ gate }) => gate)).toEqual(['unit'])
    plan.work('1').gates('1')
    expect(plan.task('1').verdicts?.map(({ outcome }) => outcome)).toEqual(['passed'])
  })

  test('are logged with their number and their cause', () => {
    expect(one().work('1').gates('1', bad).decisions('1').at(-1)).toBe(
      'fix attempt 1 of 2 for unit (not judged: no model)',
    )
  })

  test('a commit that conflicts is fixed from the same budget', () => {
    const plan = one().work('1').gates('1', bad).work('1').gates('1', bad).work('1').gates('1').gates('1')
    const refused = {
      type: 'task.commit_refused',
      v: 1,
      task: '1',
      attempt: 3,
      reason: 'both changed a',
    } as const
    expect(plan.tell(refused).step('1')).toBe('escalated')
    expect(plan.item().problem).toContain('both changed a')
  })

  test('are limited by a setting', () => {
    const plan = PlayedPlan.begun([low('1')], { settings: { fixAttempts: 0 } })
    expect(plan.work('1').gates('1', bad).step('1')).toBe('escalated')
  })
})

describe('rework after review', () => {
  test('is done twice, then a person is asked', () => {
    const plan = PlayedPlan.begun([normal('1')], QUIET)
    for (let round = 1; round <= 3; round++) plan.work('1').gates('1').review('1', MISSES_A_CASE)
    expect(reasons(plan)).toEqual(['first', 'rework', 'rework'])
    expect(plan.item().problem).toContain('the review still requests changes after 2 rounds (1 issue)')
  })

  test('is left out by a setting, and the first verdict is then put to a person', () => {
    const plan = PlayedPlan.begun([normal('1')], { settings: { reworks: 0 } })
    expect(plan.work('1').gates('1').review('1', MISSES_A_CASE).step('1')).toBe('escalated')
    expect(plan.item().problem).toContain('the review requests changes (1 issue)')
  })

  test('is a budget apart from fix attempts and restarts', () => {
    const plan = PlayedPlan.begun([normal('1')], QUIET)
    plan.work('1', { end: crash }).pass(10 * SECOND)
    plan.work('1').gates('1', { failed: ['unit'] })
    plan.work('1').gates('1').gates('1').review('1', MISSES_A_CASE)
    expect(reasons(plan)).toEqual(['first', 'restart', 'fix', 'rework'])
    expect(plan.task('1').counters).toMatchObject({ fixes: 1, reworks: 1, restarts: 1 })
  })
})

describe('restarts', () => {
  test.each<[string, WorkerEnd]>([
    ['crashed', crash],
    ['exceeded its time limit', { kind: 'stopped', cause: 'time_limit' }],
    ['stalled', { kind: 'stopped', cause: 'stalled' }],
  ])('a worker that %s is replaced after a delay, twice, then a person is asked', (_, end) => {
    const plan = one().work('1', { end })
    expect([plan.step('1'), plan.owed().wakeAt]).toEqual(['deciding', plan.now + 10 * SECOND])
    plan.pass(10 * SECOND - 1)
    expect(plan.step('1')).toBe('deciding')
    plan.pass(1).work('1', { end })
    expect(plan.owed().wakeAt).toBe(plan.now + 20 * SECOND)
    plan.pass(20 * SECOND).work('1', { end })
    expect([reasons(plan), plan.step('1')]).toEqual([['first', 'restart', 'restart'], 'escalated'])
    expect(plan.item().recommended).toBe('retry')
  })

  test('are not used for a worker whose task names no files and that changed nothing', () => {
    const files = { create: [], modify: [], delete: [] }
    const plan = PlayedPlan.begun([low('1', { title: 'Final verification', files })]).work('1', {
      changed: [],
    })
    expect(plan.step('1')).toBe('gating')
  })

  test('are used for a worker that changed nothing, and the escalation names that', () => {
    const plan = one().work('1', { changed: [] })
    expect(plan.task('1').cause).toEqual({ kind: 'nothing_done' })
    plan
      .pass(10 * SECOND)
      .work('1', { changed: [] })
      .pass(20 * SECOND)
      .work('1', { changed: [] })
    expect(plan.item().problem).toBe('task 1 (Do 1): its workers ended and changed nothing')
  })

  test("start only after a lost worker's work was collected", () => {
    const plan = one().started('1').ended('1', { end: crash })
    expect(plan.effect('collect_work')).toMatchObject({ worker: 'w-shop-1-1' })
    expect(plan.collected('1', ['src/half.ts']).task('1').draft).toMatchObject({
      changed: ['src/half.ts'],
      salvage: 'refs/salvage/w-shop-1-1',
    })
  })
})

describe('an end that uses no budget', () => {
  const interrupted: WorkerEnd = { kind: 'interrupted', reason: 'the machine went down' }

  test('an interruption is followed by another worker at once', () => {
    const plan = one().work('1', { end: interrupted })
    expect([reasons(plan), plan.step('1')]).toEqual([['first', 'again'], 'launching'])
    expect(plan.task('1').counters).toMatchObject({ fixes: 0, restarts: 0, interruptions: 1 })
  })

  test('ten interruptions in a row are enough, then a person is asked', () => {
    const plan = one()
    for (let time = 1; time < 10; time++) plan.work('1', { end: interrupted })
    expect(plan.step('1')).toBe('launching')
    expect(plan.work('1', { end: interrupted }).step('1')).toBe('escalated')
    expect(plan.task('1').counters.restarts).toBe(0)
  })

  test('only consecutive interruptions are counted', () => {
    const plan = one()
    for (let time = 1; time < 10; time++) plan.work('1', { end: interrupted })
    plan.work('1', { end: crash }).pass(10 * SECOND)
    expect(plan.task('1').counters).toMatchObject({ interruptions: 0, restarts: 1 })
    expect(plan.work('1', { end: interrupted }).step('1')).toBe('launching')
  })

  test("a provider's limit whose reset has passed is probed after five minutes", () => {
    const plan = one().work('1', { end: { kind: 'limited', until: 0 } })
    expect(plan.pass(5 * MINUTE - 1).step('1')).toBe('deciding')
    expect(plan.pass(1).step('1')).toBe('launching')
  })

  test("a provider's limit is waited out until its reset, to the moment", () => {
    const plan = one()
    const until = plan.now + 3 * HOUR
    plan.work('1', { end: { kind: 'limited', until } })
    expect([plan.step('1'), plan.owed().wakeAt]).toEqual(['deciding', until])
    plan.pass(3 * HOUR - 1)
    expect(plan.step('1')).toBe('deciding')
    plan.pass(1)
    expect([plan.step('1'), reasons(plan)]).toEqual(['launching', ['first', 'again']])
    expect(plan.task('1').counters).toMatchObject({ fixes: 0, restarts: 0, interruptions: 0 })
  })

  test('a worker that was stopped for a pause is replaced after it', () => {
    const plan = one().started('1').pause('stop workers')
    plan.ended('1', { end: { kind: 'stopped', cause: 'paused' } }).collected('1')
    expect(plan.step('1')).toBe('deciding')
    expect(reasons(plan.resume())).toEqual(['first', 'again'])
  })
})

describe('a worker that is blocked', () => {
  test('is escalated at once, with its reason', () => {
    const plan = one().work('1', { end: { kind: 'blocked', reason: 'two ways to read it' } })
    expect([plan.step('1'), plan.item().problem]).toEqual([
      'escalated',
      'task 1 (Do 1): its worker is blocked: two ways to read it',
    ])
  })

  test('is escalated as well when only its report mentions it', () => {
    const report = aReport({ selfAssessment: 'blocked', blockers: ['no access', 'no spec'] })
    expect(one().work('1', { report }).item().problem).toContain('no access; no spec')
  })

  test('and asks something is not merely escalated: its question reaches the person', () => {
    const asks = aReport({
      selfAssessment: 'blocked',
      blockers: ['the price is not defined'],
      ambiguities: ['How much does gift wrap cost?'],
    })
    for (const end of [{ kind: 'done' }, { kind: 'blocked', reason: 'exit 3' }] as const) {
      const plan = one().work('1', { report: asks, end })
      const { kind, problem, options, recommended } = plan.item()
      expect([kind, recommended]).toEqual(['question', 'revise'])
      expect(problem).toContain('its worker asks: the price is not defined; How much does gift wrap cost?')
      expect(options.map(({ key }) => key)).toEqual(expect.arrayContaining(['revise', 'retry', 'reject']))
      // What was answered is not asked again.
      plan.answer('revise', { feedback: '3 dollars' })
      expect(plan.work('1', { report: asks }).item().kind).toBe('escalation')
    }
  })
})

describe('review', () => {
  test('low work is read by no agent, higher tiers by a reviewer', () => {
    const small = one().work('1').gates('1')
    expect([small.step('1'), small.task('1').review?.by]).toEqual(['committing', 'nobody'])
    const larger = PlayedPlan.begun([normal('1')], QUIET)
      .work('1')
      .gates('1')
    expect(larger.task('1').live).toMatchObject({ role: 'reviewer', worker: 'w-shop-1-1-review-1' })
  })

  test('an uncertain worker raises it by one tier', () => {
    const report = aReport({ selfAssessment: 'uncertain' })
    const plan = one().work('1', { report }).gates('1')
    expect([plan.task('1').tier, plan.task('1').live?.role]).toEqual(['low', 'reviewer'])
  })

  test('a lost reviewer is replaced after a delay, twice, then a person is asked', () => {
    const plan = PlayedPlan.begun([normal('1')], QUIET)
      .work('1')
      .gates('1')
      .started('1')
      .ended('1', { end: crash })
    expect(plan.owed().wakeAt).toBe(plan.now + 10 * SECOND)
    plan
      .pass(10 * SECOND)
      .started('1')
      .ended('1', { end: crash })
    plan
      .pass(20 * SECOND)
      .started('1')
      .ended('1', { end: crash })
    expect(plan.step('1')).toBe('escalated')
    expect(plan.all('review.dispatched').map(({ round }) => round)).toEqual([1, 2, 3])
    expect(plan.item().options.map(({ key }) => key)).toEqual(['retry', 'approve', 'reject'])
  })

  test("a reviewer that hits its provider's limit is dispatched again at the reset, and is not counted as lost", () => {
    const plan = PlayedPlan.begun([normal('1')], QUIET)
      .work('1')
      .gates('1')
      .started('1')
    const until = plan.now + 3 * HOUR
    plan.ended('1', { end: { kind: 'limited', until } })
    expect(plan.owed().wakeAt).toBe(until)
    plan.pass(3 * HOUR)
    expect(plan.task('1').live?.role).toBe('reviewer')
    expect(plan.task('1').counters.reviewersLost).toBe(0)
  })

  test('a reviewer that is interrupted or stopped for a pause is not counted as lost', () => {
    const plan = PlayedPlan.begun([normal('1')], QUIET)
      .work('1')
      .gates('1')
    for (let time = 1; time <= 3; time++) {
      plan.started('1').ended('1', { end: { kind: 'interrupted', reason: 'its supervisor died' } })
      plan.started('1').pause('stop workers')
      plan.ended('1', { end: { kind: 'stopped', cause: 'paused' } }).resume()
    }
    expect([plan.step('1'), plan.task('1').live?.role]).toEqual(['reviewing', 'reviewer'])
    expect(plan.task('1').counters.reviewersLost).toBe(0)
  })

  test('ten interruptions of reviewers in a row are enough, then a person is asked', () => {
    const plan = PlayedPlan.begun([normal('1')], QUIET)
      .work('1')
      .gates('1')
    for (let time = 1; time <= 10; time++) {
      plan.started('1').ended('1', { end: { kind: 'interrupted', reason: 'its supervisor died' } })
    }
    expect(plan.step('1')).toBe('escalated')
  })
})

describe('approval', () => {
  const stepAfterReview = (approval: 'each_task' | 'critical' | 'release', tier: 'critical' | 'normal') =>
    PlayedPlan.begun([normal('1', { tier })], { settings: { approval } })
      .work('1')
      .gates('1')
      .review('1')
      .step('1')

  test.each([
    ['each_task', 'normal', 'awaiting_person'],
    ['each_task', 'critical', 'awaiting_person'],
    ['critical', 'normal', 'committing'],
    ['critical', 'critical', 'awaiting_person'],
    ['release', 'critical', 'committing'],
  ] as const)('%s: a proven %s task is %s', (approval, tier, step) => {
    expect(stepAfterReview(approval, tier)).toBe(step)
  })

  test('is asked once, with approve recommended', () => {
    const plan = PlayedPlan.begun([low('1')], { settings: { approval: 'each_task' } })
      .work('1')
      .gates('1')
    expect(plan.pass(MINUTE).all('inbox.opened')).toHaveLength(1)
    expect(plan.item()).toMatchObject({ id: 'A-1', kind: 'approval', recommended: 'approve', blocking: true })
  })
})

test('gates get the current tier of a task, not the planned one', () => {
  const plan = PlayedPlan.begun([low('1')])
  plan.started('1').ended('1').collected('1', ['db/migrations/001.sql'])
  expect(plan.effect('run_gates', '1')).toMatchObject({ tier: 'critical', spec: { tier: 'low' } })
})
