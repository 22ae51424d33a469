import { expect, test } from 'vitest'
import { BrokenEvent, type Entry, type EventLog } from '../../ports/event-log.ts'
import { MemoryEventLog } from '../../store/memory-event-log.ts'
import { tailPastDamage } from './past-damage.ts'

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
  return Object.assign(Object.create(log) as EventLog<Note>, {
    tail,
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
