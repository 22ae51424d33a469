/** The activity log: what happened, under the names that people and tools watch for. */
import { cut, planLine, workerLine, type Activity } from './activity-lines.ts'
import { definitionOf, type PlanEvent } from './plan-events.ts'

/** The parts of a log entry that are read here. */
export interface ActivityFact {
  readonly version: number
  readonly event: PlanEvent
}

/**
 * Reads one plan's events in order; the lines of each event are in its definition. The reader remembers only which
 * workers are condemned, so that a worker that finishes first shows as a near miss, and which items are alerts.
 */
export class ActivityReader {
  readonly #condemned = new Set<string>()
  readonly #alerts = new Set<string>()

  read({ event, version }: ActivityFact): readonly Activity[] {
    const lines = definitionOf(event.type).activity(event, version)
    return [...this.#nearMiss(event), ...lines, ...this.#alert(event)]
  }

  #nearMiss(event: PlanEvent): readonly Activity[] {
    // A worker that is stopped after its report is not killed, so it cannot be a near miss.
    if (event.type === 'worker.condemned' && event.cause !== 'finished') this.#condemned.add(event.worker)
    if (event.type !== 'worker.ended' || !this.#condemned.delete(event.worker)) return []
    return event.end.kind === 'stopped' ? [] : [workerLine(event, 'kill_near_miss', { end: event.end.kind })]
  }

  #alert(event: PlanEvent): readonly Activity[] {
    if (event.type === 'inbox.opened' && event.item.subject === 'worker') {
      const { id, about: worker, task, problem } = event.item
      this.#alerts.add(id)
      return [{ event: 'alert_created', worker, task, data: { id, problem: cut(problem) } }]
    }
    if (event.type !== 'inbox.answered' && event.type !== 'inbox.withdrawn') return []
    return this.#alerts.delete(event.id) ? [planLine('alert_resolved', { id: event.id })] : []
  }
}
