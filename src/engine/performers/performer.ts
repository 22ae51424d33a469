import type { PlanEvent } from '../../core/events/plan-events.ts'
import type { Agent } from '../../ports/agent.ts'
import type { Brain } from '../../ports/brain.ts'
import type { GateRunner } from '../../ports/gate-runner.ts'
import type { HumanReviewer } from '../../ports/human-reviewer.ts'
import type { IntegrationRunner } from '../../ports/integration-runner.ts'
import type { Notifier } from '../../ports/notifier.ts'
import type { Workspace } from '../../ports/workspace.ts'

/** The world as performers reach it. */
export interface World {
  readonly agent: Agent
  readonly gates: GateRunner
  readonly integration: IntegrationRunner
  readonly human: HumanReviewer
  readonly brain: Brain
  readonly workspace: Workspace
  readonly notifier: Notifier
}

export interface Performance {
  readonly world: World
  readonly plan: { readonly id: string; readonly design: string | null }
  /** Aborted when the effect is no longer owed. */
  readonly signal: AbortSignal
}

/**
 * Does one thing to the world and says what came of it.
 * - It may be asked again for the same effect, after a crash, and must then come to the same end.
 * - It decides nothing: what it says is a proposal until the core has admitted it.
 * - It rejects when it could not do its work; it is then tried again later.
 */
export type Performer<E> = (effect: E, performance: Performance) => Promise<readonly PlanEvent[]>
