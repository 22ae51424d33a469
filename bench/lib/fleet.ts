/** Fleets of simulated workers, each at a task of its own, run by the real rules and the real engine. */
import { eventCodec } from '../../src/core/events/codec.ts'
import type { EventOf, PlanEvent } from '../../src/core/events/plan-events.ts'
import type { Entry } from '../../src/ports/event-log.ts'
import { NO_FAULTS, type FaultRates } from '../../src/simulation/faults.ts'
import type { WorkerScript } from '../../src/simulation/scripted-agent.ts'
import { simulate, type SimulationOptions } from '../../src/simulation/simulation.ts'
import { MemoryEventLog } from '../../src/store/memory-event-log.ts'
import { aRegistration, low } from '../../test/helpers/plan-builder.ts'

/** What one worker does: who it is for, which attempt it is, and how long it may take. */
export type Fate = (who: { readonly task: number; readonly attempt: number }) => Partial<WorkerScript>

export interface Fleet {
  readonly seed: number
  readonly workers: number
  readonly limitMs: number
  readonly fate: Fate
  readonly rates?: FaultRates
  readonly pauses?: SimulationOptions['pauses']
}

export interface FleetEnd {
  readonly completed: number
  /** Workers that were sent, in all. */
  readonly attempts: number
  readonly entries: readonly Entry<PlanEvent>[]
}

/** Fails where a rule was broken: a healthy worker condemned, broken work landed, a person not asked. */
export async function runFleet({ seed, workers, limitMs, fate, rates, pauses }: Fleet): Promise<FleetEnd> {
  const tasks = Array.from({ length: workers }, (_, at) => low(String(at + 1), { timeBudgetMs: limitMs }))
  const settings = {
    maxParallelAgents: workers,
    reportEveryMs: 1000 * 3_600_000,
    reviewLow: 'checks' as const,
  }
  const { violation, entries, state } = await simulate({
    registered: aRegistration(tasks, { settings }),
    seed,
    rates: rates ?? NO_FAULTS,
    pauses,
    log: new MemoryEventLog(eventCodec),
    worker: ({ spec, attempt }, drawn) => ({ ...drawn, ...fate({ task: Number(spec.id), attempt }) }),
  })
  if (violation !== null) throw new Error(`seed ${seed}: ${violation.what}`)
  const completed = [...state.tasks.values()].filter(({ step }) => step === 'completed').length
  return { completed, attempts: eventsOf(entries, 'task.dispatched').length, entries }
}

export interface At<T> {
  readonly at: number
  readonly event: T
}

export function eventsOf<T extends PlanEvent['type']>(
  entries: readonly Entry<PlanEvent>[],
  type: T,
): readonly At<EventOf<T>>[] {
  return entries.flatMap(({ at, event }) =>
    event.type === type ? [{ at, event: event as unknown as EventOf<T> }] : [],
  )
}

/** The value below which this share of all lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length
