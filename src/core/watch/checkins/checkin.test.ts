import { describe, expect, test } from 'vitest'
import { checkinFileSchema, checkinSchema, requestsIn, claimIn, timeOf } from './checkin.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const MINIMAL = { status: 'in_progress', progress_pct: 40 }

describe('a check-in', () => {
  test('needs a status and a percentage; all other keys are optional', () => {
    expect(checkinSchema.parse(MINIMAL)).toEqual(MINIMAL)
    const full = {
      worker_id: 'w-shop-1-1',
      timestamp: '2026-11-15T12:00:00Z',
      status: 'failed',
      progress_pct: 99.5,
      current_step: 'a',
      next_step: 'b',
      time_remaining_estimate: 10,
      token_usage: 1200,
      issues: ['slow'],
      requests: ['need_time', { type: 'need_help', text: 'how?', minutes: 5 }],
      metrics: { files_modified: 3 },
      deliverables: ['a.js'],
      failure: { reason: 'no', category: 'environment', can_retry: false },
      tool_start: 'npm',
      tool_end: 'git',
    }
    expect(checkinSchema.parse(full)).toEqual(full)
    expect(requestsIn(checkinSchema.parse(full))).toEqual([
      { type: 'need_time', text: 'slow', data: {} },
      { type: 'need_help', text: 'how?', data: { minutes: 5 } },
    ])
  })

  test.each([
    ['status', { status: 'asleep' }],
    ['status', { status: 7 }],
    ['progress_pct', { progress_pct: -1 }],
    ['progress_pct', { progress_pct: 101 }],
    ['progress_pct', { progress_pct: 1e300 }],
    ['progress_pct', { progress_pct: '40' }],
    ['progress_pct', { progress_pct: null }],
    ['worker_id', { worker_id: '../../etc/passwd' }],
    ['worker_id', { worker_id: 'W-SHOP' }],
    ['timestamp', { timestamp: 5 }],
    ['current_step', { current_step: 'x'.repeat(2001) }],
    ['issues', { issues: 'slow' }],
    ['issues', { issues: Array.from({ length: 21 }, () => 'x') }],
    ['issues.0', { issues: [{}] }],
    ['requests.0', { requests: [{ text: 'no type' }] }],
    ['metrics.a', { metrics: { a: [] } }],
    ['metrics', { metrics: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`m${n}`, n])) }],
    ['failure.reason', { failure: {} }],
    ['failure.can_retry', { failure: { reason: 'x', can_retry: 'yes' } }],
    ['token_usage', { token_usage: -1 }],
    ['', { progres: 4 }],
    ['', { token: 'abc' }],
  ])('is refused for %s in %j', (key, wrong) => {
    const { error } = checkinSchema.safeParse({ ...MINIMAL, ...wrong })
    expect(error?.issues[0]?.path.join('.')).toBe(key)
  })

  test('in a file must name its worker', () => {
    expect(checkinFileSchema.safeParse(MINIMAL).error?.issues[0]?.path).toEqual(['worker_id'])
    expect(checkinFileSchema.safeParse({ ...MINIMAL, worker_id: 'w-1', token: 'abc' }).success).toBe(true)
  })

  test('becomes a claim without made-up values for missing keys', () => {
    expect(claimIn(checkinSchema.parse(MINIMAL), NOW)).toEqual({
      at: NOW,
      status: 'in_progress',
      percent: 40,
      step: null,
      nextStep: null,
      timeRemaining: null,
      issues: [],
      failure: null,
    })
  })
})

describe('the time of a check-in', () => {
  test('is its timestamp', () => {
    expect(timeOf(NOW - 3_600_000, NOW)).toEqual({ at: NOW - 3_600_000, note: null })
    expect(timeOf(null, NOW)).toEqual({ at: NOW, note: null })
  })

  test('is never in the future, however little the clocks differ', () => {
    expect(timeOf(NOW + 30_000, NOW)).toEqual({ at: NOW, note: null })
  })

  test.each([0, Date.UTC(2099, 0), Number.NaN, Number.POSITIVE_INFINITY])(
    'is the time of receipt if the timestamp is %d',
    (claimedAt) => {
      const { at, note } = timeOf(claimedAt, NOW)
      expect(at).toBe(NOW)
      expect(note).toMatch(/^timestamp: .*; using the time of receipt$/)
    },
  )
})
