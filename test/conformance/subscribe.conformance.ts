/** What a subscription to any event log must do. */
import { describe, expect, test } from 'vitest'
import type { EventLog } from '../../src/ports/event-log.ts'
import { entriesOf, note, textsOf, type SampleEvent } from '../helpers/store-events.ts'

export function describeSubscribe(log: () => EventLog<SampleEvent>): void {
  const write = async (stream: string, expectedVersion: number, ...texts: string[]) =>
    entriesOf(await log().append({ stream, expectedVersion, at: 1000, events: texts.map(note) }))

  /** The texts a listener has been told of, and a promise for having been told of `count` of them. */
  const listen = (afterSeq: number) => {
    const heard: string[] = []
    const waiting: { count: number; done: () => void }[] = []
    const stop = log().subscribe(afterSeq, (entries) => {
      heard.push(...textsOf(entries))
      for (const { count, done } of waiting) if (heard.length >= count) done()
    })
    const hears = (count: number) =>
      new Promise<void>((done) => {
        if (heard.length >= count) done()
        else waiting.push({ count, done })
      })
    return { heard, stop, hears }
  }

  describe('subscribe', () => {
    test('tells of every entry after its place once and in order, old ones and new ones', async () => {
      await write('shop', 0, 'a', 'b', 'c')
      const { heard, hears } = listen(1)
      await write('shop', 3, 'd')
      await hears(3)
      await write('blog', 0, 'e', 'f')
      await hears(5)
      expect(heard).toEqual(['b', 'c', 'd', 'e', 'f'])
    })

    test('misses nothing that is written while it reads up', async () => {
      const many = Array.from({ length: 1200 }, (_, index) => `${index}`)
      await write('shop', 0, ...many)
      const { heard, hears } = listen(0)
      for (let version = 1200; version < 1210; version++) await write('shop', version, `${version}`)
      await hears(1210)
      expect(heard).toEqual(Array.from({ length: 1210 }, (_, index) => `${index}`))
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
      const { heard, hears } = listen(2)
      await write('shop', 1, 'b', 'c')
      await write('shop', 3, 'd')
      await hears(2)
      expect(heard).toEqual(['c', 'd'])
    })

    test('tells nothing more once it is unsubscribed, also from inside the listener', async () => {
      const heard: string[] = []
      const stop = log().subscribe(0, (entries) => {
        heard.push(...textsOf(entries))
        stop()
      })
      const other = listen(0)
      await write('shop', 0, 'a')
      await write('shop', 1, 'b')
      await other.hears(2)
      stop()
      expect(heard.length).toBeLessThan(3)
      expect(heard[0]).toBe('a')
      const before = heard.length
      await write('shop', 2, 'c')
      await other.hears(3)
      expect(heard).toHaveLength(before)
    })

    test('tells nobody of a repeated append', async () => {
      const append = { stream: 'shop', expectedVersion: 0, at: 1, events: [note('a')], key: 'k' }
      const { heard, hears } = listen(0)
      await log().append(append)
      await log().append(append)
      await write('shop', 1, 'b')
      await hears(2)
      expect(heard).toEqual(['a', 'b'])
    })

    test('keeps the order for everybody when a listener appends', async () => {
      const pending: Promise<unknown>[] = []
      log().subscribe(0, (entries) => {
        if (entries.some(({ stream }) => stream === 'shop')) pending.push(write('reply', 0, 're'))
      })
      const { heard, hears } = listen(0)
      await write('other', 0, 'warm')
      await hears(1)
      await write('shop', 0, 'a')
      await hears(3)
      await Promise.all(pending)
      expect(heard).toEqual(['warm', 'a', 're'])
    })

    test('ends with `failed` when its listener throws, and nobody else notices', async () => {
      const failure = new Promise<Error>((resolve) => {
        log().subscribe(
          0,
          () => {
            throw new Error('deaf')
          },
          resolve,
        )
      })
      const { heard, hears } = listen(0)
      await write('shop', 0, 'a')
      await write('shop', 1, 'b')
      await hears(2)
      expect((await failure).message).toBe('deaf')
      expect(heard).toEqual(['a', 'b'])
    })
  })
}
