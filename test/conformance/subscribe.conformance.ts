/** What a subscription to any event log must do. */
import { describe, expect, test } from 'vitest'
import type { EventLog } from '../../src/ports/event-log.ts'
import { entriesOf, note, textsOf, type SampleEvent } from '../helpers/store-events.ts'

export function describeSubscribe(log: () => EventLog<SampleEvent>): void {
  const write = async (stream: string, expectedVersion: number, ...texts: string[]) =>
    entriesOf(await log().append({ stream, expectedVersion, at: 1000, events: texts.map(note) }))

  /** The texts a listener has received, and a promise that resolves once there are `count` of them. */
  const listen = (afterSeq: number) => {
    const received: string[] = []
    const waiting: { count: number; done: () => void }[] = []
    const stop = log().subscribe(afterSeq, (entries) => {
      received.push(...textsOf(entries))
      for (const { count, done } of waiting) if (received.length >= count) done()
    })
    const receives = (count: number) =>
      new Promise<void>((done) => {
        if (received.length >= count) done()
        else waiting.push({ count, done })
      })
    return { received, stop, receives }
  }

  describe('subscribe', () => {
    test('tells of every entry after its place once and in order, old ones and new ones', async () => {
      await write('shop', 0, 'a', 'b', 'c')
      const { received, receives } = listen(1)
      await write('shop', 3, 'd')
      await receives(3)
      await write('blog', 0, 'e', 'f')
      await receives(5)
      expect(received).toEqual(['b', 'c', 'd', 'e', 'f'])
    })

    test('misses nothing that is written while it reads up', async () => {
      const many = Array.from({ length: 1200 }, (_, index) => `${index}`)
      await write('shop', 0, ...many)
      const { received, receives } = listen(0)
      for (let version = 1200; version < 1210; version++) await write('shop', version, `${version}`)
      await receives(1210)
      expect(received).toEqual(Array.from({ length: 1210 }, (_, index) => `${index}`))
    })

    test('does not call its listener before it has returned', async () => {
      await write('shop', 0, 'a')
      let returned = false
      const calledAfter = new Promise<boolean>((resolve) => {
        log().subscribe(0, () => resolve(returned))
      })
      returned = true
      expect(await calledAfter).toBe(true)
    })

    test('tells nothing from before a place that is yet to come', async () => {
      await write('shop', 0, 'a')
      const { received, receives } = listen(2)
      await write('shop', 1, 'b', 'c')
      await write('shop', 3, 'd')
      await receives(2)
      expect(received).toEqual(['c', 'd'])
    })

    test('tells nothing more once it is unsubscribed, also from inside the listener', async () => {
      const received: string[] = []
      const stop = log().subscribe(0, (entries) => {
        received.push(...textsOf(entries))
        stop()
      })
      const other = listen(0)
      await write('shop', 0, 'a')
      await write('shop', 1, 'b')
      await other.receives(2)
      stop()
      expect(received.length).toBeLessThan(3)
      expect(received[0]).toBe('a')
      const before = received.length
      await write('shop', 2, 'c')
      await other.receives(3)
      expect(received).toHaveLength(before)
    })

    test('keeps the order for all listeners when one of them appends', async () => {
      const pending: Promise<unknown>[] = []
      log().subscribe(0, (entries) => {
        if (entries.some(({ stream }) => stream === 'shop')) pending.push(write('reply', 0, 're'))
      })
      const { received, receives } = listen(0)
      await write('other', 0, 'warm')
      await receives(1)
      await write('shop', 0, 'a')
      await receives(3)
      await Promise.all(pending)
      expect(received).toEqual(['warm', 'a', 're'])
    })

    test('ends with `failed` when its listener throws, and no other subscription is affected', async () => {
      const failure = new Promise<Error>((resolve) => {
        log().subscribe(
          0,
          () => {
            throw new Error('deaf')
          },
          resolve,
        )
      })
      const { received, receives } = listen(0)
      await write('shop', 0, 'a')
      await write('shop', 1, 'b')
      await receives(2)
      expect((await failure).message).toBe('deaf')
      expect(received).toEqual(['a', 'b'])
    })
  })
}
