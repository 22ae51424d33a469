import { describe, expect, test } from 'vitest'
import { nextLoad, NO_LOAD, type Load, type LoopLook } from './overload.ts'

const LIMITS = { sweepMs: 300_000, lagMs: 2000, backlog: 100, looks: 3 }
const look = (changes: Partial<LoopLook> = {}): LoopLook => ({
  sweepMs: 50,
  lagMs: 5,
  backlog: 0,
  ...changes,
})
const after = (looks: readonly LoopLook[], before: Load = NO_LOAD): Load =>
  looks.reduce((load, seen) => nextLoad(load, seen, LIMITS), before)
const times = (count: number, one: LoopLook): LoopLook[] => Array.from({ length: count }, () => one)
const backlogs = (...lengths: number[]): LoopLook[] => lengths.map((backlog) => look({ backlog }))

describe('the daemon is overloaded', () => {
  test('by one loop of more than five minutes', () => {
    expect(after([look({ sweepMs: 300_000 })]).overloaded).toBeNull()
    expect(after([look({ sweepMs: 300_001 })]).overloaded).toBe('a loop took 5m')
  })

  test('by lag in three loops in a row, and not by a short one', () => {
    const lag = look({ lagMs: 2500 })
    expect(after([lag, lag, look(), lag, lag]).overloaded).toBeNull()
    expect(after(times(3, lag)).overloaded).toBe('the event loop lags by up to 2s, 3 loops in a row')
  })

  test('by a long backlog that grows over three loops', () => {
    expect(after(backlogs(40, 80, 99)).overloaded).toBeNull()
    expect(after(backlogs(80, 90, 120)).overloaded).toBe(
      '120 check-ins are unread, more after each of the last 3 loops',
    )
  })

  test('not by a long backlog that gets shorter', () =>
    expect(after(backlogs(10_000, 8000, 6000, 4000)).overloaded).toBeNull())
})

describe('it has recovered', () => {
  const overloaded = after(times(3, look({ lagMs: 2500 })))

  test('after three calm looks in a row, and not before', () => {
    expect(after(times(2, look()), overloaded).overloaded).not.toBeNull()
    expect(after(times(3, look()), overloaded).overloaded).toBeNull()
    expect(after([look(), look(), look({ lagMs: 1500 }), look()], overloaded).overloaded).not.toBeNull()
  })

  test('not while it is just below its limits', () =>
    expect(after(times(20, look({ lagMs: 1900 })), overloaded).overloaded).not.toBeNull())

  test('not while a backlog is left, however fast it goes', () => {
    const full = after(backlogs(200, 400, 800))
    expect(after(backlogs(600, 400, 200), full).overloaded).not.toBeNull()
    expect(after(backlogs(600, 90, 40, 0), full).overloaded).toBeNull()
  })
})
