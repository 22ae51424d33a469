import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkinSchema } from './checkin.ts'
import { isPlainCheckin } from './plain-checkin.ts'

const PLAIN = {
  worker_id: 'w-shop-1-1',
  timestamp: '2026-11-15T12:00:00Z',
  status: 'in_progress',
  progress_pct: 40,
  current_step: 'building',
  next_step: 'testing',
  token_usage: 1200,
  metrics: { files_modified: 3, isGreen: true, note: 'slow' },
}

test('a usual check-in is plain', () => {
  expect(isPlainCheckin(PLAIN)).toBe(true)
  expect(isPlainCheckin({ status: 'starting', progress_pct: 0 })).toBe(true)
})

test('a value that is not a check-in is not plain', () => {
  for (const value of [null, [], 'in_progress', 5, {}, { status: 'in_progress' }, { progress_pct: 5 }])
    expect(isPlainCheckin(value)).toBe(false)
})

test('a check-in that the schema would reject or change is never plain', () => {
  const odd = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom('', 'x'.repeat(65), 'x'.repeat(2001), 'W 1', -1, -0, 101, 99.5, 1e300, Infinity, NaN, {}),
  )
  const name = fc.constantFrom('', 'a', '__proto__', 'constructor', 'x'.repeat(101))
  const metrics = fc.oneof(
    fc.dictionary(name, odd, { noNullPrototype: true }),
    fc.nat(60).map((count) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, at]))),
  )
  const keys = [...Object.keys(checkinSchema.shape), '__proto__', 'unknown']
  const part = fc.tuple(fc.constantFrom(...keys), fc.oneof(odd, metrics))
  const mostlyPlain = fc.array(part, { maxLength: 2 }).map((changes) => {
    const checkin: Record<string, unknown> = { ...PLAIN }
    for (const [key, value] of changes)
      Object.defineProperty(checkin, key, { value, enumerable: true, configurable: true, writable: true })
    return checkin
  })
  let plain = 0
  fc.assert(
    fc.property(mostlyPlain, (checkin) => {
      if (!isPlainCheckin(checkin)) return
      plain += 1
      expect(checkinSchema.parse(checkin)).toEqual(checkin)
    }),
    { numRuns: 2000 },
  )
  expect(plain).toBeGreaterThan(100)
})
