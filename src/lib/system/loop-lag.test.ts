import { afterEach, expect, test, vi } from 'vitest'
import { watchLoopLag } from './loop-lag.ts'

afterEach(() => vi.useRealTimers())

test('the longest wait of a callback is given once', () => {
  vi.useFakeTimers()
  const lag = watchLoopLag()
  vi.advanceTimersByTime(1000)
  expect(lag.take()).toBe(0)
  // The loop was busy: time passed, and no callback ran.
  const busyMs = 1300
  const real = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementationOnce(() => real() + busyMs)
  vi.advanceTimersByTime(500)
  expect(lag.take()).toBe(busyMs)
  expect(lag.take()).toBe(0)
  lag.stop()
})
