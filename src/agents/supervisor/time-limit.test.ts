import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TimeLimit } from './time-limit.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('is over when its time has passed, all in all', () => {
  const onOver = vi.fn()
  const limit = new TimeLimit(1000, onOver)
  vi.advanceTimersByTime(600)
  limit.extend(2000)
  vi.advanceTimersByTime(1399)
  expect(onOver).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onOver).toHaveBeenCalledOnce()
})

test.each([500, Number.NaN, -1])('never becomes shorter: %d', (limitMs) => {
  const onOver = vi.fn()
  const limit = new TimeLimit(1000, onOver)
  limit.extend(limitMs)
  vi.advanceTimersByTime(999)
  expect(onOver).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onOver).toHaveBeenCalledOnce()
})

test('is as long as a timer can count at most, and nothing once it is closed', () => {
  const onOver = vi.fn()
  const limit = new TimeLimit(1e15, onOver)
  vi.advanceTimersByTime(1000)
  limit.close()
  vi.advanceTimersByTime(2 ** 31)
  expect(onOver).not.toHaveBeenCalled()
})
