import type { CheckSlots } from './check-slots.ts'
import type { HeldSecret } from '../../core/gates/secrets/held-values.ts'
import type { CommandShells } from '../../lib/process/command-shells.ts'
import type { PortLeases } from '../../lib/files/port-leases.ts'
import type { ReturnedFolders } from '../../lib/folders/returned-folders.ts'
import type { Changes, Checkouts } from '../../ports/checkouts.ts'
import type { TrialEnvironment } from '../../ports/command-trial.ts'
import type { Parser } from '../../ports/parser.ts'
import type { HomeCaches } from '../homes/home-caches.ts'
import type { HomePool } from '../homes/home-pool.ts'

export interface Installed {
  readonly tree: string
  readonly root: string
  readonly setup: string
  /** New files and folders. */
  readonly entries: readonly string[]
  /** Where gates keep copies of what the install left, if they do. */
  readonly keptAt: string | null
}

export interface GateOptions {
  /** Dependencies without a lock file are reused only within this plan. */
  readonly plan?: string
  readonly checkouts: Checkouts
  readonly changes: Changes
  readonly parser: Parser
  readonly environment: TrialEnvironment
  /** Told what an install left in the start commit of the plan, before anything else runs there. */
  readonly onInstalled?: (install: Installed) => Promise<void>
  /** Where full outputs are stored, by hash. */
  readonly evidenceDir: string
  /** Dependencies per lock file and results per tree. */
  readonly cacheDir: string
  /** The user's work tree, where `env_files` come from. */
  readonly envFilesFrom: string | null
  /** Port leases shared across plans; private to this runner if absent. */
  readonly ports?: PortLeases | undefined
  /** Slots for concurrent checks, shared across plans; unlimited if absent. */
  readonly checkSlots?: CheckSlots | undefined
  /** The pool of reusable copies of dependencies, which lies beside `cacheDir`; none is reused if absent. */
  readonly returned?: ReturnedFolders | undefined
  /** What compilers leave in the baseline's home for those of gates; each begins empty if absent. */
  readonly homeCaches?: HomeCaches | undefined
  /** The pool of reusable homes; none is reused if absent. */
  readonly homes?: HomePool | undefined
  /** Start its commands; they are started directly if absent. */
  readonly shells?: CommandShells | undefined
  /** Environment variables of Bosun; only those that programs need are passed on. */
  readonly processEnv: Readonly<Record<string, string | undefined>>
  /** Per command. */
  readonly timeoutMs: number
  /** How often failed and new tests are rerun to find flaky ones. */
  readonly reruns: number
  /** Which tasks get mutation testing, and its time limit. */
  readonly mutation: { readonly of: 'critical' | 'all' | 'off'; readonly limitMs: number }
  /** Ids of the plan's tasks that are not done yet. */
  readonly followUps: () => readonly string[]
  /** Folders that Bosun writes itself; TODOs there are ignored. */
  readonly ownFolders: readonly string[]
  /** Secrets known to Bosun that must not land in a tree. */
  readonly knownSecrets?: (draft: {
    readonly task: string
    readonly attempt: number
  }) => readonly HeldSecret[]
}
