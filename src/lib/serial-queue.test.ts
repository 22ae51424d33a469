import { expect, test } from 'vitest'
import { SerialQueue } from './serial-queue.ts'

function held(): { readonly promise: Promise<void>; readonly release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { promise, release: resolve }
}

test('work runs one after the other, in the order it came', async () => {
  const queue = new SerialQueue()
  const order: string[] = []
  const first = held()
  const running = [
    queue.run(async () => {
      order.push('first begins')
      await first.promise
      order.push('first ends')
    }),
    queue.run(async () => {
      order.push('second')
    }),
  ]
  await Promise.resolve()
  first.release()
  await Promise.all(running)
  expect(order).toEqual(['first begins', 'first ends', 'second'])
})

test('a failed job rejects its caller and does not stop the next', async () => {
  const queue = new SerialQueue()
  const failing = queue.run(() => Promise.reject(new Error('no')))
  const next = queue.run(async () => 'fine')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('fine')
})

test('it is idle when all that was handed in has ended', async () => {
  const queue = new SerialQueue()
  let ended = 0
  const running = [1, 2, 3].map(() =>
    queue.run(async () => {
      ended++
    }),
  )
  await queue.idle()
  expect(ended).toBe(3)
  await Promise.all(running)
})
