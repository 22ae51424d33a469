import { expect, test } from 'vitest'
import { START } from '../../test/helpers/plan-builder.ts'
import { describeClock } from '../../test/conformance/clock.conformance.ts'
import { Random } from './random.ts'
import { VirtualClock } from './virtual-clock.ts'

const clockOf = (seed: number): VirtualClock => {
  const random = new Random(seed)
  return new VirtualClock(START, () => random.next())
}

describeClock('the virtual clock', () => {
  const clock = clockOf(1)
  return {
    clock,
    elsewhere: clock,
    pass: async (ms) => {
      await clock.run(clock.monotonic() + ms, () => false)
    },
    jump: (byMs) => clock.jump(byMs),
  }
})

/** The order in which things of the same moment happen. */
async function orderOf(seed: number): Promise<string> {
  const clock = clockOf(seed)
  let order = ''
  for (const letter of 'abcdef') clock.wake(5, () => (order += letter))
  await clock.run(10, () => false)
  return order
}

test('what happens at the same moment happens in an order drawn from the seed', async () => {
  expect(await orderOf(1)).toBe(await orderOf(1))
  const orders = new Set(await Promise.all([1, 2, 3, 4, 5, 6].map(orderOf)))
  expect(orders.size).toBeGreaterThan(1)
})

test('a run ends when nothing is left to happen, and says so', async () => {
  const clock = clockOf(1)
  clock.wake(5, () => clock.wake(5, () => undefined))
  expect(await clock.run(1000, () => false)).toBe(true)
  expect(clock.monotonic()).toBe(10)
})

test('a run stops at the given time', async () => {
  const clock = clockOf(1)
  clock.wake(5, () => undefined)
  clock.wake(50, () => undefined)
  expect(await clock.run(20, () => false)).toBe(false)
  expect(clock.monotonic()).toBeLessThanOrEqual(20)
})

test('a run lets every promise settle before time moves on', async () => {
  const clock = clockOf(1)
  const seen: number[] = []
  clock.wake(1, () => {
    Promise.resolve()
      .then(() => Promise.resolve())
      .then(() => seen.push(clock.monotonic()))
      .catch(() => undefined)
  })
  clock.wake(2, () => undefined)
  await clock.run(10, () => false)
  expect(seen).toEqual([1])
})
