/**
 * What is known of a coding agent, as data. Adding an agent is adding a row to rows.ts, and its variables to
 * core/settings/agent-variables.ts, where settings and registration need them as well.
 */
import type { AcpProfile, AgentProfile } from '../agent-table.ts'

export interface AgentRow {
  /** In `roles` of bosun.yaml. Its program has the same name. */
  readonly name: string
  readonly title: string
  /** Of npm, where the program in it has another name. */
  readonly package?: string
  /** Who makes it: a review by an agent of another maker is worth more. */
  readonly maker: string
  /** The version that the row was tried with. */
  readonly tried: string
  /** As a plain command: the brief on stdin, its work in the current folder. */
  readonly command: Profile & Pick<AgentProfile, 'command'>
  /** Over the Agent Client Protocol, which is how Bosun runs it where the protocol works and its adapter is installed. */
  readonly acp: Profile & {
    /** Its own command, or the package that speaks the protocol for it. */
    readonly start: readonly string[] | AcpAdapter
    readonly session: Partial<AcpProfile>
    readonly reading: NonNullable<AgentProfile['reading']>
  }
  /** What the names of its small models hold, the best first; empty where its models are anybody's. */
  readonly smallModels: readonly string[]
  readonly signIn: SignInRow
  /** Where its settings and its sign-in are; `~` is the user's home. */
  readonly folders: readonly string[]
  /** How its own sandbox is turned off where it cannot start within Bosun's; absent where it has none. */
  readonly ownSandbox?: {
    /** Whether it starts within walls that allow one. */
    readonly nests: boolean
    readonly off: {
      /** Words of its command, by those in whose place they are. */
      readonly words?: Readonly<Record<string, string>>
      readonly env: Readonly<Record<string, string>>
    }
  }
  /** What a user should know about what it may do, by protocol; null where it asks, or has a sandbox of its own. */
  readonly caution: Readonly<Record<'command' | 'acp', string | null>>
  /** Continues a session by hand, in its workspace. `{session}` is the id. */
  readonly resume: readonly string[]
}

type Profile = Omit<AgentProfile, 'protocol' | 'command' | 'acp' | 'maker' | 'otherwise' | 'drives'> &
  Required<Pick<AgentProfile, 'bare' | 'arguments'>>

export interface AcpAdapter {
  readonly package: string
  /** Exact. */
  readonly version: string
  /** The hash of its package in the registry, as `npm view PACKAGE dist.integrity` prints it. */
  readonly integrity: string
  readonly entry: string
  /** The variable with the path of the user's own program. */
  readonly programIn: string
}

export interface SignInRow {
  /** In order; the first that answers counts. None of them uses the network. */
  readonly checks: readonly SignInCheck[]
  /** What to do where it is not signed in. */
  readonly fix: string
}

export type SignedInBy = 'subscription' | 'key' | 'configuration'

export type SignInCheck =
  /** One of these variables is set. */
  | { readonly kind: 'variables'; readonly by: SignedInBy; readonly names: readonly string[] }
  /**
   * A file is there, and holds this. Of the paths, the first whose variable is set is meant: `$CODEX_HOME/auth.json`,
   * then `~/.codex/auth.json`.
   */
  | {
      readonly kind: 'file'
      readonly by: SignedInBy
      readonly paths: readonly string[]
      readonly holds: RegExp
    }
  /** Its own command says so. */
  | {
      readonly kind: 'program'
      readonly args: readonly string[]
      readonly reads: 'claude_auth_status' | 'codex_login_status'
    }
