/** What every log of notes must do: one test per sentence of the port. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Claim } from '../../src/core/watch/observed.ts'
import type { Note, NoteLog } from '../../src/ports/note-log.ts'

export interface OpenedNotes {
  readonly log: NoteLog
  /** Opens it again from what is durable; null where nothing outlives the process. */
  readonly reopen: (() => Promise<NoteLog>) | null
  readonly dispose: () => Promise<void>
}

const claimAt = (at: number, percent = 0): Claim => ({
  at,
  status: 'in_progress',
  statusSince: at,
  percent,
  percentSince: at,
  step: 'building',
  nextStep: null,
  timeRemaining: null,
  issues: ['slow'],
  failure: null,
  count: 1,
})

const aNote = (fields: Partial<Note> = {}): Note & { readonly worker: string } => ({
  repository: 'r',
  at: 1000,
  event: 'checkin_received',
  plan: 'shop',
  task: '1',
  data: '{"status":"in_progress","progress_pct":40}',
  ...fields,
  worker: fields.worker ?? 'w-shop-1-1',
})

const EVERYTHING = { repositories: ['r', 'other'], plan: null, worker: null, event: null }

export function describeNoteLog(name: string, open: () => Promise<OpenedNotes>): void {
  describe(name, () => {
    let opened: OpenedNotes
    let log: NoteLog
    beforeEach(async () => {
      opened = await open()
      log = opened.log
    })
    afterEach(() => opened.dispose())

    const keep = (file: string | null = null, fields: Partial<Note> = {}) => {
      const note = aNote(fields)
      const stream = `${note.repository}/shop`
      return log.appendCheckin(note, { stream, file, claim: claimAt(note.at) })
    }
    const workers = async () => (await log.tail(0, 100)).map(({ worker }) => worker)

    test('append keeps a note as it was', async () => {
      const odd = aNote({
        data: JSON.stringify({ current_step: 'quote " \\ \n 漢 😀' }),
        plan: null,
        task: null,
      })
      await log.append(odd)
      expect(await log.tail(0, 10)).toEqual([{ seq: expect.any(Number), ...odd }])
    })

    test('remember is durable, takes the place of the last claim and keeps no note', async () => {
      await keep()
      const later = claimAt(2000, 90)
      await log.remember({ stream: 'r/shop', worker: 'w-shop-1-1' }, later)
      log = (await opened.reopen?.()) ?? log
      expect(await log.claims()).toEqual([{ stream: 'r/shop', worker: 'w-shop-1-1', claim: later }])
      expect(await log.tail(0, 100)).toHaveLength(1)
    })

    test('both ways to append are durable when they resolve', async () => {
      const { reopen } = opened
      if (reopen === null) return
      await keep()
      await log.append(aNote({ event: 'pm_overloaded' }))
      const before = [await log.tail(0, 10), await log.claims()]
      log = await reopen()
      expect([await log.tail(0, 10), await log.claims()]).toEqual(before)
    })

    test('appendCheckin knows a file of its plan again, and leaves everything as it was', async () => {
      await keep('a.json', { at: 1000 })
      expect(await keep('a.json', { at: 2000 })).toBe('known')
      expect(await log.claims()).toMatchObject([{ claim: { at: 1000 } }])
      expect(await keep('a.json', { repository: 'other' })).toBe('kept')
      expect(await log.tail(0, 10)).toHaveLength(2)
    })

    test('appendCheckin takes what came in no file as often as it comes', async () => {
      expect(await Promise.all([keep(), keep()])).toEqual(['kept', 'kept'])
      expect(await log.tail(0, 10)).toHaveLength(2)
    })

    test('a note that cannot be kept fails alone', async () => {
      const good = keep('a.json', { worker: 'w-1' })
      const bad = log.append(aNote({ at: 0.5 }))
      const alsoGood = keep('b.json', { worker: 'w-2' })
      await expect(bad).rejects.toThrow(RangeError)
      expect([await good, await alsoGood, await workers()]).toEqual(['kept', 'kept', ['w-1', 'w-2']])
    })

    test('tail gives notes in the order they were kept in, after a place', async () => {
      for (const worker of ['a', 'b', 'c', 'd']) await log.append(aNote({ worker }))
      const [first] = await log.tail(0, 1)
      expect((await log.tail(first?.seq ?? 0, 2)).map(({ worker }) => worker)).toEqual(['b', 'c'])
      await expect(log.tail(0, 0)).rejects.toThrow(RangeError)
    })

    test('back gives notes before a place, the newest first, of those that are asked for', async () => {
      for (const worker of ['a', 'b', 'c']) await log.append(aNote({ worker }))
      await log.append(aNote({ repository: 'other', event: 'pm_stopped', plan: null, worker: 'd' }))
      const found = async (filter: object, before = 100, limit = 10) =>
        (await log.back(before, limit, { ...EVERYTHING, ...filter })).map(({ worker }) => worker)
      expect(await found({})).toEqual(['d', 'c', 'b', 'a'])
      const [, second, third] = await log.tail(0, 3)
      expect(await found({}, third?.seq, 1)).toEqual(['b'])
      expect(await found({}, second?.seq)).toEqual(['a'])
      expect(await found({ repositories: ['r'] }, 100, 2)).toEqual(['c', 'b'])
      expect(await found({ plan: 'shop', worker: 'b' })).toEqual(['b'])
      expect(await found({ event: 'pm_stopped' })).toEqual(['d'])
    })

    test('claims gives the last claim of every worker', async () => {
      const claim = (fields: Partial<Note>, at: number, percent = 0) => {
        const note = aNote(fields)
        return log.appendCheckin(note, {
          stream: `${note.repository}/shop`,
          file: null,
          claim: claimAt(at, percent),
        })
      }
      await claim({}, 1000, 40)
      await claim({}, 2000, 60)
      await claim({ worker: 'w-shop-2-1' }, 1500)
      await claim({ repository: 'z' }, 1700)
      expect(await log.claims()).toEqual([
        { stream: 'r/shop', worker: 'w-shop-1-1', claim: claimAt(2000, 60) },
        { stream: 'r/shop', worker: 'w-shop-2-1', claim: claimAt(1500) },
        { stream: 'z/shop', worker: 'w-shop-1-1', claim: claimAt(1700) },
      ])
    })

    test('prune deletes all but the newest notes, and old claims, up to its limit', async () => {
      for (const at of [1, 2, 3, 4, 5]) await keep(null, { at, worker: `w-${at}` })
      const keepTwo = { notes: 2, claimsSince: 4 }
      expect(await log.prune(keepTwo, 2)).toBe(2)
      expect(await workers()).toEqual(['w-3', 'w-4', 'w-5'])
      expect(await log.prune(keepTwo, 10)).toBe(1)
      expect(await log.prune(keepTwo, 10)).toBe(0)
      expect((await log.claims()).map(({ worker }) => worker)).toEqual(['w-4', 'w-5'])
    })

    test('prune leaves the place of what is kept later alone', async () => {
      await keep(null, { at: 1 })
      const [before] = await log.tail(0, 1)
      await log.prune({ notes: 0, claimsSince: 5 }, 10)
      await keep(null, { at: 6 })
      const [after] = await log.tail(before?.seq ?? 0, 1)
      expect(after?.at).toBe(6)
    })
  })
}
