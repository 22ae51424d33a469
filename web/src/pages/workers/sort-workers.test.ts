import { expect, test } from 'vitest'
import type { WorkerRow } from '../../../../src/protocol/answers.ts'
import { sortWorkers, timeLeft } from './sort-workers.ts'

const worker = (id: string, health: string, observed: string): WorkerRow =>
  ({ id, health, observed_at: observed, last_checkin: null, since: '2026-01-01T00:00:00.000Z' }) as WorkerRow

test('the worst health comes first, and within one the longest silent', () => {
  const sorted = sortWorkers([
    worker('a', 'healthy', '2026-01-01T01:00:00.000Z'),
    worker('b', 'stalled', '2026-01-01T01:00:00.000Z'),
    worker('c', 'stalled', '2026-01-01T00:30:00.000Z'),
    worker('d', 'zombie', '2026-01-01T01:00:00.000Z'),
  ])
  expect(sorted.map(({ id }) => id)).toEqual(['d', 'c', 'b', 'a'])
})

test('time over the limit is shown as over it, never negative', () => {
  const since = '2026-01-01T00:00:00.000Z'
  const limited = { since, time_limit_at: '2026-01-01T01:00:00.000Z' }
  expect(timeLeft(limited, Date.parse('2026-01-01T00:15:00.000Z'))).toMatchObject({
    text: '45m left',
    usedPercent: 25,
  })
  expect(timeLeft(limited, Date.parse('2026-01-01T01:05:00.000Z'))).toMatchObject({ isOver: true })
  expect(timeLeft({ since, time_limit_at: null }, 0)).toBeNull()
})
