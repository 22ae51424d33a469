import { expect, test } from 'vitest'
import { BrokenEvent, type Entry, type EventLog } from '../../ports/event-log.ts'
import { MemoryEventLog } from '../../store/memory-event-log.ts'
import { subscribePastDamage, tailPastDamage } from './past-damage.ts'

interface Note {
  readonly type: string
  readonly v: number
  readonly text: string
}
const note = (text: string): Note => ({ type: 'note.written', v: 1, text })

/** A log of numbered notes in which some cannot be read. */
async function logWith(count: number, broken: readonly number[]): Promise<EventLog<Note>> {
  const log = new MemoryEventLog<Note>({ check: (event) => event as Note })
  const events = Array.from({ length: count }, (_, index) => note(`${index + 1}`))
  await log.append({ stream: 'shop', expectedVersion: 0, at: 1, events })
  const tail: EventLog<Note>['tail'] = async (after, limit) => {
    const page = await log.tail(after, limit)
    const bad = page.find(({ seq }) => broken.includes(seq))
    if (bad === undefined) return page
    throw new BrokenEvent({ seq: bad.seq, stream: 'shop', problem: 'spoiled', remedy: '' })
  }
  const subscribe: EventLog<Note>['subscribe'] = (after, listener, failed) => {
    let stop: () => void = () => undefined
    const begin = async (): Promise<void> => {
      try {
        const page = await tail(after, 512)
        if (page.length > 0) listener(page)
        stop = log.subscribe(page.at(-1)?.seq ?? after, listener, failed)
      } catch (error) {
        failed?.(error as Error)
      }
    }
    void begin()
    return () => stop()
  }
  return Object.assign(Object.create(log) as EventLog<Note>, {
    tail,
    subscribe,
    append: log.append.bind(log),
  })
}
const textsOf = (entries: readonly Entry<Note>[]) => entries.map(({ event }) => event.text)

test('a page goes on behind events that cannot be read, and names each of them', async () => {
  const log = await logWith(6, [2, 3])
  const damage: number[] = []
  const { entries, seq } = await tailPastDamage(log, 0, 10, (error) => damage.push(error.seq))
  expect([textsOf(entries), seq, damage]).toEqual([['1', '4', '5', '6'], 6, [2, 3]])
  const first = await tailPastDamage(log, 0, 1)
  expect([textsOf(first.entries), first.seq]).toEqual([['1'], 1])
  expect(textsOf((await tailPastDamage(log, first.seq, 1)).entries)).toEqual(['4'])
})

test('a log that ends with what cannot be read is at its end behind it', async () => {
  const log = await logWith(3, [3])
  expect(await tailPastDamage(log, 2, 10)).toEqual({ entries: [], seq: 3 })
})

test('a subscription tells every entry that can be read once, in order, and what is appended later', async () => {
  const log = await logWith(5, [1, 4])
  const seen: string[] = []
  await new Promise<void>((resolve) => {
    subscribePastDamage(log, 0, {
      entries: (entries) => {
        seen.push(...textsOf(entries))
        if (seen.includes('5') && !seen.includes('new'))
          void log.append({ stream: 'shop', expectedVersion: 5, at: 2, events: [note('new')] })
        if (seen.includes('new')) resolve()
      },
      damage: ({ seq }) => void seen.push(`lost ${seq}`),
      failed: (error) => void seen.push(error.message),
    })
  })
  expect(seen).toEqual(['lost 1', '2', '3', 'lost 4', '5', 'new'])
})
