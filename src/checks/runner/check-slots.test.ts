import { expect, test, vi } from 'vitest'
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
  const { running, end } = checks(new CheckSlots({ cores: 2, idleShare: () => 0 }), 4)
  await tick()
  expect(running()).toEqual([0, 1])
  await end(1)
  expect(running()).toEqual([0, 2])
})

test('more checks run while the cores idle: three for each core, and then one after the other', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    let idle = 0.9
    const { running } = checks(new CheckSlots({ cores: 1, idleShare: () => idle }), 6)
    await tick()
    expect(running()).toEqual([0])
    vi.advanceTimersByTime(250)
    await tick()
    expect(running()).toEqual([0, 1, 2])
    vi.advanceTimersByTime(250)
    await tick()
    expect(running()).toEqual([0, 1, 2, 3])
    idle = 0.1
    vi.advanceTimersByTime(2000)
    await tick()
    expect(running()).toEqual([0, 1, 2, 3])
  } finally {
    vi.useRealTimers()
  }
})

test('checks that left the cores idle start together the next time, and one by one again once they do not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    let idle = 0.95
    const slots = new CheckSlots({ cores: 2, idleShare: () => idle })
    const first = checks(slots, 4)
    await tick()
    expect(first.running()).toEqual([0, 1])
    vi.advanceTimersByTime(250)
    await tick()
    expect(first.running()).toEqual([0, 1, 2, 3])
    for (const place of [0, 1, 2, 3]) await first.end(place)
    const second = checks(slots, 4)
    await tick()
    expect(second.running()).toEqual([0, 1, 2, 3])
    idle = 0.05
    vi.advanceTimersByTime(250)
    for (const place of [0, 1, 2, 3]) await second.end(place)
    const third = checks(slots, 4)
    await tick()
    expect(third.running()).toEqual([0, 1])
  } finally {
    vi.useRealTimers()
  }
})

test('a check that is aborted while it waits never runs', async () => {
  const controller = new AbortController()
  const slots = new CheckSlots({ cores: 1, idleShare: () => 0 })
  const { running, end, done } = checks(slots, 3, [quiet, controller.signal])
  await tick()
  controller.abort(new Error('no longer owed'))
  await expect(done[1]).rejects.toThrow('no longer owed')
  await end(0)
  expect(running()).toEqual([2])
})

test('a check that fails gives its slot back', async () => {
  const slots = new CheckSlots({ cores: 1, idleShare: () => 0 })
  await expect(slots.run(quiet, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await slots.run(quiet, () => Promise.resolve('yes'))).toBe('yes')
})
