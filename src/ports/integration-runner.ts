import type { RunIntegration } from '../core/effects.ts'
import type { EventOf } from '../core/events/plan-events.ts'

/**
 * Runs a layer's integration tests and compares their values with the references.
 * - It answers with exactly one result for each test, in that order.
 * - A command that could not run, or a value that is missing, is `inconclusive` or `failed`, never `passed`.
 */
export interface IntegrationRunner {
  run(request: RunIntegration, signal: AbortSignal): Promise<EventOf<'integration.ran'>['results']>
}
