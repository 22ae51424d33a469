/** Validates events when they are written and read, and upgrades those of older versions. */
import type { z } from 'zod'
import { isRecord, type EventShape, type Upcast } from './define.ts'
import { definitionOf, isEventType, type EventType, type PlanEvent } from './plan-events.ts'

/** Replaces the upcasts of some definitions. */
export type Older = Partial<Record<EventType, readonly Upcast[]>>

const SHOWN_FIELDS = 3

/** The event in its newest version. Throws an Error that names the invalid fields. */
export function checkEvent(input: unknown, steps: Older = {}): PlanEvent {
  return checkAgainst(input, (type) => {
    if (!isEventType(type)) return null
    const { shape, upcasts = [] } = definitionOf(type)
    return { shape, upcasts: steps[type] ?? upcasts }
  })
}

interface Checked<E extends RecordedEvent> {
  readonly shape: EventShape<E>
  readonly upcasts: readonly Upcast[]
}

interface RecordedEvent {
  readonly type: string
  readonly v: number
}

/** The same for any family of events; `definitionOf` returns null for an unknown type. */
export function checkAgainst<E extends RecordedEvent>(
  input: unknown,
  definitionOf: (type: unknown) => Checked<E> | null,
): E {
  if (!isRecord(input)) throw new Error('an event must be an object')
  const { v } = input
  const definition = definitionOf(input['type'])
  if (definition === null) throw new Error(`unknown event type ${JSON.stringify(input['type'])}`)
  const { shape, upcasts: older } = definition
  const { type } = shape
  const newest = older.length + 1
  if (typeof v !== 'number' || !Number.isInteger(v) || v < 1) throw new Error(`${type} has no version`)
  if (v > newest) throw new Error(`${type} has version ${v}; this Bosun supports up to ${newest}`)
  const event = older.slice(v - 1).reduce((value, upcast) => upcast(value), input)
  const parsed = shape.schema.safeParse(event)
  if (!parsed.success) throw new Error(`invalid ${type}: ${formatIssues(parsed.error)}`)
  return parsed.data
}

/** The first invalid fields on one line, and how many more there are. */
function formatIssues({ issues }: z.ZodError): string {
  const shown = issues
    .slice(0, SHOWN_FIELDS)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
  const more = issues.length > SHOWN_FIELDS ? ` (and ${issues.length - SHOWN_FIELDS} more)` : ''
  return shown.join('; ').replaceAll(/\s+/g, ' ') + more
}

export const eventCodec = { check: (event: unknown) => checkEvent(event) }
