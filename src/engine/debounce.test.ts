import { expect, test } from 'vitest'
import { virtualWorld } from '../../test/helpers/virtual-world.ts'
import { Debounce } from './debounce.ts'

test('many requests lead to one delayed call, and later ones to another', async () => {
  const { clock, quiet } = virtualWorld()
  const calls: number[] = []
  const soon = new Debounce(clock, () => calls.push(clock.monotonic()))
  soon.ask(250)
  soon.ask(250)
  await quiet()
  expect(calls).toEqual([250])
  soon.ask(250)
  soon.cancel()
  await quiet()
  expect(calls).toHaveLength(1)
})
