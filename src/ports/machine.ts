/** Facts about the machine and the working directory. */
import type { Problem } from '../core/planning/plan.ts'
import type { BrainFinding } from '../core/settings/brain-settings.ts'
import type { BrainDescription, ServiceHealth } from './brain.ts'
import type { SandboxFinding } from './sandbox.ts'

export type StateRootFinding =
  | {
      readonly kind: 'usable'
      readonly path: string
      readonly lock: LockFinding
      readonly token: TokenFinding
      /** Problems of the database; empty where there are none, or no database yet. */
      readonly database: readonly FoundProblem[]
      /** Damaged files in the folders of workers. */
      readonly workers: readonly FoundProblem[]
    }
  | { readonly kind: 'unusable'; readonly path: string; readonly why: string; readonly remedy: string }

export interface FoundProblem {
  readonly message: string
  readonly remedy: string
}

/** The file of the user's token. `none`: nothing was done here yet. */
export interface TokenFinding {
  readonly path: string
  readonly state: 'ok' | 'none' | 'missing' | 'damaged' | 'exposed'
}

/** Whether a process holds the lock of this state root; `pid` is null when it is unknown. */
export type LockFinding = { readonly kind: 'free' } | { readonly kind: 'held'; readonly pid: number | null }

/** The daemon's health, seen from outside; `lastLoop` is when it was last known to be healthy. */
export type DaemonFinding =
  | { readonly kind: 'none' }
  | { readonly kind: 'serving'; readonly pid: number }
  | { readonly kind: 'dead'; readonly pid: number; readonly lastLoop: Date }
  /** It runs and does not respond. */
  | ({ readonly kind: 'silent' } & FoundProblem)

export type RepositoryFinding =
  | { readonly kind: 'none' }
  /** The working directory was removed. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'unreadable'; readonly root: string; readonly why: string }
  | {
      readonly kind: 'found'
      readonly root: string
      /** Null for a detached HEAD. */
      readonly branch: string | null
      readonly hasCommits: boolean
      readonly changedFiles: number
    }

/** A reason why a run here would be refused; one about budgets, models, the brain or what is inherited is only warned of. */
export interface StartRefusal {
  readonly about: 'repository' | 'agents' | 'daemon' | 'budgets' | 'inherit' | 'models' | 'brain'
  readonly message: string
  readonly remedy: string
}

export type SettingsFinding =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'valid'
      readonly file: string
      readonly agents: readonly NamedAgent[]
      readonly brain: BrainFinding
      readonly sandbox: 'contain' | 'off'
    }
  | { readonly kind: 'invalid'; readonly problems: readonly Problem[] }

export interface BrainFound {
  readonly description: BrainDescription
  /** Null where it was not tried. */
  readonly health: ServiceHealth | null
}

/** How people would be notified here. */
export interface NoticesFinding {
  readonly on: readonly string[]
  /** The program that shows notices on the desktop; null where there is none. */
  readonly desktop: { readonly isWanted: boolean; readonly program: string | null }
  readonly webhook: { readonly host: string; readonly isSigned: boolean } | null
  readonly command: { readonly text: string; readonly problem: string | null } | null
  readonly quiet: string | null
}

/** An agent of bosun.yaml, and whether its program exists. */
export interface NamedAgent {
  readonly name: string
  readonly program:
    | { readonly ok: true; readonly file: string }
    | { readonly ok: false; readonly why: string }
}

/** How an agent is signed in. `detail` is the variable, file or method, or why it is unknown. */
export interface AgentSignIn {
  readonly by: 'subscription' | 'key' | 'configuration' | 'none' | 'unknown'
  readonly detail: string | null
}

/** A coding agent that Bosun knows and that is on the PATH. */
export interface FoundAgent {
  readonly name: string
  readonly title: string
  readonly path: string
  /** Null where it did not say. */
  readonly version: string | null
  /** The version that Bosun was tried with. */
  readonly tried: string
  /** Where its settings and its sign-in are; `~` is the user's home. */
  readonly folders: readonly string[]
  readonly signIn: AgentSignIn
  /** How Bosun drives it. */
  readonly protocol: 'command' | 'acp'
  /** The package that speaks the Agent Client Protocol for it; null where it needs none. */
  readonly adapter: AgentAdapter | null
  /** Whether it has a sandbox of its own that it starts within Bosun's. */
  readonly ownSandbox?: boolean | undefined
  /** What to do before it can work; null where there is nothing. */
  readonly fix: string | null
  /** What a user should know about what it may do; null where there is nothing. */
  readonly caution: string | null
  /** What the names of its small models hold, the best first; empty where that is not known. */
  readonly smallModels: readonly string[]
}

export interface AgentAdapter {
  readonly package: string
  readonly version: string
  readonly isInstalled: boolean
}

/** An adapter in the state root. */
export interface InstalledAdapter {
  /** The agent it is for. */
  readonly agent: string
  readonly package: string
  readonly version: string
  readonly folder: string
  /** `present`: it was there before. */
  readonly outcome: 'installed' | 'present'
}

/** The checks of `doctor`. None of them throws. */
export interface Machine {
  readonly nodeVersion: string
  readonly sqliteVersion: string
  /** Null when git cannot be run. */
  gitVersion(): Promise<string | null>
  stateRoot(): Promise<StateRootFinding>
  daemon(): Promise<DaemonFinding>
  repository(): Promise<RepositoryFinding>
  settings(): Promise<SettingsFinding>
  /** Further reasons why a run here would be refused; none outside a repository. */
  startRefusals(): Promise<readonly StartRefusal[]>
  /** The coding agents on the PATH, in the order in which Bosun takes one. Asks each for its version. */
  agents(): Promise<readonly FoundAgent[]>
  /** Who answers questions here; with `tries`, an agent's session is opened. Null where the settings are invalid. */
  brain(how: { readonly tries: boolean }): Promise<BrainFound | null>
  /** Null where notices are turned off, or the settings are invalid. */
  notices(): Promise<NoticesFinding | null>
  /** What keeps a worker within its walls; started once to find out. */
  sandbox(): Promise<SandboxFinding>
}

/** What the working directory contains, without running anything. */
export interface Surroundings {
  /** The root of the repository, or null outside a repository. */
  readonly repository: string | null
  readonly settings: 'absent' | 'valid' | 'invalid'
  /** The plans found, as paths relative to the working directory. */
  readonly plans: readonly string[]
}
