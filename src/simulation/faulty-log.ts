/** A log that fails, or kills its writer, at chosen appends, and otherwise delegates. */
import type { PlanEvent } from '../core/events/plan-events.ts'
import type { PlanLog } from '../engine/plan-log.ts'
import type { Append, Appended, Entry, Snapshot, StreamId } from '../ports/event-log.ts'

/** `after`: the events are durable, but the caller is not informed. */
export type AppendFate = 'fine' | 'crash_before' | 'crash_after' | 'error_before' | 'error_after'

export interface LogScript {
  /** What happens to the nth append of the whole simulation, from 1. */
  readonly fate: (nth: number) => AppendFate
  readonly onCrash: () => void
  readonly onWritten: (entries: readonly Entry<PlanEvent>[]) => void
}

const never = (): Promise<never> => new Promise(() => undefined)

export class FaultyLog implements PlanLog {
  readonly #log: PlanLog
  readonly #script: LogScript
  #appends = 0

  constructor(log: PlanLog, script: LogScript) {
    this.#log = log
    this.#script = script
  }

  async append(append: Append<PlanEvent>): Promise<Appended<PlanEvent>> {
    const fate = this.#script.fate(++this.#appends)
    if (fate === 'error_before') throw new Error('the disk is full')
    if (fate === 'crash_before') {
      this.#script.onCrash()
      return never()
    }
    const done = await this.#log.append(append)
    if (done.ok) this.#script.onWritten(done.entries)
    if (fate === 'error_after') throw new Error('the disk did not answer')
    if (fate === 'crash_after') {
      this.#script.onCrash()
      return never()
    }
    return done
  }

  read(stream: StreamId, afterVersion: number, limit: number): Promise<readonly Entry<PlanEvent>[]> {
    return this.#log.read(stream, afterVersion, limit)
  }

  saveSnapshot(snapshot: Snapshot): Promise<void> {
    return this.#log.saveSnapshot(snapshot)
  }

  loadSnapshot(stream: StreamId): Promise<Snapshot | null> {
    return this.#log.loadSnapshot(stream)
  }
}
