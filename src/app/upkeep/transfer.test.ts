import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { BrokenEvent, type Entry, type EventCodec, type EventLog } from '../../ports/event-log.ts'
import type { Repository } from '../../ports/repositories.ts'
import { MemoryEventLog } from '../../store/memory-event-log.ts'
import { logCodec, type LogEvent } from '../../core/log/log-events.ts'
import { InterviewWorld } from '../../../test/helpers/interview-world.ts'
import { exportLog, importLog } from './transfer.ts'

const schema = z.strictObject({ type: z.literal('note.written'), v: z.literal(1), text: z.string() })
type Note = z.infer<typeof schema>
const codec: EventCodec<Note> = { check: (event) => schema.parse(event) }
const note = (text: string): Note => ({ type: 'note.written', v: 1, text })

/** Repositories as rows that can be listed and restored. */
const rows = (known: Repository[] = []) => ({
  list: async () => known,
  restore: async (repository: Repository) => void known.push(repository),
})

async function exported(log: EventLog<Note>, repositories = rows()): Promise<string> {
  let text = ''
  await exportLog({ log, repositories }, (chunk) => {
    text += chunk
  })
  return text
}

const linesOf = (text: string) => text.split('\n').slice(0, text.endsWith('\n') ? -1 : undefined)
const importText = (log: EventLog<Note>, text: string, repositories = rows()) =>
  importLog({ log, repositories }, () => linesOf(text), codec)

/** Two streams that took turns, a closed stream. */
async function sampleLog(): Promise<MemoryEventLog<Note>> {
  const log = new MemoryEventLog(codec)
  const append = (stream: string, expectedVersion: number, texts: string[]) =>
    log.append({ stream, expectedVersion, at: 7, events: texts.map(note) })
  await append('shop', 0, ['a', 'line\nbreak "x" \u2028 😀'])
  await append('blog', 0, ['b', 'c'])
  await append('shop', 2, ['d'])
  await append('attic', 0, ['e'])
  await log.closeStream('attic')
  return log
}

const manyNotes = async (count: number) => {
  const log = new MemoryEventLog(codec)
  const events = Array.from({ length: count }, (_, index) => note(`${index}`))
  await log.append({ stream: 'shop', expectedVersion: 0, at: 1, events })
  return log
}

describe('an export', () => {
  test('imported into an empty store gives the same bytes again', async () => {
    const text = await exported(await sampleLog())
    const copy = new MemoryEventLog(codec)
    expect(await importText(copy, text)).toEqual({ ok: true, written: 6, skipped: 0, stopped: null })
    expect(await exported(copy)).toBe(text)
  })

  test('keeps closed streams', async () => {
    const copy = new MemoryEventLog(codec)
    await importText(copy, await exported(await sampleLog()))
    expect(await copy.streams({ open: false })).toEqual([{ stream: 'attic', version: 1, closed: true }])
  })

  test('brings the repositories of its plans along, for without them no plan could go on', async () => {
    const shop = { id: 'shop-0123abcd', path: '/home/ann/shop', name: 'shop', registeredAt: 5 }
    const text = await exported(await sampleLog(), rows([shop]))
    const found: Repository[] = []
    expect(await importText(new MemoryEventLog(codec), text, rows(found))).toMatchObject({ ok: true })
    expect(found).toEqual([shop])
  })

  test.each(['../elsewhere-0123abcd', 'a/b-0123abcd', 'shop'])('names no folder by %j', async (id) => {
    const text = await exported(
      await sampleLog(),
      rows([{ id, path: '/shop', name: 'shop', registeredAt: 5 }]),
    )
    expect(await importText(new MemoryEventLog(codec), text)).toMatchObject({
      ok: false,
      why: 'invalid',
      line: 8,
    })
  })

  test('keeps an interview, which goes on where it was', async () => {
    const world = await new InterviewWorld().open()
    const asked = { repository: world.project }
    await world.interviews.start({ ...asked, text: 'a search page' })
    await world.pass()
    const before = await world.interviews.status(asked)
    const [stream] = await world.log.streams({ open: true })
    const id = stream?.stream.split(':')[1] ?? ''
    const project = { id, path: world.project, name: 'shop', registeredAt: 5 }
    let text = ''
    await exportLog({ log: world.log, repositories: rows([project]) }, (chunk) => {
      text += chunk
    })

    const log = new MemoryEventLog<LogEvent>(logCodec)
    const found: Repository[] = []
    const answer = await importLog({ log, repositories: rows(found) }, () => linesOf(text), logCodec)
    expect(answer).toMatchObject({ ok: true, skipped: 0, stopped: null })
    const repositories = {
      list: async () => found,
      find: async () => found[0] ?? null,
      register: async () => project,
    }
    const copy = await world.openIn({ log, clock: world.clock, repositories })
    expect(before).toMatchObject({ state: 'AWAIT_USER', messages: 1, session_id: '1.1' })
    expect(await copy.status(asked)).toEqual(before)
    await copy.chat({ ...asked, session_id: '1.1', message: 'with a filter' })
    expect(await copy.status(asked)).toMatchObject({ messages: 2 })
    world.dispose()
  })

  test('of an empty log is a header and an end', async () => {
    const text = await exported(new MemoryEventLog(codec))
    expect(linesOf(text)).toHaveLength(2)
    expect(await importText(new MemoryEventLog(codec), text)).toMatchObject({ ok: true, written: 0 })
  })

  test('is written page by page, each awaited before the next is read', async () => {
    const log = await manyNotes(1700)
    let writing = 0
    const sizes: number[] = []
    const answer = await exportLog(
      {
        log: {
          streams: (filter) => log.streams(filter),
          tail: (afterSeq, limit) => {
            expect(writing).toBe(0)
            return log.tail(afterSeq, limit)
          },
        },
        repositories: rows(),
      },
      async (text) => {
        writing += 1
        await Promise.resolve()
        sizes.push(linesOf(text).length)
        writing -= 1
      },
    )
    expect(answer).toMatchObject({ stopped: null, events: 1700 })
    expect(sizes).toEqual([1, 500, 500, 500, 200, 1])
  })

  test('of a log with one damaged plan holds the other plans whole, and of that one all before it', async () => {
    const log = new MemoryEventLog(codec)
    const append = (stream: string, expectedVersion: number, texts: string[]) =>
      log.append({ stream, expectedVersion, at: 7, events: texts.map(note) })
    await append('shop', 0, ['a'])
    await append('shop', 1, ['b', 'spoiled', 'c'])
    await append('blog', 0, ['d'])
    await append('shop', 4, ['e'])
    await append('blog', 1, ['f'])
    await log.closeStream('blog')
    const tail: EventLog<Note>['tail'] = async (afterSeq, limit) => {
      const page = await log.tail(afterSeq, limit)
      if (page.some(({ seq }) => seq === 3))
        throw new BrokenEvent({ seq: 3, stream: 'shop', problem: 'spoiled', remedy: 'none' })
      return page
    }
    let text = ''
    const damagedLog = { streams: (filter: { readonly open: boolean }) => log.streams(filter), tail }
    const answer = await exportLog({ log: damagedLog, repositories: rows() }, (chunk) => void (text += chunk))
    expect(answer).toMatchObject({ events: 4, stopped: { seq: 3, stream: 'shop' } })
    const copy = new MemoryEventLog(codec)
    expect(await importText(copy, text)).toMatchObject({ ok: true, written: 4 })
    expect(await copy.streams({ open: true })).toMatchObject([{ stream: 'shop', version: 2 }])
    expect(await copy.streams({ open: false })).toMatchObject([{ stream: 'blog', version: 2 }])
  })

  test('of a damaged log holds everything before the damage, and says so when it is imported', async () => {
    const log = await manyNotes(900)
    const broken = new BrokenEvent({ seq: 701, stream: 'shop', problem: 'spoiled', remedy: 'none' })
    let text = ''
    const answer = await exportLog(
      {
        log: {
          streams: (filter) => log.streams(filter),
          tail: async (afterSeq, limit) => {
            const page = await log.tail(afterSeq, limit)
            if (page.some(({ seq }) => seq === 701)) throw broken
            return page
          },
        },
        repositories: rows(),
      },
      (chunk) => void (text += chunk),
    )
    expect(answer).toMatchObject({ events: 700, stopped: broken })
    const copy = new MemoryEventLog(codec)
    expect(await importText(copy, text)).toEqual({
      ok: true,
      written: 700,
      skipped: 0,
      stopped: broken.message,
    })
  })

  test('fails when its output does', async () => {
    const full = exportLog({ log: await sampleLog(), repositories: rows() }, () => {
      throw new Error('no space left')
    })
    await expect(full).rejects.toThrow('no space left')
  })
})

describe('an import', () => {
  test('of the same file again changes nothing', async () => {
    const log = await sampleLog()
    const text = await exported(log)
    expect(await importText(log, text)).toEqual({ ok: true, written: 0, skipped: 6, stopped: null })
    expect(await exported(log)).toBe(text)
  })

  test('goes on where one that was cut short ended', async () => {
    const text = await exported(await sampleLog())
    const log = new MemoryEventLog(codec)
    await log.append({ stream: 'shop', expectedVersion: 0, at: 7, events: [note('a')] })
    expect(await importText(log, text)).toMatchObject({ ok: true, written: 5, skipped: 1 })
  })

  test('leaves a stream alone that has gone on since', async () => {
    const log = await sampleLog()
    const text = await exported(log)
    await log.append({ stream: 'attic', expectedVersion: 1, at: 8, events: [note('later')] })
    expect(await importText(log, text)).toMatchObject({ ok: true, written: 0 })
    expect(await log.streams({ open: false })).toEqual([])
  })

  test('conflicts with a stream of the same name and other content, and writes nothing', async () => {
    const log = new MemoryEventLog(codec)
    await log.append({ stream: 'attic', expectedVersion: 0, at: 7, events: [note('other')] })
    const answer = await importText(log, await exported(await sampleLog()))
    expect(answer).toMatchObject({ ok: false, why: 'conflict', stream: 'attic', line: 7 })
    expect(await log.tail(0, 10)).toHaveLength(1)
  })

  test('of a large file writes it whole, in its order', async () => {
    const log = new MemoryEventLog(codec)
    for (let index = 0; index < 1300; index++) {
      const stream = `s${index % 3}`
      await log.append({
        stream,
        expectedVersion: Math.floor(index / 3),
        at: index,
        events: [note(`${index}`)],
      })
    }
    const copy = new MemoryEventLog(codec)
    expect(await importText(copy, await exported(log))).toMatchObject({ ok: true, written: 1300 })
    expect(await copy.tail(0, 2000)).toEqual(await log.tail(0, 2000))
  })

  const spoiled: [string, (lines: string[]) => string[], object][] = [
    ['without its end', (lines) => lines.slice(0, -1), { why: 'cut', line: 8 }],
    ['cut inside a line', (lines) => [...lines.slice(0, 3), '{"stream":"bl'], { why: 'invalid', line: 4 }],
    ['without one of its lines', (lines) => lines.toSpliced(6, 1), { why: 'cut', line: 8 }],
    ['that is empty', () => [], { why: 'cut', line: 0 }],
    ['without its header', (lines) => lines.slice(1), { why: 'invalid', line: 1 }],
    [
      'of another schema',
      (lines) => ['{"schema":"bosun.exported-log/v9"}', ...lines.slice(1)],
      { why: 'invalid', line: 1 },
    ],
    ['with a line that is no JSON', (lines) => lines.with(2, 'oops'), { why: 'invalid', line: 3 }],
    ['with a line of another kind', (lines) => lines.with(2, '{"cat":1}'), { why: 'invalid', line: 3 }],
    [
      'with an unknown event',
      (lines) => lines.with(1, swap(lines[1], 'note.written', 'ship.sunk')),
      { why: 'invalid', line: 2 },
    ],
    [
      'with a gap in a stream',
      (lines) => lines.with(5, swap(lines[5], '"version":3', '"version":4')),
      { why: 'invalid', line: 6 },
    ],
    [
      'with a changed text',
      (lines) => lines.with(1, swap(lines[1], '"a"', '"A"')),
      { why: 'invalid', line: 9 },
    ],
    ['with more after its end', (lines) => [...lines, '{"closed":"shop"}'], { why: 'invalid', line: 10 }],
  ]

  test.each(spoiled)('of a file %s names the line and writes nothing', async (_, spoil, answer) => {
    const lines = linesOf(await exported(await sampleLog()))
    const log = new MemoryEventLog(codec)
    expect(await importLog({ log, repositories: rows() }, () => spoil(lines), codec)).toMatchObject({
      ok: false,
      problem: expect.any(String),
      ...answer,
    })
    expect(await log.tail(0, 10)).toEqual([] satisfies Entry[])
  })

  const swap = (line: string | undefined, from: string, to: string) => {
    expect(line).toContain(from)
    return (line ?? '').replace(from, to)
  }
})
