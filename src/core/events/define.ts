/**
 * An event's definition: its shape, when it is rejected, what it changes in the state, and its activity and timeline
 * lines. Each event has one, and plan-events.ts lists them all.
 */
import { z } from 'zod'
import type { Instant, PlanState } from '../state/state.ts'
import type { Rendered } from './rendering.ts'

type Inferred<S, K extends keyof S> = S[K] extends z.ZodType ? z.infer<S[K]> : never
type OptionalKeys<S> = { [K in keyof S]: S[K] extends z.ZodOptional ? K : never }[keyof S]
type Fields<S> = { readonly [K in Exclude<keyof S, OptionalKeys<S>>]: Inferred<S, K> } & {
  readonly [K in OptionalKeys<S>]?: Inferred<S, K>
}

interface AnyEvent {
  readonly type: string
  readonly v: number
}

/** What an event has to look like. */
export interface EventShape<E extends AnyEvent> {
  readonly type: E['type']
  readonly version: E['v']
  readonly schema: z.ZodType<E>
}

export type EventIn<S extends EventShape<AnyEvent>> = z.output<S['schema']>

/** The schema is made when it is first needed: those of all events together are 1 MiB (bench/idle-memory). */
export function eventShape<const T extends string, const V extends number, S extends z.ZodRawShape>(
  type: T,
  version: V,
  fields: () => S,
): EventShape<{ readonly type: T; readonly v: V } & Fields<S>> {
  let schema: z.ZodType | null = null
  const shape: unknown = {
    type,
    version,
    get schema() {
      return (schema ??= z.strictObject({ type: z.literal(type), v: z.literal(version), ...fields() }))
    },
  }
  return shape as EventShape<{ readonly type: T; readonly v: V } & Fields<S>>
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

interface Described<E extends AnyEvent> {
  readonly shape: EventShape<E>
  /** Why the event is rejected in this state; null when it is accepted. */
  readonly rejectionReason: (state: PlanState, event: E) => string | null
  /** How the log, the command line and the page show it; `version` is its place in the plan's log. */
  readonly render: (event: E, version: number) => Rendered
}

/** Changes the state in place. An event is a fact: it is never rejected here, and an impossible one throws. */
interface InPlace<E extends AnyEvent> extends Described<E> {
  readonly apply: (state: PlanState, event: E, at: Instant) => void
  readonly replace?: undefined
}

/** Returns a new state that replaces the current one. */
interface Anew<E extends AnyEvent> extends Described<E> {
  readonly apply?: undefined
  readonly replace: (state: PlanState, event: E, at: Instant) => PlanState
}

export type DefinitionFor<E extends AnyEvent> = InPlace<E> | Anew<E>
export type EventDefinition<S extends EventShape<AnyEvent>> = DefinitionFor<EventIn<S>>

/** For events that fit every state. */
export const always = (): null => null
/** For events that change nothing. */
export const changesNothing = (): void => undefined
