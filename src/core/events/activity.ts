import { definitionOf, type PlanEvent } from './plan-events.ts'
import { cut, fact, type Fact, type Rendered } from './rendering.ts'

/** The parts of a log entry that are read here. */
export interface ActivityFact {
  readonly version: number
  readonly event: PlanEvent
}

export const rendered = ({ event, version }: ActivityFact): Rendered =>
  definitionOf(event.type).render(event, version)

/**
 * Renders one plan's events in order, with what follows from several of them. It remembers only which workers are condemned, so
 * that a worker that finishes first shows as a near miss, and which items are alerts.
 */
export class ActivityReader {
  readonly #condemned = new Set<string>()
  readonly #alerts = new Set<string>()

  read(entry: ActivityFact): Rendered {
    const own = rendered(entry)
    return { ...own, facts: [...this.#nearMiss(entry.event), ...own.facts, ...this.#alert(entry.event)] }
  }

  #nearMiss(event: PlanEvent): readonly Fact[] {
    // A worker that is stopped after its report is not killed, so it cannot be a near miss.
    if (event.type === 'worker.condemned' && event.cause !== 'finished') this.#condemned.add(event.worker)
    if (event.type !== 'worker.ended' || !this.#condemned.delete(event.worker)) return []
    const { kind } = event.end
    const text = `near miss: ${event.worker} finished before it could be stopped`
    return kind === 'stopped' ? [] : [fact('kill_near_miss', { end: kind }, text)]
  }

  #alert(event: PlanEvent): readonly Fact[] {
    if (event.type === 'inbox.opened' && event.item.subject === 'worker') {
      const { id, about: worker, problem } = event.item
      this.#alerts.add(id)
      return [{ ...fact('alert_created', { id, problem: cut(problem) }), worker }]
    }
    if (event.type !== 'inbox.answered' && event.type !== 'inbox.withdrawn') return []
    return this.#alerts.delete(event.id) ? [fact('alert_resolved', { id: event.id })] : []
  }
}
