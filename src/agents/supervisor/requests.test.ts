import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TimeLimit } from './requests.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const pausedMs = (): number => 0

test('expires when its total time has passed', () => {
  const onOver = vi.fn()
  const limit = new TimeLimit(1000, { pausedMs, onOver })
  vi.advanceTimersByTime(600)
  limit.extend(2000)
  vi.advanceTimersByTime(1399)
  expect(onOver).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onOver).toHaveBeenCalledOnce()
})

test.each([500, Number.NaN, -1])('never becomes shorter: %d', (limitMs) => {
  const onOver = vi.fn()
  const limit = new TimeLimit(1000, { pausedMs, onOver })
  limit.extend(limitMs)
  vi.advanceTimersByTime(999)
  expect(onOver).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onOver).toHaveBeenCalledOnce()
})

test('time in which the supervisor did not run does not count', () => {
  const onOver = vi.fn()
  let frozenMs = 0
  const limit = new TimeLimit(1000, { pausedMs: () => frozenMs, onOver })
  vi.advanceTimersByTime(900)
  frozenMs = 5000
  vi.advanceTimersByTime(5000)
  expect(onOver).not.toHaveBeenCalled()
  vi.advanceTimersByTime(99)
  expect(onOver).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onOver).toHaveBeenCalledOnce()
  limit.close()
})

test('time in which it is held does not count', () => {
  const onOver = vi.fn()
  const limit = new TimeLimit(1000, { pausedMs, onOver })
  vi.advanceTimersByTime(900)
  limit.hold(true)
  limit.hold(true)
  vi.advanceTimersByTime(5000)
  limit.hold(false)
  limit.hold(false)
  vi.advanceTimersByTime(99)
  expect(onOver).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onOver).toHaveBeenCalledOnce()
})

test('does nothing after it was closed', () => {
  const onOver = vi.fn()
  const limit = new TimeLimit(1e15, { pausedMs, onOver })
  vi.advanceTimersByTime(1000)
  limit.close()
  vi.advanceTimersByTime(2 ** 31)
  expect(onOver).not.toHaveBeenCalled()
})
