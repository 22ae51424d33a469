/** What every clock must do: one test per sentence of the port. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Clock } from '../../src/ports/clock.ts'

export interface ClockUnderTest {
  readonly clock: Clock
  /** The same machine's clock as another process sees it. */
  readonly elsewhere: Clock
  /** Lets time pass, where it does not pass by itself. */
  readonly pass: (ms: number) => Promise<void>
  /** Moves wall time alone; null where a test cannot. */
  readonly jump: ((byMs: number) => void) | null
}

export function describeClock(name: string, make: () => ClockUnderTest): void {
  describe(name, () => {
    let made: ClockUnderTest
    let clock: Clock
    beforeEach(() => {
      made = make()
      clock = made.clock
    })

    /** Resolves when the clock has called. */
    const woken = async (delayMs: number): Promise<void> => {
      const called = new Promise<void>((resolve) => {
        clock.wake(delayMs, resolve)
      })
      await Promise.all([called, made.pass(delayMs)])
    }

    test('boot names one run of the machine, the same for every process', () => {
      expect(clock.boot()).not.toBe('')
      expect(clock.boot()).toBe(clock.boot())
      expect(made.elsewhere.boot()).toBe(clock.boot())
    })

    test('monotonic times of the same run can be compared, across processes too', async () => {
      const before = clock.monotonic()
      await woken(2)
      const between = made.elsewhere.monotonic()
      await woken(2)
      expect(between).toBeGreaterThanOrEqual(before + 2)
      expect(clock.monotonic()).toBeGreaterThanOrEqual(between + 2)
    })

    test('now is wall time in whole milliseconds', async () => {
      const before = clock.now()
      expect(Number.isSafeInteger(before)).toBe(true)
      expect(before).toBeGreaterThan(Date.UTC(2020, 0, 1))
      await woken(5)
      expect(clock.now()).toBeGreaterThan(before)
    })

    test('monotonic never goes back', async () => {
      let last = clock.monotonic()
      for (let look = 0; look < 50; look++) {
        if (look % 10 === 0) await woken(1)
        const next = clock.monotonic()
        expect(next).toBeGreaterThanOrEqual(last)
        last = next
      }
    })

    test('monotonic knows nothing of jumps', () => {
      if (made.jump === null) return
      const before = { now: clock.now(), monotonic: clock.monotonic() }
      made.jump(-3_600_000)
      expect({ now: clock.now(), monotonic: clock.monotonic() }).toEqual({
        now: before.now - 3_600_000,
        monotonic: before.monotonic,
      })
    })

    test('wake calls once, not before its time has passed', async () => {
      const start = clock.monotonic()
      const calls: number[] = []
      clock.wake(10, () => calls.push(clock.monotonic()))
      await woken(25)
      expect(calls).toHaveLength(1)
      expect(calls[0]).toBeGreaterThanOrEqual(start + 10)
    })

    test('wake never calls synchronously, not even when there is nothing to wait for', async () => {
      let called = false
      clock.wake(0, () => {
        called = true
      })
      expect(called).toBe(false)
      await woken(5)
      expect(called).toBe(true)
    })

    test('wakes that are asked for in any order come in the order of their time', async () => {
      const calls: string[] = []
      clock.wake(30, () => calls.push('late'))
      clock.wake(1, () => calls.push('soon'))
      await woken(60)
      expect(calls).toEqual(['soon', 'late'])
    })

    test('a wake that was cancelled does not come, and to cancel it again changes nothing', async () => {
      let called = false
      const cancel = clock.wake(2, () => {
        called = true
      })
      cancel()
      cancel()
      await woken(10)
      expect(called).toBe(false)
      cancel()
    })

    test('to cancel what has come changes nothing', async () => {
      let calls = 0
      const cancel = clock.wake(1, () => calls++)
      await woken(10)
      cancel()
      expect(calls).toBe(1)
    })
  })
}
