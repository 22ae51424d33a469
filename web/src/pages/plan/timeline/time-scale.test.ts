import { expect, test } from 'vitest'
import { tickName, timeScale } from './time-scale.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

test('without gaps the strip is even', () => {
  const { at, breaks, ticks } = timeScale(0, 60 * MINUTE, [{ from: 0, to: 60 * MINUTE }])
  expect([at(-5), at(0), at(30 * MINUTE), at(60 * MINUTE), at(HOUR * 2)]).toEqual([0, 0, 0.5, 1, 1])
  expect(breaks).toEqual([])
  expect(ticks.map(({ moment }) => moment / MINUTE)).toEqual([0, 10, 20, 30, 40, 50])
  expect(timeScale(0, 20_000, [{ from: 0, to: 20_000 }]).stepMs).toBe(5000)
})

test('a night in which nothing ran takes little room and says how long it was', () => {
  const busy = [
    { from: 0, to: HOUR },
    { from: 10 * HOUR, to: 11 * HOUR },
  ]
  const { at, breaks, ticks } = timeScale(0, 11 * HOUR, busy)
  expect(at(HOUR)).toBeCloseTo(0.48, 2)
  expect(at(10 * HOUR)).toBeCloseTo(0.52, 2)
  expect(breaks).toMatchObject([{ ms: 9 * HOUR }])
  const gap = breaks[0]?.from ?? 0
  expect(ticks.filter(({ at: place }) => place <= gap && place > gap - 0.08)).toEqual([])
})

test('a plan that has only just begun, or never ran, still has a scale', () => {
  expect(timeScale(5, 5, []).at(5)).toBe(0)
  const idle = timeScale(0, 24 * HOUR, [])
  expect(idle.breaks).toMatchObject([{ from: 0, ms: 24 * HOUR }])
})

test('a tick names its day only where another one begins, so that labels have room', () => {
  const at = (day: number, hour: number, minute = 0): number =>
    new Date(2026, 10, day, hour, minute).getTime()
  expect(tickName(at(17, 2), at(17, 0), 2 * HOUR)).toEqual({ day: null, time: '02:00' })
  expect(tickName(at(17, 0), at(16, 22), 2 * HOUR)).toEqual({ day: '17 Nov', time: null })
  expect(tickName(at(17, 6), at(16, 18), 12 * HOUR)).toEqual({ day: '17 Nov', time: '06:00' })
  expect(tickName(at(17, 6, 1), at(17, 6), 15_000)).toEqual({ day: null, time: '06:01:00' })
})
