/** The definition of an interview's event: its shape, the transition it makes, what else it changes, and its lines. */
import type { z } from 'zod'
import { eventShape, type EventIn, type EventShape } from '../../events/define.ts'
import type { Instant, Machine } from '../machine.ts'
import type { Trigger } from '../transitions.ts'
import { notShown, type Rendered } from '../../events/rendering.ts'

interface AnyEvent {
  readonly type: string
  readonly v: number
}

export interface InterviewDefinitionFor<E extends AnyEvent> {
  readonly shape: EventShape<E>
  /** The transition it makes; null where it makes none. */
  readonly trigger: (event: E) => Trigger | null
  /** Why it is rejected although its transition is legal; null when it is accepted. */
  readonly rejectionReason: (machine: Machine, event: E) => string | null
  /** Changes the machine in place, before the transition. */
  readonly change: (machine: Machine, event: E, at: Instant) => void
  /** How the log, the command line and the page show it. */
  readonly render: (event: E) => Rendered
}

type EventOf<T extends string, S extends z.ZodRawShape> = EventIn<ReturnType<typeof eventShape<T, 1, S>>>

/** What is not given: it stays in its state, is accepted, changes nothing, and is of no interest to people. */
export function interviewEvent<const T extends string, S extends z.ZodRawShape>(
  type: T,
  {
    fields,
    ...own
  }: Partial<Omit<InterviewDefinitionFor<EventOf<T, S>>, 'shape'>> & {
    readonly fields: () => S
  },
): InterviewDefinitionFor<EventOf<T, S>> {
  return {
    shape: eventShape(type, 1, fields),
    trigger: () => null,
    rejectionReason: () => null,
    change: () => undefined,
    render: notShown,
    ...own,
  }
}
