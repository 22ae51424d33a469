import type { PlanEvent } from '../../core/events/plan-events.ts'
import type { Agent, Specialist } from '../../ports/agent.ts'
import type { Brain } from '../../ports/brain.ts'
import type { GateRunner, IntegrationRunner } from '../../ports/gate-runner.ts'
import type { BaselineTaker, Workspace } from '../../ports/workspace.ts'

/** The ports that performers use. */
export interface World {
  readonly takeBaseline: BaselineTaker
  readonly agent: Agent
  readonly gates: GateRunner
  readonly integration: IntegrationRunner
  readonly brain: Brain
  readonly workspace: Workspace
  /** The change of a draft as a diff, within limits; absent where the world has no files. */
  readonly changeText?: (draft: {
    readonly task: string
    readonly attempt: number
    readonly tree: string
  }) => Promise<string>
  /** Absent where only people can be asked. */
  readonly specialist?: Specialist | undefined
}

export const NO_LONGER_OWED = 'no longer owed'

export interface Performance {
  readonly world: World
  readonly plan: { readonly id: string; readonly design: string | null }
  /** Aborted when the effect is no longer owed, with that as the reason, and when the engine lets go of it. */
  readonly signal: AbortSignal
}

/**
 * Performs one effect and returns the resulting events.
 * - It may be called again for the same effect after a crash, and must be idempotent.
 * - It decides nothing: its events are proposals until the core accepts them.
 * - It rejects when it fails; the effect is then retried later.
 */
export type Performer<E> = (effect: E, performance: Performance) => Promise<readonly PlanEvent[]>
