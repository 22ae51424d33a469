import { expect, test } from 'vitest'
import { virtualWorld } from '../../../test/helpers/virtual-world.ts'
import { sleep } from '../../simulation/sleep.ts'
import { Heartbeat, type Beat, type Duty } from './heartbeat.ts'

const LIMITS = { sweepMs: 60_000, lagMs: 100, backlog: 10, looks: 2 }

function beating(duties: readonly Duty[], lags: readonly number[] = []) {
  const world = virtualWorld()
  const troubles: string[] = []
  const beats: Beat[] = []
  const left = [...lags]
  const heartbeat = new Heartbeat({
    clock: world.clock,
    loopMs: () => 1000,
    limits: LIMITS,
    takeLag: () => left.shift() ?? 0,
    onError: (what, error) => troubles.push(`${what}: ${String(error)}`),
  })
  for (const duty of duties) heartbeat.add(duty)
  heartbeat.listen((beat) => beats.push(beat))
  heartbeat.start()
  const loops = (count: number): Promise<void> => world.until(() => beats.length >= count)
  return { ...world, heartbeat, beats, troubles, loops }
}

const duty = (name: string, run: () => Promise<void>): Duty => ({ name, run })

test('a failing duty does not stop the others', async () => {
  const done: string[] = []
  const note = (name: string) => async (): Promise<void> => void done.push(name)
  const { loops, troubles } = beating([
    duty('check-ins', note('check-ins')),
    duty('limits', () => Promise.reject(new Error('full'))),
    duty('ends', note('ends')),
  ])
  await loops(1)
  expect(done).toEqual(['check-ins', 'ends'])
  expect(troubles).toEqual(['limits: Error: full'])
})

test('a loop begins a while after the one before has ended, and each leaves its time', async () => {
  const world = beating([duty('slow', () => sleep(world.clock, 300))])
  await world.loops(3)
  const [first, second] = world.beats
  expect((second?.lastLoop ?? 0) - (first?.lastLoop ?? 0)).toBe(1300)
  expect(second).toMatchObject({ loopsCompleted: 2, look: { sweepMs: 300 } })
})

test('lag that stays is an overload, until it has gone for as long', async () => {
  const { loops, beats } = beating([], [500, 500, 0, 0])
  await loops(4)
  expect(beats.map(({ load }) => load.overloaded !== null)).toEqual([false, true, true, false])
})

test('what its duties have not got to is the backlog', async () => {
  let waiting = 5
  const slow = { ...duty('check-ins', async () => void (waiting += 5)), backlog: () => waiting }
  const { loops, beats } = beating([slow])
  await loops(2)
  expect(beats.map(({ look }) => look.backlog)).toEqual([10, 15])
  expect(beats.at(-1)?.load.overloaded).toBe('15 check-ins are unread, more after each of the last 2 loops')
})

test('closed, it beats no more', async () => {
  const { loops, heartbeat, beats, quiet } = beating([])
  await loops(2)
  await heartbeat.close()
  await quiet()
  expect(beats).toHaveLength(2)
})
