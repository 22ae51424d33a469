import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { IdleWatch } from './idle-watch.ts'

let isBusy: boolean
let answers: number
let idle: number[]
let watch: IdleWatch
const opened = (probe: () => Promise<unknown>): IdleWatch =>
  new IdleWatch({
    idleMs: 900_000,
    isBusy: () => isBusy,
    probe,
    onAnswer: () => answers++,
    onIdle: (forMs) => idle.push(forMs),
  })
beforeEach(() => {
  vi.useFakeTimers()
  isBusy = false
  answers = 0
  idle = []
})
afterEach(() => {
  watch.close()
  vi.useRealTimers()
})
const minutes = (many: number) => vi.advanceTimersByTimeAsync(many * 60_000)

test("eight minutes without an update are not a failure, and the agent's answers count as signs of life", async () => {
  watch = opened(() => Promise.resolve())
  await minutes(8)
  expect([idle, answers]).toEqual([[], 4])
})

test('a turn without updates whose agent answers is waiting for its provider', async () => {
  watch = opened(() => Promise.resolve())
  await minutes(15)
  expect(idle).toEqual([900_000])
})

test('an agent that does not answer does not count as waiting for its provider', async () => {
  watch = opened(() => new Promise(() => undefined))
  await minutes(60)
  expect([idle, answers]).toEqual([[], 0])
})

test('an update restarts the idle clock', async () => {
  watch = opened(() => Promise.resolve())
  await minutes(14)
  watch.touch()
  await minutes(14)
  expect(idle).toEqual([])
})

test('a running tool or an open question stops the idle clock', async () => {
  watch = opened(() => Promise.resolve())
  isBusy = true
  await minutes(120)
  isBusy = false
  await minutes(14)
  expect([idle, answers]).toEqual([[], 7])
})
