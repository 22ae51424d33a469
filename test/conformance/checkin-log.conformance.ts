/** What every log of check-ins must do: one test per sentence of the port. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Claim } from '../../src/core/watch/observed.ts'
import type { CheckinLog, KeptCheckin } from '../../src/ports/checkin-log.ts'

export interface OpenedCheckins {
  readonly log: CheckinLog
  /** Opens it again from what is durable; null where nothing outlives the process. */
  readonly reopen: (() => Promise<CheckinLog>) | null
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

const aCheckin = (fields: Partial<KeptCheckin> = {}): KeptCheckin => ({
  stream: 'r/shop',
  worker: 'w-shop-1-1',
  at: 1000,
  heardAt: 1000,
  file: null,
  body: '{"status":"in_progress","progress_pct":40}',
  ...fields,
})

export function describeCheckinLog(name: string, open: () => Promise<OpenedCheckins>): void {
  describe(name, () => {
    let opened: OpenedCheckins
    let log: CheckinLog
    beforeEach(async () => {
      opened = await open()
      log = opened.log
    })
    afterEach(() => opened.dispose())

    const keep = (fields: Partial<KeptCheckin> = {}) =>
      log.append(aCheckin(fields), claimAt(fields.at ?? 1000))
    const files = async () => (await log.tail(0, 100)).map(({ file }) => file)

    test('append keeps a check-in as it was', async () => {
      const odd = { body: JSON.stringify({ current_step: 'quote " \\ \n 漢 😀' }), file: 'a.json' }
      expect(await keep(odd)).toBe('kept')
      expect(await log.tail(0, 10)).toEqual([{ seq: expect.any(Number), ...aCheckin(odd) }])
    })

    test('remember is durable, takes the place of the last claim and keeps no check-in', async () => {
      await keep({ file: 'a.json' })
      const later = claimAt(2000, 90)
      await log.remember({ stream: 'r/shop', worker: 'w-shop-1-1' }, later)
      const again = (await opened.reopen?.()) ?? log
      expect(await again.claims()).toEqual([{ stream: 'r/shop', worker: 'w-shop-1-1', claim: later }])
      expect((await again.tail(0, 100)).map(({ file }) => file)).toEqual(['a.json'])
    })

    test('append is durable when it resolves', async () => {
      const { reopen } = opened
      if (reopen === null) return
      await keep()
      const before = [await log.tail(0, 10), await log.claims()]
      log = await reopen()
      expect([await log.tail(0, 10), await log.claims()]).toEqual(before)
    })

    test('append knows a file of its plan again, and leaves everything as it was', async () => {
      await keep({ file: 'a.json', at: 1000 })
      expect(await keep({ file: 'a.json', at: 2000 })).toBe('known')
      expect(await log.claims()).toMatchObject([{ claim: { at: 1000 } }])
      expect(await keep({ file: 'a.json', stream: 'other/shop' })).toBe('kept')
      expect(await files()).toEqual(['a.json', 'a.json'])
    })

    test('append takes what came in no file as often as it comes', async () => {
      await Promise.all([keep(), keep()])
      expect(await files()).toEqual([null, null])
    })

    test('append that cannot be kept fails alone', async () => {
      const good = keep({ file: 'a.json' })
      const bad = log.append(aCheckin({ heardAt: 0.5 }), claimAt(1))
      const alsoGood = keep({ file: 'b.json' })
      await expect(bad).rejects.toThrow(RangeError)
      expect([await good, await alsoGood, await files()]).toEqual(['kept', 'kept', ['a.json', 'b.json']])
    })

    test('tail gives check-ins in the order they were kept in, after a place', async () => {
      for (const file of ['a', 'b', 'c', 'd']) await keep({ file })
      const [first] = await log.tail(0, 1)
      expect((await log.tail(first?.seq ?? 0, 2)).map(({ file }) => file)).toEqual(['b', 'c'])
      await expect(log.tail(0, 0)).rejects.toThrow(RangeError)
    })

    test('claims gives the last claim of every worker', async () => {
      await log.append(aCheckin(), claimAt(1000, 40))
      await log.append(aCheckin(), claimAt(2000, 60))
      await log.append(aCheckin({ worker: 'w-shop-2-1' }), claimAt(1500))
      await log.append(aCheckin({ stream: 'z/shop' }), claimAt(1700))
      expect(await log.claims()).toEqual([
        { stream: 'r/shop', worker: 'w-shop-1-1', claim: claimAt(2000, 60) },
        { stream: 'r/shop', worker: 'w-shop-2-1', claim: claimAt(1500) },
        { stream: 'z/shop', worker: 'w-shop-1-1', claim: claimAt(1700) },
      ])
    })

    test('prune deletes check-ins received before a time, and old claims, up to its limit', async () => {
      for (const heardAt of [1, 2, 3, 4, 5]) await keep({ heardAt, at: heardAt, worker: `w-${heardAt}` })
      expect(await log.prune(4, 2)).toBe(2)
      expect((await log.tail(0, 10)).map(({ heardAt }) => heardAt)).toEqual([3, 4, 5])
      expect(await log.prune(4, 10)).toBe(1)
      expect(await log.prune(4, 10)).toBe(0)
      expect((await log.claims()).map(({ worker }) => worker)).toEqual(['w-4', 'w-5'])
    })

    test('prune leaves the place of what is kept later alone', async () => {
      await keep({ heardAt: 1 })
      const [before] = await log.tail(0, 1)
      await log.prune(5, 10)
      await keep({ heardAt: 6 })
      const [after] = await log.tail(before?.seq ?? 0, 1)
      expect(after?.heardAt).toBe(6)
    })
  })
}
