import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PausedTime } from './system-clock.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

let frozenMs = 0
const monotonic = (): number => performance.now() + frozenMs

test('time in which the process runs is not paused time', () => {
  const onPause = vi.fn()
  const paused = new PausedTime(monotonic, onPause)
  vi.advanceTimersByTime(600_000)
  expect(paused.totalMs()).toBe(0)
  expect(onPause).not.toHaveBeenCalled()
})

test('a freeze counts once, whether a timer or a caller looks first', () => {
  const onPause = vi.fn()
  const paused = new PausedTime(monotonic, onPause)
  vi.advanceTimersByTime(10_000)
  frozenMs += 70_000
  expect(paused.totalMs()).toBe(69_000)
  vi.advanceTimersByTime(10_000)
  frozenMs += 30_000
  vi.advanceTimersByTime(10_000)
  expect(paused.totalMs()).toBe(69_000 + 30_000)
  expect(onPause.mock.calls).toEqual([[69_000], [99_000]])
})

test('a process that is late because the machine is busy was not paused', () => {
  const paused = new PausedTime(monotonic)
  vi.advanceTimersByTime(5000)
  frozenMs += 1900
  vi.advanceTimersByTime(5000)
  expect(paused.totalMs()).toBe(0)
})

test('nothing is looked at once it is closed', () => {
  const onPause = vi.fn()
  const paused = new PausedTime(monotonic, onPause)
  paused.close()
  frozenMs += 70_000
  vi.advanceTimersByTime(10_000)
  expect(onPause).not.toHaveBeenCalled()
})
