import { expect, test } from 'vitest'
import type { Pulse } from '../../../src/protocol/answers.ts'
import { isManagerOffline } from './daemon-state.ts'

const NOW = Date.parse('2026-01-01T12:00:00Z')
const ago = (minutes: number): string => new Date(NOW - minutes * 60_000).toISOString()
const pulse = (last_loop: string | null): Pulse => ({ last_loop }) as Pulse

test('a daemon that answers and completed no loop for ten minutes is offline as a manager', () => {
  expect(isManagerOffline(pulse(ago(9)), { started_at: ago(600) }, NOW)).toBe(false)
  expect(isManagerOffline(pulse(ago(11)), { started_at: ago(600) }, NOW)).toBe(true)
})

test('a daemon that has just started is given the time for its first loop', () => {
  expect(isManagerOffline(pulse(null), { started_at: ago(1) }, NOW)).toBe(false)
  expect(isManagerOffline(pulse(null), { started_at: ago(11) }, NOW)).toBe(true)
})
