import { expect, test } from 'vitest'
import { zoneOffsetMs } from './local-time.ts'

const HOUR = 3_600_000

test.each<[string, number, number]>([
  ['UTC', Date.UTC(2026, 10, 15), 0],
  ['Europe/Berlin', Date.UTC(2026, 10, 15), HOUR],
  ['Europe/Berlin', Date.UTC(2026, 6, 15), 2 * HOUR],
  ['America/New_York', Date.UTC(2026, 10, 15), -5 * HOUR],
  ['Asia/Kolkata', Date.UTC(2026, 10, 15), 5.5 * HOUR],
])('%s at %i is %i ms before UTC', (zone, at, offset) => {
  expect(zoneOffsetMs(zone, at)).toBe(offset)
})

test('what is the name of no zone has no offset', () => {
  expect(zoneOffsetMs('Mars/Olympus', 0)).toBeNull()
})

test('without a name it is the offset of this machine', () => {
  const at = Date.UTC(2026, 10, 15)
  expect(zoneOffsetMs(null, at)).toBe(-new Date(at).getTimezoneOffset() * 60_000)
})
