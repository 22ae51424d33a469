import { expect, test } from 'vitest'
import { collectGarbage, isTimeToCollect } from './idle-memory.ts'

const MIB = 1024 * 1024
const quiet = { cpuMs: 10, sinceMs: 10_000, bytes: 120 * MIB, bytesAfterLast: 80 * MIB }

test('memory is given back when nothing happens and there is some to give', () => {
  expect(isTimeToCollect(quiet)).toBe(true)
})

test('nothing is collected while there is work, nor twice for nothing', () => {
  expect(isTimeToCollect({ ...quiet, cpuMs: 1000 })).toBe(false)
  expect(isTimeToCollect({ ...quiet, bytesAfterLast: quiet.bytes - MIB })).toBe(false)
})

test('unreferenced objects are gone after a collection', () => {
  const held = new WeakRef(Array.from({ length: 1_000_000 }, () => 0))
  const before = process.memoryUsage().heapUsed
  return new Promise<void>((resolve) => {
    // A weak reference holds until the turn it was made in is over.
    setImmediate(() => {
      collectGarbage()
      expect(held.deref()).toBeUndefined()
      expect(process.memoryUsage().heapUsed).toBeLessThan(before)
      resolve()
    })
  })
})
