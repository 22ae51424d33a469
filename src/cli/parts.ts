/** What commands need from the outside world. main.ts supplies it; each part is loaded when it is first asked for. */
import type { PlanEvent } from '../core/events/plan-events.ts'
import type { EventCodec, EventLog, EventReader } from '../ports/event-log.ts'
import type { Machine } from '../ports/machine.ts'
import type { Simulator } from '../ports/simulator.ts'

export interface Parts {
  machine(): Promise<Machine>
  simulator(): Promise<Simulator>
  /** Beside whoever writes. Refuses with `not_found` where nothing was ever written. Whoever opens it closes it. */
  openLogToRead(): Promise<ReadableLog>
  /** Alone. Refuses with `conflict` while somebody else holds it. Whoever opens it closes it. */
  openLogToWrite(): Promise<WritableLog>
}

export interface ReadableLog {
  readonly log: EventReader<PlanEvent>
  close(): Promise<void>
}

export interface WritableLog {
  readonly log: EventLog<PlanEvent>
  readonly codec: EventCodec<PlanEvent>
  close(): Promise<void>
}
