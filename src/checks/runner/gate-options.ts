import type { CheckSlots } from './check-slots.ts'
import type { HeldSecret } from '../../core/gates/secrets/held-values.ts'
import type { Environment } from '../../core/planning/plan.ts'
import type { PortLeases } from '../../lib/system/port-leases.ts'
import type { Changes, Checkouts } from '../../ports/checkouts.ts'
import type { Parser } from '../../ports/parser.ts'
import type { HomePool } from './home-pool.ts'

/** `environment` of bosun.yaml or the plan. A command that is left out is detected, null is none. */
export type GateEnvironment = Partial<Environment> & {
  readonly env_files?: readonly string[] | undefined
  readonly ports?: number | undefined
}

export interface GateOptions {
  /** Dependencies that no lock file pins are used again within this plan only. */
  readonly plan?: string
  readonly checkouts: Checkouts
  readonly changes: Changes
  readonly parser: Parser
  readonly environment: GateEnvironment
  /** Where whole outputs are kept, by their hash. */
  readonly evidenceDir: string
  /** Dependencies per lock file, and results of trees that work started from. Never given to a worker. */
  readonly cacheDir: string
  /** The user's work tree, where `env_files` come from. */
  readonly envFilesFrom: string | null
  /** Where all who run on this machine get their ports; those of this runner alone, when absent. */
  readonly ports?: PortLeases | undefined
  /** Room for checks on this machine, shared with whoever else runs some; without end, when absent. */
  readonly checkSlots?: CheckSlots | undefined
  /** Where homes that came back clean are kept; nowhere, when absent. */
  readonly homes?: HomePool | undefined
  /** What Bosun was started with. */
  readonly processEnv: Readonly<Record<string, string | undefined>>
  /** Of one command. */
  readonly timeoutMs: number
  /** review.require_tests_pass: `false` waves through tests that failed at the baseline too. */
  readonly requireTestsPass: boolean
  /** How often failed and new tests are run once more, to find those that come and go. */
  readonly reruns: number
  /** For which tasks faults are put into the change, to see whether the tests notice; and how long that may take. */
  readonly mutation: { readonly of: 'critical' | 'all' | 'off'; readonly limitMs: number }
  /** Ids of the plan's tasks that are still to come, whatever the time. */
  readonly followUps: () => readonly string[]
  /** Folders with what Bosun writes itself: nobody left anything for later there. */
  readonly ownFolders: readonly string[]
  /** What Bosun holds that must not land in a tree, for whoever worked; nothing where absent. */
  readonly knownSecrets?: (draft: {
    readonly task: string
    readonly attempt: number
  }) => readonly HeldSecret[]
}
