import { expect, test } from 'vitest'
import { virtualWorld } from '../../test/helpers/virtual-world.ts'
import { Freeze } from './freeze.ts'

test('a frozen PM receives nothing; afterwards its timers fire first, then the messages arrive in order', async () => {
  const { clock } = virtualWorld()
  const hold = new Freeze(clock)
  const heard: string[] = []
  const note = (what: string) => (): void => {
    heard.push(`${clock.monotonic()} ${what}`)
  }
  hold.clock().wake(5, note('early'))
  hold.clock().wake(20, note('timer'))
  const cancel = hold.clock().wake(25, note('cancelled'))
  clock.wake(10, () => hold.freeze(100, note('released')))
  clock.wake(15, () => hold.deliver(note('one')))
  clock.wake(30, () => hold.deliver(note('two')))
  clock.wake(40, cancel)
  await clock.run(1000, () => false)
  expect(heard).toEqual(['5 early', '110 released', '110 timer', '110 one', '110 two'])
  hold.deliver(note('at once'))
  expect(heard.at(-1)).toBe('110 at once')
})
