/** What every event log must do: one test per sentence of the port, and the edges between them. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { BrokenEvent, type EventLog } from '../../src/ports/event-log.ts'
import { describeSubscribe } from './subscribe.conformance.ts'
import { broken, entriesOf, note, textsOf, unknown, type SampleEvent } from '../helpers/store-events.ts'

export interface OpenedLog {
  readonly log: EventLog<SampleEvent>
  /** Ends the log and opens it again from what is durable; null where nothing outlives the process. */
  readonly reopen: (() => Promise<EventLog<SampleEvent>>) | null
  readonly dispose: () => Promise<void>
}

export function describeEventLog(name: string, open: () => Promise<OpenedLog>): void {
  describe(name, () => {
    let opened: OpenedLog
    let log: EventLog<SampleEvent>

    beforeEach(async () => {
      opened = await open()
      log = opened.log
    })
    afterEach(() => opened.dispose())

    const write = async (stream: string, expectedVersion: number, ...texts: string[]) =>
      entriesOf(await log.append({ stream, expectedVersion, at: 1000, events: texts.map(note) }))

    describe('head', () => {
      test('is the place of the last entry, whatever its stream', async () => {
        expect(await log.head()).toBe(0)
        await write('shop', 0, 'a', 'b')
        await write('blog', 0, 'c')
        expect(await log.head()).toBe(3)
      })
    })

    describe('search', () => {
      const search = (afterVersion: number, limit: number, ...texts: string[]) =>
        log.search('shop', { afterVersion, limit, types: [], texts })

      test('gives the entries of one stream with one of the texts, in order', async () => {
        await write('shop', 0, 'red', 'green', 'dark red', 'blue')
        await write('blog', 0, 'red')
        const { entries, version } = await search(0, 10, 'red', 'blue')
        expect(textsOf(entries)).toEqual(['red', 'dark red', 'blue'])
        expect(entries.map((entry) => entry.version)).toEqual([1, 3, 4])
        expect(version).toBe(4)
      })

      test('takes its texts as they are', async () => {
        await write('shop', 0, 'a*b', 'axb', 'A*B', 'a?[b]', 'ay[b]')
        expect(textsOf((await search(0, 10, 'a*b')).entries)).toEqual(['a*b'])
        expect(textsOf((await search(0, 10, 'a?[b]')).entries)).toEqual(['a?[b]'])
      })

      test('gives the entries of a type, and no text matches the type itself', async () => {
        const written = await write('shop', 0, 'a', 'b')
        const asked = { afterVersion: 1, limit: 10, types: ['note.written'], texts: [] }
        expect((await log.search('shop', asked)).entries).toEqual(written.slice(1))
        expect((await search(0, 10, 'note.written')).entries).toEqual([])
        expect((await search(0, 10)).entries).toEqual([])
      })

      test('looks at no more than its limit, and says how far it looked', async () => {
        await write('shop', 0, 'a', 'b', 'a', 'b')
        expect(await search(0, 2, 'b')).toMatchObject({ entries: [{ version: 2 }], version: 2 })
        expect(await search(2, 2, 'b')).toMatchObject({ entries: [{ version: 4 }], version: 4 })
        expect(await search(4, 2, 'b')).toEqual({ entries: [], version: 4 })
        await expect(search(0, 0, 'b')).rejects.toThrow(RangeError)
      })

      test('of an unknown stream finds nothing', async () => {
        expect(await search(0, 5, 'a')).toEqual({ entries: [], version: 0 })
      })
    })

    test('back gives entries before a place, the newest first, of the streams that are asked for', async () => {
      await write('shop/a', 0, 'a', 'b')
      await write('blog/a', 0, 'c')
      await write('shop/b', 0, 'd')
      const found = async (before: number, limit: number, ...prefixes: string[]) =>
        (await log.back(before, limit, prefixes)).map(({ seq, event }) => [seq, event()])
      expect(await found(100, 2, 'shop/', 'blog/')).toEqual([
        [4, note('d')],
        [3, note('c')],
      ])
      expect(await found(4, 10, 'shop/')).toEqual([
        [2, note('b')],
        [1, note('a')],
      ])
      expect(await found(4, 10, 'sho/')).toEqual([])
    })

    describe('append', () => {
      test('gives each entry its place in the log and in its stream', async () => {
        await write('shop', 0, 'a', 'b')
        const [entry] = await write('blog', 0, 'c')
        expect(entry).toEqual({ seq: 3, stream: 'blog', version: 1, at: 1000, event: note('c') })
        expect((await write('shop', 2, 'd')).map(({ seq, version }) => [seq, version])).toEqual([[4, 3]])
      })

      test('is durable when it has resolved', async () => {
        const { reopen } = opened
        if (reopen === null) return
        const written = await write('shop', 0, 'a', 'b')
        log = await reopen()
        expect(await log.read('shop', 0, 10)).toEqual(written)
        expect((await write('shop', 2, 'c')).map(({ seq }) => seq)).toEqual([3])
      })

      test('writes all events of an append or none', async () => {
        const events = [note('a'), broken]
        await expect(log.append({ stream: 'shop', expectedVersion: 0, at: 1, events })).rejects.toThrow(
          BrokenEvent,
        )
        expect(await log.tail(0, 10)).toEqual([])
        expect(await log.streams({ open: true })).toEqual([])
      })

      test('writes appends in the order they were called in', async () => {
        const asked = Array.from({ length: 50 }, (_, index) => write(`s${index}`, 0, `${index}`))
        const seqs = (await Promise.all(asked)).map(([entry]) => entry?.seq)
        expect(seqs).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
      })

      test('takes appends to one stream that were called without waiting for each other', async () => {
        const asked = Array.from({ length: 20 }, (_, version) => write('shop', version, `${version}`))
        await Promise.all(asked)
        expect(await log.read('shop', 0, 100)).toHaveLength(20)
      })

      test.each([0, 1, 3])(
        'with expected version %i of a stream at 2 changes nothing',
        async (expectedVersion) => {
          await write('shop', 0, 'a', 'b')
          const answer = await log.append({ stream: 'shop', expectedVersion, at: 1, events: [note('c')] })
          expect(answer).toEqual({ ok: false, why: 'conflict', version: 2 })
          expect(await log.tail(2, 10)).toEqual([])
        },
      )

      test('to a stream that does not exist conflicts at version 0', async () => {
        const answer = await log.append({ stream: 'shop', expectedVersion: 1, at: 1, events: [note('a')] })
        expect(answer).toEqual({ ok: false, why: 'conflict', version: 0 })
        expect(await log.streams({ open: true })).toEqual([])
      })

      test('lets one of several writers that decided on the same version win', async () => {
        const answers = await Promise.all(
          ['a', 'b', 'c'].map((text) =>
            log.append({ stream: 'shop', expectedVersion: 0, at: 1, events: [note(text)] }),
          ),
        )
        expect(answers.map(({ ok }) => ok)).toEqual([true, false, false])
        expect(textsOf(await log.read('shop', 0, 10))).toEqual(['a'])
      })

      test.each([
        ['an unknown event', unknown],
        ['an event that breaks its schema', broken],
      ])('rejects %s, and others called with it go on', async (_, event) => {
        const good = write('shop', 0, 'a')
        const bad = log.append({ stream: 'blog', expectedVersion: 0, at: 1, events: [event] })
        const alsoGood = write('shop', 1, 'b')
        await expect(bad).rejects.toMatchObject({ name: 'BrokenEvent', seq: null, stream: 'blog' })
        expect([...(await good), ...(await alsoGood)].map(({ seq }) => seq)).toEqual([1, 2])
      })

      test('writes an event as the codec brings it up to date', async () => {
        const old = { type: 'count.raised', v: 1 } as unknown as SampleEvent
        await log.append({ stream: 'shop', expectedVersion: 0, at: 1, events: [old] })
        expect((await log.read('shop', 0, 1))[0]?.event).toEqual({ type: 'count.raised', v: 2, by: 1 })
      })

      test.each([
        ['no events', { events: [] }],
        ['a stream that is no stream id', { stream: 'a b' }],
        ['an empty stream id', { stream: '' }],
        ['a negative version', { expectedVersion: -1 }],
        ['half a millisecond', { at: 0.5 }],
      ])('rejects %s', async (_, wrong) => {
        const append = { stream: 'shop', expectedVersion: 0, at: 1, events: [note('a')], ...wrong }
        await expect(log.append(append)).rejects.toThrow(RangeError)
        expect(await log.tail(0, 10)).toEqual([])
      })

      test('keeps any text as it was', async () => {
        const text = 'line\nbreak "quote" \\ \u0000 \u2028 😀 \ud800'
        await write('a-b._/:Z9', 0, text)
        expect(textsOf(await log.read('a-b._/:Z9', 0, 1))).toEqual([text])
      })
    })

    describe('read and tail', () => {
      test('give entries in order, without gaps, at most as many as asked for', async () => {
        await write('shop', 0, 'a', 'b')
        await write('blog', 0, 'x')
        await write('shop', 2, 'c', 'd')
        expect(textsOf(await log.read('shop', 1, 2))).toEqual(['b', 'c'])
        expect(textsOf(await log.tail(1, 3))).toEqual(['b', 'x', 'c'])
        expect((await log.tail(0, 100)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
      })

      test('give nothing after the end, and nothing of an unknown stream', async () => {
        await write('shop', 0, 'a')
        expect(await log.read('shop', 1, 10)).toEqual([])
        expect(await log.read('shop', 9, 10)).toEqual([])
        expect(await log.read('blog', 0, 10)).toEqual([])
        expect(await log.tail(1, 10)).toEqual([])
        expect(await log.tail(99, 10)).toEqual([])
      })

      test.each([
        [-1, 1],
        [0, 0],
        [0.5, 1],
        [0, Number.POSITIVE_INFINITY],
      ])('reject a page after %d of %d', async (after, limit) => {
        await expect(log.read('shop', after, limit)).rejects.toThrow(RangeError)
        await expect(log.tail(after, limit)).rejects.toThrow(RangeError)
      })
    })

    describeSubscribe(() => log)

    describe('streams', () => {
      test('are listed by name, the open ones apart from the closed', async () => {
        await write('shop', 0, 'a', 'b')
        await write('blog', 0, 'c')
        await write('attic', 0, 'd')
        await log.closeStream('attic')
        expect(await log.streams({ open: true })).toEqual([
          { stream: 'blog', version: 1, closed: false },
          { stream: 'shop', version: 2, closed: false },
        ])
        expect(await log.streams({ open: false })).toEqual([{ stream: 'attic', version: 1, closed: true }])
      })

      test('that are closed can be read, and an append opens them again', async () => {
        await write('shop', 0, 'a')
        await log.closeStream('shop')
        expect(textsOf(await log.read('shop', 0, 10))).toEqual(['a'])
        await write('shop', 1, 'b')
        expect(await log.streams({ open: true })).toEqual([{ stream: 'shop', version: 2, closed: false }])
      })

      test('that are closed stay closed when an append conflicts', async () => {
        await write('shop', 0, 'a')
        await log.closeStream('shop')
        await log.append({ stream: 'shop', expectedVersion: 0, at: 1, events: [note('b')] })
        expect(await log.streams({ open: true })).toEqual([])
      })

      test('may be closed twice, and one that was never written stays unwritten', async () => {
        await write('shop', 0, 'a')
        await log.closeStream('shop')
        await log.closeStream('shop')
        await log.closeStream('blog')
        expect((await log.streams({ open: false })).map(({ stream }) => stream)).toEqual(['shop'])
      })
    })

    describe('a snapshot', () => {
      const at = (version: number, state: unknown) => ({
        stream: 'shop',
        version,
        seq: version,
        shape: 3,
        state,
      })

      test('comes back as it was saved', async () => {
        await write('shop', 0, 'a', 'b')
        expect(await log.loadSnapshot('shop')).toBeNull()
        await log.saveSnapshot(at(2, { tasks: ['1'], none: null }))
        expect(await log.loadSnapshot('shop')).toEqual(at(2, { tasks: ['1'], none: null }))
        expect(await log.loadSnapshot('blog')).toBeNull()
      })

      test('is a copy: changing it does not change the stored one', async () => {
        await write('shop', 0, 'a', 'b')
        await log.saveSnapshot(at(2, { tasks: ['1'] }))
        const first = (await log.loadSnapshot('shop'))?.state as { tasks: string[] }
        first.tasks.push('2')
        expect(await log.loadSnapshot('shop')).toEqual(at(2, { tasks: ['1'] }))
      })

      test('replaces an older one and one of the same version, and never a newer one', async () => {
        await write('shop', 0, 'a', 'b', 'c')
        await log.saveSnapshot(at(2, 'two'))
        await log.saveSnapshot(at(1, 'one'))
        expect(await log.loadSnapshot('shop')).toEqual(at(2, 'two'))
        await log.saveSnapshot({ ...at(2, 'two, reshaped'), shape: 4 })
        expect(await log.loadSnapshot('shop')).toMatchObject({ shape: 4, state: 'two, reshaped' })
        await log.saveSnapshot(at(3, 'three'))
        expect(await log.loadSnapshot('shop')).toEqual(at(3, 'three'))
      })

      test('never holds more than its stream', async () => {
        await write('shop', 0, 'a')
        await expect(log.saveSnapshot(at(2, 'future'))).rejects.toThrow(RangeError)
        await expect(log.saveSnapshot({ ...at(1, 'x'), stream: 'blog' })).rejects.toThrow(RangeError)
      })
    })

    describe('close', () => {
      test('waits for the appends that were asked for before it', async () => {
        const asked = [write('shop', 0, 'a'), write('shop', 1, 'b')]
        await log.close()
        expect((await Promise.all(asked)).flat().map(({ seq }) => seq)).toEqual([1, 2])
      })

      test('makes every later call reject, except close', async () => {
        await write('shop', 0, 'a')
        await log.close()
        await log.close()
        await expect(write('shop', 1, 'b')).rejects.toThrow('closed')
        await expect(log.read('shop', 0, 1)).rejects.toThrow('closed')
        await expect(log.tail(0, 1)).rejects.toThrow('closed')
        await expect(log.streams({ open: true })).rejects.toThrow('closed')
        await expect(log.closeStream('shop')).rejects.toThrow('closed')
        await expect(log.loadSnapshot('shop')).rejects.toThrow('closed')
        await expect(
          log.saveSnapshot({ stream: 'shop', version: 1, seq: 1, shape: 1, state: null }),
        ).rejects.toThrow('closed')
        expect(() => log.subscribe(0, () => undefined)).toThrow('closed')
      })
    })
  })
}
