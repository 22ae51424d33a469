import { describe, expect, test } from 'vitest'
import { SAMPLE_EVENTS } from '../../../test/helpers/sample-events.ts'
import type { PlanEvent } from '../events/plan-events.ts'
import { DAY_MS, WatchLedger } from './metrics.ts'

const NOW = 10 * DAY_MS
const MINUTE = 60_000
const ledger = (...facts: readonly (readonly [number, PlanEvent])[]): WatchLedger => {
  const made = new WatchLedger()
  for (const [at, event] of facts) made.take({ stream: 'shop', at, event })
  return made
}
const started = SAMPLE_EVENTS['worker.started']
const ended = (
  end: Extract<PlanEvent, { type: 'worker.ended' }>['end'],
  worker = SAMPLE_EVENTS['worker.ended'].worker,
): PlanEvent => ({ ...SAMPLE_EVENTS['worker.ended'], worker, end })

test('the success rate is landed work of that and failed workers, within 24 hours', () => {
  const made = ledger(
    [NOW - 2 * DAY_MS, ended({ kind: 'failed', reason: 'long ago' }, 'w-shop-1-1')],
    [NOW - MINUTE, SAMPLE_EVENTS['task.committed']],
    [NOW - MINUTE, SAMPLE_EVENTS['task.committed']],
    [NOW - MINUTE, ended({ kind: 'failed', reason: 'exit 1' }, 'w-shop-2-1')],
    [NOW - MINUTE, ended({ kind: 'stopped', cause: 'stalled' }, 'w-shop-3-1')],
    [NOW - MINUTE, ended({ kind: 'stopped', cause: 'paused' }, 'w-shop-4-1')],
    [NOW - MINUTE, ended({ kind: 'interrupted', reason: 'power cut' }, 'w-shop-5-1')],
  )
  expect(made.at(NOW, NOW)).toMatchObject({ completed: 2, failed: 2, success_rate: 50, completed_today: 0 })
})

describe('a worker that says it is done and changed nothing', () => {
  const empty = { ...SAMPLE_EVENTS['work.collected'], changed: [] }
  const { task } = empty
  const lost = (...then: PlanEvent[]): number =>
    ledger(
      [NOW - MINUTE, ended({ kind: 'done' })],
      ...[empty, ...then].map((event): [number, PlanEvent] => [NOW - MINUTE, event]),
    ).at(NOW, NOW).failed

  test('counts as lost when another worker is sent or a person is asked', () => {
    expect(lost({ ...SAMPLE_EVENTS['task.dispatched'], task })).toBe(1)
    const { item } = SAMPLE_EVENTS['inbox.opened']
    expect(lost({ ...SAMPLE_EVENTS['inbox.opened'], item: { ...item, subject: 'task', task } })).toBe(1)
  })

  test('is not where there was nothing to change, or it was lost for another reason', () => {
    expect(lost()).toBe(0)
    expect(
      lost({ ...SAMPLE_EVENTS['task.gated'], task }, { ...SAMPLE_EVENTS['task.dispatched'], task }),
    ).toBe(0)
    const other = ledger(
      [NOW, ended({ kind: 'failed', reason: 'exit 1' })],
      [NOW, empty],
      [NOW, { ...SAMPLE_EVENTS['task.dispatched'], task }],
    )
    expect(other.at(NOW, NOW).failed).toBe(1)
  })
})

test('the mean time is of workers that ended well', () => {
  const made = ledger(
    [NOW - 30 * MINUTE, started],
    [NOW - 10 * MINUTE, ended({ kind: 'done' })],
    [NOW - 9 * MINUTE, started],
    [NOW - 5 * MINUTE, ended({ kind: 'failed', reason: 'exit 1' })],
  )
  expect(made.at(NOW, NOW - DAY_MS)).toMatchObject({ mean_completion_ms: 20 * MINUTE, workers: 2 })
})

test('interventions are counted by kind, and what people stop is none', () => {
  const made = ledger(
    [NOW, SAMPLE_EVENTS['worker.told']],
    [NOW, SAMPLE_EVENTS['worker.condemned']],
    [NOW, { ...SAMPLE_EVENTS['worker.condemned'], cause: 'paused' }],
    [NOW, SAMPLE_EVENTS['worker.extended']],
  )
  const { interventions, interventions_today } = made.at(NOW, NOW - MINUTE)
  expect(interventions).toMatchObject({ nudge: 1, restart: 1, extend: 1, kill: 0 })
  expect(interventions_today).toBe(3)
})

test('without anything nothing is claimed', () => {
  expect(ledger().at(NOW, NOW)).toMatchObject({ success_rate: null, mean_completion_ms: null, workers: 0 })
})

test('the mean time counts every worker that finished, also one that was ended after its report', () => {
  const other = { ...started, worker: 'w-shop-9-1' }
  const made = ledger(
    [NOW - 40 * MINUTE, started],
    [NOW - 30 * MINUTE, other],
    [NOW - 20 * MINUTE, ended({ kind: 'done' })],
    [
      NOW - 20 * MINUTE,
      { ...ended({ kind: 'stopped', cause: 'finished' }), worker: other.worker } as PlanEvent,
    ],
  )
  expect(made.at(NOW, NOW).mean_completion_ms).toBe(15 * MINUTE)
})

describe('a worker that has ended', () => {
  const { task } = SAMPLE_EVENTS['worker.ended']
  const healths = (...events: readonly PlanEvent[]): string[] =>
    ledger(...events.map((event): [number, PlanEvent] => [NOW - MINUTE, event]))
      .at(NOW, NOW)
      .ended.map(({ health }) => health)
  const gated = (outcome: 'passed' | 'failed' | 'inconclusive'): PlanEvent => {
    const event = SAMPLE_EVENTS['task.gated']
    return {
      ...event,
      task,
      verdicts: event.verdicts.slice(0, 1).map((verdict) => ({ ...verdict, outcome })),
    }
  }

  test('is completed once the gates have proven its work, and not before', () => {
    const done = ended({ kind: 'done' })
    expect(healths(started, done)).toEqual([])
    expect(healths(started, done, gated('inconclusive'))).toEqual([])
    expect(healths(started, done, gated('passed'))).toEqual(['completed'])
    expect(healths(started, ended({ kind: 'stopped', cause: 'finished' }), gated('passed'))).toEqual([
      'completed',
    ])
  })

  test('is failed where it was lost, or the gates refused its work', () => {
    expect(healths(started, ended({ kind: 'failed', reason: 'exit 1' }))).toEqual(['failed'])
    expect(healths(started, ended({ kind: 'stopped', cause: 'stalled' }))).toEqual(['failed'])
    expect(healths(started, ended({ kind: 'done' }), gated('failed'))).toEqual(['failed'])
  })

  test('counts in the success rate where the gates refused its work', () => {
    const events = [started, ended({ kind: 'done' }), gated('failed')]
    const made = ledger(...events.map((event): [number, PlanEvent] => [NOW - MINUTE, event]))
    expect(made.at(NOW, NOW)).toMatchObject({ failed: 1, success_rate: 0 })
  })

  test('is judged again where its gates failed on top of work that left', () => {
    const outdated = { ...SAMPLE_EVENTS['task.proof_outdated'], task }
    const failed = [started, ended({ kind: 'done' }), gated('failed'), outdated]
    expect(healths(...failed)).toEqual([])
    expect(healths(...failed, gated('passed'))).toEqual(['completed'])
  })

  test('is neither where people or a power cut ended it', () => {
    expect(healths(started, ended({ kind: 'stopped', cause: 'paused' }))).toEqual([])
    expect(healths(started, ended({ kind: 'interrupted', reason: 'power cut' }))).toEqual([])
  })
})
