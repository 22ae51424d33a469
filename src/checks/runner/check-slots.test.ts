import { expect, test } from 'vitest'
import { CheckSlots } from './check-slots.ts'

const quiet = new AbortController().signal
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Checks that the test ends by index. */
function checks(slots: CheckSlots, count: number, signals: readonly AbortSignal[] = []) {
  const running = new Set<number>()
  const ends = new Map<number, () => void>()
  const done = Array.from({ length: count }, (_, place) =>
    slots.run(signals[place] ?? quiet, async () => {
      running.add(place)
      await new Promise<void>((resolve) => ends.set(place, resolve))
      running.delete(place)
    }),
  )
  const end = async (place: number): Promise<void> => {
    ends.get(place)?.()
    await done[place]
    await tick()
  }
  return { running: () => [...running], end, done }
}

test('as many checks run at once as there are cores, the others in the order they came', async () => {
  const { running, end } = checks(new CheckSlots(2), 4)
  await tick()
  expect(running()).toEqual([0, 1])
  await end(1)
  expect(running()).toEqual([0, 2])
})

test('a check that is aborted while it waits never runs', async () => {
  const controller = new AbortController()
  const slots = new CheckSlots(1)
  const { running, end, done } = checks(slots, 3, [quiet, controller.signal])
  await tick()
  controller.abort(new Error('no longer owed'))
  await expect(done[1]).rejects.toThrow('no longer owed')
  await end(0)
  expect(running()).toEqual([2])
})

test('a check that fails gives its slot back', async () => {
  const slots = new CheckSlots(1)
  await expect(slots.run(quiet, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await slots.run(quiet, () => Promise.resolve('yes'))).toBe('yes')
})
