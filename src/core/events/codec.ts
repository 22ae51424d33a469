/** Checks events on their way into the log and out of it, and brings old ones up to date. */
import type { z } from 'zod'
import { isRecord, type Upcast } from './define.ts'
import { definitionOf, isEventType, type EventType, type PlanEvent } from './plan-events.ts'

/** For some types, other steps from version 1 upward than those of their definitions. */
export type Older = Partial<Record<EventType, readonly Upcast[]>>

const TOLD_FIELDS = 3

/** The event in its newest version. Throws an Error that says what is wrong with it. */
export function checkEvent(input: unknown, steps: Older = {}): PlanEvent {
  if (!isRecord(input)) throw new Error('an event is an object')
  const { type, v } = input
  if (!isEventType(type)) throw new Error(`unknown event type ${JSON.stringify(type)}`)
  const { shape, upcasts = [] } = definitionOf(type)
  const older = steps[type] ?? upcasts
  const newest = older.length + 1
  if (typeof v !== 'number' || !Number.isInteger(v) || v < 1) throw new Error(`${type} has no version`)
  if (v > newest) throw new Error(`${type} has version ${v}, this Bosun knows up to ${newest}`)
  const event = older.slice(v - 1).reduce((value, upcast) => upcast(value), input)
  const parsed = shape.schema.safeParse(event)
  if (!parsed.success) throw new Error(`${type} is broken: ${brokenFields(parsed.error)}`)
  return parsed.data
}

/** On one line, since it is shown among others: the first fields that are wrong, and how many more are. */
function brokenFields({ issues }: z.ZodError): string {
  const told = issues
    .slice(0, TOLD_FIELDS)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
  const more = issues.length > TOLD_FIELDS ? ` (and ${issues.length - TOLD_FIELDS} more)` : ''
  return told.join('; ').replaceAll(/\s+/g, ' ') + more
}

export const eventCodec = { check: (event: unknown) => checkEvent(event) }
