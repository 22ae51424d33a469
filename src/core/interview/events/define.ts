/**
 * The definition of an interview's event: its shape, the transition it makes, what else it changes, and its activity and
 * timeline lines. Shapes are built when they are first needed: a daemon without an interview has none in memory.
 */
import { z } from 'zod'
import type { Activity } from '../../events/activity-lines.ts'
import type { eventShape, EventIn, EventShape, TimelineLine } from '../../events/define.ts'
import type { Instant, Machine } from '../machine.ts'
import type { Trigger } from '../transitions.ts'

interface AnyEvent {
  readonly type: string
  readonly v: number
}

export function interviewShape<const T extends string, S extends z.ZodRawShape>(
  type: T,
  fields: () => S,
): ReturnType<typeof eventShape<T, 1, S>> {
  let schema: unknown
  const shape: unknown = {
    type,
    version: 1,
    get schema() {
      schema ??= z.strictObject({ type: z.literal(type), v: z.literal(1), ...fields() })
      return schema
    },
  }
  return shape as ReturnType<typeof eventShape<T, 1, S>>
}

export interface InterviewDefinitionFor<E extends AnyEvent> {
  readonly shape: EventShape<E>
  /** The transition it makes; null where it makes none. */
  readonly trigger: (event: E) => Trigger | null
  /** Why it is rejected although its transition is legal; null when it is accepted. */
  readonly rejectionReason: (machine: Machine, event: E) => string | null
  /** Changes the machine in place, before the transition. */
  readonly change: (machine: Machine, event: E, at: Instant) => void
  readonly activity: (event: E) => readonly Activity[]
  /** Null for events that are of no interest to people. */
  readonly timeline: (event: E) => TimelineLine | null
}
export type InterviewDefinition<S extends EventShape<AnyEvent>> = InterviewDefinitionFor<EventIn<S>>

/** A line of the activity log. */
export const interviewLine = (event: string, data: Activity['data']): Activity => ({
  event,
  worker: null,
  task: null,
  data,
})

export const inTimeline = (text: string): TimelineLine => ({ task: null, text })
export const accepts = (): null => null
export const staysInState = (): null => null
/** The transition is all it changes. */
export const onlyMoves = (): void => undefined
