import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { describeClock } from '../../../test/conformance/clock.conformance.ts'
import { SystemClock } from './system-clock.ts'

describeClock('the system clock', () => ({
  clock: new SystemClock(),
  elsewhere: new SystemClock(),
  pass: () => Promise.resolve(),
  jump: null,
}))

test('another process of the same boot has the same name for it, and a time that fits between ours', () => {
  const clock = new SystemClock()
  const module = JSON.stringify(join(import.meta.dirname, 'system-clock.ts'))
  const program = `import { SystemClock } from ${module}
    const clock = new SystemClock()
    process.stdout.write(JSON.stringify({ boot: clock.boot(), at: clock.monotonic() }))`
  const before = clock.monotonic()
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  const { boot, at } = JSON.parse(output) as { boot: string; at: number }
  if (boot.startsWith('process-')) return
  expect(boot).toBe(clock.boot())
  expect(at).toBeGreaterThan(before)
  expect(at).toBeLessThan(clock.monotonic())
})

describe('with the time held by the test', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  const DAY = 24 * 3_600_000

  test('a wake that is further away than a timer can wait comes at its time', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime', 'Date'] })
    const call = vi.fn<() => void>()
    new SystemClock().wake(60 * DAY, call)
    vi.advanceTimersByTime(60 * DAY - 1)
    expect(call).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(call).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(60 * DAY)
    expect(call).toHaveBeenCalledTimes(1)
  })

  test('one that far away can be cancelled on its way', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime', 'Date'] })
    const call = vi.fn<() => void>()
    const cancel = new SystemClock().wake(60 * DAY, call)
    vi.advanceTimersByTime(40 * DAY)
    cancel()
    vi.advanceTimersByTime(40 * DAY)
    expect(call).not.toHaveBeenCalled()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('wall time may jump; what was to come comes when its time has passed', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime', 'Date'] })
    const clock = new SystemClock()
    const call = vi.fn<() => void>()
    clock.wake(1000, call)
    const before = { now: clock.now(), monotonic: clock.monotonic() }
    vi.setSystemTime(before.now + DAY)
    expect([clock.now() - before.now, clock.monotonic() - before.monotonic]).toEqual([DAY, 0])
    vi.advanceTimersByTime(999)
    expect(call).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(call).toHaveBeenCalledTimes(1)
  })
})
