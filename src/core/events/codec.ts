/** Validates events when they are written and when they are read. */
import type { z } from 'zod'
import { isRecord, type EventShape } from './define.ts'
import { definitionOf, isEventType, type PlanEvent } from './plan-events.ts'

const SHOWN_FIELDS = 3

/** Throws an Error that names the invalid fields. */
export const checkEvent = (input: unknown): PlanEvent =>
  checkAgainst<PlanEvent>(input, (type) => (isEventType(type) ? definitionOf(type).shape : null))

interface RecordedEvent {
  readonly type: string
  readonly v: number
}

/** The same for any family of events; `shapeOf` returns null for an unknown type. */
export function checkAgainst<E extends RecordedEvent>(
  input: unknown,
  shapeOf: (type: unknown) => EventShape<E> | null,
): E {
  if (!isRecord(input)) throw new Error('an event must be an object')
  const { v } = input
  const shape = shapeOf(input['type'])
  if (shape === null) throw new Error(`unknown event type ${JSON.stringify(input['type'])}`)
  const { type, version } = shape
  if (typeof v !== 'number' || !Number.isInteger(v) || v < 1) throw new Error(`${type} has no version`)
  if (v !== version) throw new Error(`${type} has version ${v}; this Bosun reads version ${version}`)
  const parsed = shape.schema.safeParse(input)
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
