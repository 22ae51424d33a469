/** Simulates a run of the plan: how long it takes, in which order, and where it would stop. */
import { rendered } from '../../core/events/activity.ts'
import { statusOf } from '../../core/state/life.ts'
import type { Plan } from '../../core/planning/plan.ts'
import { registration } from '../../core/state/register.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { refusal } from '../../lib/refusal.ts'
import type { SimulationOutcome, Simulator } from '../../ports/simulator.ts'

export type SimulationReport = ReturnType<typeof report>

export interface SimulatePlan {
  readonly plan: Plan
  readonly settings: Settings
  readonly seed: number
  readonly faults: string
  readonly simulator: Simulator
}

export async function simulatePlan(request: SimulatePlan): Promise<SimulationReport> {
  const { plan, settings, seed, faults } = request
  const registered = registration(plan, settings, { repo: 'simulated' })
  const done = await request.simulator.simulate({ registered, seed, faults })
  if (!done.ok) {
    throw refusal(
      'usage',
      `unknown fault: ${done.unknown.join(', ')}`,
      `Use none, all, or some of: ${Object.keys(done.known).join(', ')}.`,
    )
  }
  return report(plan, seed, done.result)
}

/** All times are simulated. */
function report(plan: Plan, seed: number, result: SimulationOutcome) {
  const { state, entries } = result
  const start = entries[0]?.at ?? 0
  // Clock jumps do not count as time taken.
  const { id, title, source } = plan.header
  return {
    plan: { id, title, source },
    seed,
    faults: result.faults,
    outcome: result.outcome.state,
    why: result.outcome.why,
    elapsed_ms: result.elapsedMs,
    pm_crashes: result.crashes,
    events: entries.length,
    tasks: [...state.tasks.values()].map((task) => ({
      id: task.spec.id,
      title: task.spec.title,
      status: statusOf(task.step),
      tier: task.tier,
      attempts: task.attempt,
      started_ms: task.dispatchedAt === null ? null : task.dispatchedAt - start,
      ended_ms: task.step === 'completed' ? task.stepSince - start : null,
    })),
    inbox: [...state.inbox.values()].map(({ item, since }) => ({
      ...item,
      plan: id,
      since_ms: since - start,
    })),
    timeline: entries.flatMap((entry) => {
      const { task, text, details } = rendered(entry)
      const more = details === undefined ? {} : { details }
      return text === null ? [] : [{ at_ms: entry.at - start, event: entry.event.type, task, text, ...more }]
    }),
    log_sha256: result.hash,
    /** Null unless Bosun broke one of its own rules. */
    violation: result.violation,
  }
}
