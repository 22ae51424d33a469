/** Runs simulations for the command line: a plan, a seed, names of faults. */
import type { PlanEvent } from '../core/events/plan-events.ts'
import type { EventLog } from '../ports/event-log.ts'
import type { SimulationRequest, Simulated, Simulator } from '../ports/simulator.ts'
import { faultRates, FAULTS, parseFaults } from './faults.ts'
import { simulate } from './simulation.ts'

export function simulator(emptyLog: () => EventLog<PlanEvent>): Simulator {
  return {
    async simulate({ registered, seed, faults }: SimulationRequest): Promise<Simulated> {
      const parsed = parseFaults(faults)
      if (!parsed.ok) return { ok: false, unknown: parsed.unknown, known: FAULTS }
      const rates = faultRates(parsed.faults)
      const done = await simulate({ registered, seed, rates, log: emptyLog() })
      const violation = done.violation === null ? null : done.violation.what
      return { ok: true, result: { ...done, violation, faults: parsed.faults } }
    },
  }
}
