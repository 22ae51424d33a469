import { expect, test } from 'vitest'
import { collectGarbage, collectionDue } from './idle-memory.ts'

const MIB = 1024 * 1024
const quiet = { cpuMs: 10, sinceMs: 10_000, bytes: 120 * MIB, bytesAfterLast: 80 * MIB, quietLooks: null }

test('memory is given back when nothing happens and there is some to give', () => {
  expect(collectionDue(quiet)).toBe('first')
})

test('nothing is collected while there is work, nor where little has grown', () => {
  expect(collectionDue({ ...quiet, cpuMs: 1000 })).toBeNull()
  expect(collectionDue({ ...quiet, bytesAfterLast: quiet.bytes - MIB })).toBeNull()
})

test('a second collection follows once it has stayed quiet, and no third', () => {
  const after = { ...quiet, bytesAfterLast: quiet.bytes }
  expect(collectionDue({ ...after, quietLooks: 0 })).toBeNull()
  expect(collectionDue({ ...after, quietLooks: 1 })).toBe('second')
  expect(collectionDue({ ...after, quietLooks: 1, cpuMs: 1000 })).toBeNull()
  expect(collectionDue({ ...after, quietLooks: null })).toBeNull()
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
