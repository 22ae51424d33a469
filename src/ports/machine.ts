/** What Bosun finds out about the machine it runs on and the place it was called from. */
import type { Problem } from '../core/planning/plan.ts'

export type StateRootFinding =
  | {
      readonly kind: 'usable'
      readonly path: string
      readonly lock: LockFinding
      /** What is wrong with the database; empty where nothing is, or where there is none yet. */
      readonly database: readonly FoundProblem[]
    }
  | { readonly kind: 'unusable'; readonly path: string; readonly why: string; readonly remedy: string }

export interface FoundProblem {
  readonly message: string
  readonly remedy: string
}

/** Whether a Bosun is at work on this state; `pid` is null when it cannot be told which. */
export type LockFinding = { readonly kind: 'free' } | { readonly kind: 'held'; readonly pid: number | null }

/** How the daemon is, seen from outside; `lastLoop` is when it was last known to be well. */
export type DaemonFinding =
  | { readonly kind: 'none' }
  | { readonly kind: 'serving'; readonly pid: number }
  | { readonly kind: 'dead'; readonly pid: number; readonly lastLoop: Date }
  | {
      readonly kind: 'silent'
      readonly pid: number
      readonly lastLoop: Date
      /** It was stopped by a signal, its token is not to be had, or it is busy or stuck. */
      readonly why: 'frozen' | 'no_token' | 'busy'
    }

export type RepositoryFinding =
  | { readonly kind: 'none' }
  /** The folder one stands in was removed. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'unreadable'; readonly root: string; readonly why: string }
  | {
      readonly kind: 'found'
      readonly root: string
      /** Null when no branch is checked out. */
      readonly branch: string | null
      readonly hasCommits: boolean
      readonly changedFiles: number
    }

/** Something for which a run here would be refused. */
export interface StartRefusal {
  readonly about: 'repository' | 'agents' | 'daemon'
  readonly message: string
  readonly remedy: string
}

export type SettingsFinding =
  | { readonly kind: 'absent' }
  | { readonly kind: 'valid'; readonly file: string; readonly agents: readonly NamedAgent[] }
  | { readonly kind: 'invalid'; readonly problems: readonly Problem[] }

/** An agent of bosun.yaml, and whether its program is there. */
export interface NamedAgent {
  readonly name: string
  readonly program:
    | { readonly ok: true; readonly file: string }
    | { readonly ok: false; readonly why: string }
}

/** What doctor asks of the machine and of the place Bosun was called from. None of it throws. */
export interface Machine {
  readonly nodeVersion: string
  readonly sqliteVersion: string
  /** Null when git cannot be run. */
  gitVersion(): Promise<string | null>
  stateRoot(): Promise<StateRootFinding>
  daemon(): Promise<DaemonFinding>
  repository(): Promise<RepositoryFinding>
  settings(): Promise<SettingsFinding>
  /** What else a run here would be refused for; nothing outside of a repository. */
  startRefusals(): Promise<readonly StartRefusal[]>
  /** The path of a program, which is not run. */
  find(program: string): Promise<string | null>
  /** How the processes of a worker are held together. */
  containment(): Promise<'namespace' | 'group'>
}

/** What can be seen from where one stands, without running anything. */
export interface Surroundings {
  /** The root of the repository, or null outside of any. */
  readonly repository: string | null
  readonly settings: 'absent' | 'valid' | 'invalid'
  /** Plans found, as paths from where one stands. */
  readonly plans: readonly string[]
}
