/** Events for the tests of the store: two kinds, and an old version of one. */
import { z } from 'zod'
import type { Appended, Entry, EventCodec } from '../../src/ports/event-log.ts'

const eventSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('note.written'), v: z.literal(1), text: z.string() }),
  z.strictObject({ type: z.literal('count.raised'), v: z.literal(2), by: z.int() }),
])
export type SampleEvent = z.infer<typeof eventSchema>

/** A small codec: two current events, and an old `count.raised` that is brought up to date. */
export const sampleCodec: EventCodec<SampleEvent> = {
  check: (event) => eventSchema.parse(upToDate(event)),
}

function upToDate(event: unknown): unknown {
  const old = z.strictObject({ type: z.literal('count.raised'), v: z.literal(1) }).safeParse(event)
  return old.success ? { type: 'count.raised', v: 2, by: 1 } : event
}

export const note = (text: string): SampleEvent => ({ type: 'note.written', v: 1, text })
export const broken = { type: 'note.written', v: 1, text: 7 } as unknown as SampleEvent
export const unknown = { type: 'ship.sunk', v: 1 } as unknown as SampleEvent

export function entriesOf(appended: Appended<SampleEvent>): readonly Entry<SampleEvent>[] {
  if (!appended.ok) throw new Error(`conflict at ${appended.version}`)
  return appended.entries
}

export const textsOf = (entries: readonly Entry<SampleEvent>[]): string[] =>
  entries.map(({ event }) => (event.type === 'note.written' ? event.text : `+${event.by}`))
