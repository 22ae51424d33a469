import { expect, test } from 'vitest'
import { insetOf, type Box } from './toast-place.ts'

const box = (left: number, top: number, width: number, height: number): Box => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
})
const notice = { left: 900, right: 1256, height: 60 }
const place = (actions: readonly Box[], current: number | null = null, height = 800) =>
  insetOf({ notice, actions, height, least: 24, current })

test('a notice stands at the lower edge where nothing is in its way', () => {
  expect(place([])).toBe(24)
  expect(place([box(0, 740, 500, 40)])).toBe(24)
})

test('a notice stands above the buttons that it would cover', () => {
  const buttons = [box(950, 740, 140, 32), box(1100, 740, 160, 32)]
  const inset = place(buttons)
  expect(800 - inset).toBeLessThanOrEqual(732)
  // The next place up that is free, not the top of the window.
  expect(inset).toBe(68)
})

test('a notice does not fit between two rows of actions that are too close', () => {
  expect(place([box(950, 740, 140, 32), box(950, 640, 140, 32)])).toBe(168)
})

test('a notice stays where it is while it covers nothing, and leaves once it would', () => {
  expect(place([], 300)).toBe(300)
  expect(place([box(950, 450, 140, 32)], 300)).toBe(24)
})

test('where every place covers an action a notice stands where it covers least', () => {
  const rows = [
    ...Array.from({ length: 6 }, (_, at) => box(0, at * 40, 1280, 40)),
    box(0, 260, 1280, 20),
    ...Array.from({ length: 3 }, (_, at) => box(0, 300 + at * 34, 1280, 34)),
  ]
  const inset = place(rows, null, 400)
  expect(400 - inset - 60).toBeGreaterThanOrEqual(200)
  expect(400 - inset).toBeLessThanOrEqual(300)
})
