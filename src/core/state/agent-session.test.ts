import { describe, expect, test } from 'vitest'
import { low, MISSES_A_CASE, normal } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'

const begun = (): PlayedPlan => PlayedPlan.begun([low('1')]).started('1')
const continued = (plan: PlayedPlan): string | null => plan.effect('start_worker', '1').session?.id ?? null

describe('the session of a worker is continued', () => {
  test('by the fix attempt after its gates failed, for the same agent', () => {
    const plan = begun()
      .session('1')
      .work('1')
      .gates('1', { failed: ['unit'] })
    expect(plan.effect('start_worker', '1').session).toMatchObject({
      id: 'session-of-w-shop-1-1',
      agent: 'goose',
      protocol: 'acp',
      continues: 'load',
      worker: 'w-shop-1-1',
    })
  })

  test('after a review that requests changes', () => {
    const plan = PlayedPlan.begun([normal('1')])
      .started('1')
      .session('1')
      .work('1')
      .gates('1')
      .review('1', MISSES_A_CASE)
    expect(continued(plan)).toBe('session-of-w-shop-1-1')
  })

  test.each([
    { kind: 'interrupted', reason: 'its supervisor died' },
    { kind: 'stopped', cause: 'restarted' },
    { kind: 'stopped', cause: 'stalled' },
    { kind: 'failed', reason: 'it exited with code 1' },
  ] as const)('after it ended as $kind', (end) => {
    const plan = begun().session('1').work('1', { end, report: null }).pass(60_000)
    expect(continued(plan)).toBe('session-of-w-shop-1-1')
  })

  test('with the id of the last worker that had another one', () => {
    const plan = begun()
      .session('1')
      .work('1')
      .gates('1', { failed: ['unit'] })
      .started('1')
    plan.session('1', { session: 'new', lost: { session: 'session-of-w-shop-1-1', why: 'gone' } })
    plan.work('1', { changed: ['src/other.ts'] }).gates('1', { failed: ['unit'] })
    expect(continued(plan)).toBe('new')
    expect(plan.decisions('1')).toContain(
      'w-shop-1-2 cannot continue session session-of-w-shop-1-1 (gone); it begins a new one',
    )
  })
})

describe('a new session begins', () => {
  test('where the agent cannot continue one', () => {
    const plan = begun().session('1', { continues: null }).work('1')
    expect(continued(plan.gates('1', { failed: ['unit'] }))).toBeNull()
  })

  test('after a worker that kept repeating the same call', () => {
    const end = { kind: 'stopped', cause: 'looping' } as const
    expect(continued(begun().session('1').work('1', { end, report: null }).pass(60_000))).toBeNull()
  })

  test('in the last try after lost workers', () => {
    const lost = { end: { kind: 'failed', reason: 'it exited with code 1' }, report: null } as const
    const plan = begun().session('1').work('1', lost).pass(60_000).started('1').session('1')
    expect(continued(plan.work('1', lost).pass(60_000))).toBeNull()
  })

  test('where an edit of the plan changed the task', () => {
    const plan = begun().session('1')
    plan.edit([low('1')], [low('1', { acceptanceCriteria: ['something else'] })])
    plan.ended('1', { end: { kind: 'stopped', cause: 'plan_edited' } }).collected('1')
    expect(continued(plan)).toBeNull()
  })

  test('where a person has the task tried again', () => {
    const plan = begun()
      .session('1')
      .work('1', { end: { kind: 'blocked', reason: 'no key' } })
    expect(continued(plan.answer('retry'))).toBeNull()
  })
})

describe('a reviewer that ended without a verdict', () => {
  const inReview = (): PlayedPlan =>
    PlayedPlan.begun([normal('1')])
      .work('1')
      .gates('1')
      .started('1')
      .session('1')
  const lost = { end: { kind: 'failed', reason: 'it exited with code 1' }, report: null } as const

  test('is continued once, at once and at no cost, before another reviewer begins', () => {
    const plan = inReview().ended('1', lost)
    expect([continued(plan), plan.task('1').counters.reviewersLost]).toEqual([
      'session-of-w-shop-1-1-review-1',
      0,
    ])
    plan.started('1').session('1', { session: 'session-of-w-shop-1-1-review-1', isContinued: true })
    plan.ended('1', lost).pass(60_000)
    expect([continued(plan), plan.task('1').counters.reviewersLost]).toEqual([null, 1])
  })

  test('and was asked again in its session is not continued', () => {
    const plan = inReview()
    const { worker, task, attempt } = plan.last('session.opened')
    const end = { kind: 'failed', reason: 'it ended without a verdict' } as const
    plan.tell({ type: 'worker.ended', v: 1, worker, task, attempt, end, report: null, hasNoVerdict: true })
    plan.pass(60_000)
    expect([continued(plan), plan.task('1').counters.reviewersLost]).toEqual([null, 1])
  })

  test('hands its session to no reviewer of the next attempt', () => {
    const plan = inReview()
      .review('1', MISSES_A_CASE)
      .work('1', { changed: ['src/b.ts'] })
      .gates('1')
    expect(continued(plan)).toBeNull()
  })
})

describe('the last words of a worker', () => {
  const silent = (lastWords?: string): PlayedPlan => {
    const plan = begun()
    const { worker, task, attempt } = plan.last('task.dispatched')
    const words = lastWords === undefined ? {} : { lastWords }
    plan.tell({
      type: 'worker.ended',
      v: 1,
      worker,
      task,
      attempt,
      end: { kind: 'done' },
      report: null,
      ...words,
    })
    return plan.collected('1', [])
  }

  test('stand where it ended and changed nothing', () => {
    const plan = silent('I could not find the file.').pass(60_000)
    expect(plan.last('task.dispatched').why).toBe(
      'restart 1 of 2: it ended and changed nothing; its last words: "I could not find the file." (not judged: no model)',
    )
  })

  test('are left out where it left none', () => {
    expect(silent().pass(60_000).last('task.dispatched').why).toBe(
      'restart 1 of 2: it ended and changed nothing (not judged: no model)',
    )
  })
})

test('what a session could not be given is among the decisions of its task', () => {
  const note = 'which of its models are small is not known, so it works with its own'
  expect(begun().session('1', { note }).decisions('1').at(-1)).toBe(`w-shop-1-1: ${note}`)
})
