/**
 * What is known of a coding agent, as data. Adding an agent is adding a row to rows.ts, and its variables to
 * core/settings/agent-variables.ts, where settings and registration need them as well.
 */
import type { BareRun } from '../agent-table.ts'
import type { OutputFormat } from '../command/output-formats.ts'
import type { UsageReport } from '../worker-folder.ts'
import type { Environment } from '../../lib/process/built-environment.ts'
import type { SessionFiles } from '../worker-folder.ts'
import type { McpWay } from '../hand-mcp.ts'

export interface AgentRow {
  /** Its name in `roles` of bosun.yaml. */
  readonly name: string
  readonly title: string
  /** Who makes it: a review by an agent of another maker is worth more. */
  readonly maker: string
  /** Its program; the first of these names that is on the PATH. */
  readonly programs: readonly string[]
  /** Arguments that print its version. */
  readonly version: readonly string[]
  /** The version that the row was tried with. */
  readonly tried: string
  /** How Bosun runs it where it can; as a command where the protocol fails, or its adapter is not installed. */
  readonly protocol: 'command' | 'acp'
  readonly command: CommandRow
  readonly acp: AcpRow
  /** What the names of its small models hold, the best first; empty where its models are anybody's. */
  readonly smallModels: readonly string[]
  readonly signIn: SignInRow
  /** Where its settings and its sign-in are; `~` is the user's home. */
  readonly folders: readonly string[]
  /** What a user should know about what it may do, by protocol; null where it asks, or has a sandbox of its own. */
  readonly caution: Readonly<Record<'command' | 'acp', string | null>>
  /** Continues a session by hand, in its workspace; null where it cannot. `{session}` is the id. */
  readonly resume: readonly string[] | null
}

/** As a plain command: the brief on stdin, its work in the current folder. */
export interface CommandRow {
  readonly args: readonly string[]
  /** The option that lets it write to one more folder; null where it needs none. */
  readonly directories: string | null
  /** Without the user's own set-up. */
  readonly bare: BareRun
  /** The format of what it prints, from which its usage is read. */
  readonly prints: OutputFormat
  readonly reportsCost: boolean
  /** Arguments for a model and an effort, with `{model}` and `{effort}` for the value; null where it has none. */
  readonly model: readonly string[] | null
  readonly effort: readonly string[] | null
  /** How it takes an MCP server; null where it cannot. */
  readonly mcp: McpWay | null
}

/** Over the Agent Client Protocol. */
export interface AcpRow {
  /** Its own arguments, or the package that speaks the protocol for it. */
  readonly start: readonly string[] | AcpAdapter
  /** Beside its other environment. */
  readonly env: Environment
  readonly mode: string | null
  /** How it is kept from acting where it is asked a question. */
  readonly reading: ReadingRow
  /** How it is given a model and an effort: as an option of its session, or by arguments; null where it takes none. */
  readonly model: readonly string[] | 'session' | null
  readonly effort: readonly string[] | 'session' | null
  /**
   * The method to sign in with; null where it uses the user's sign-in by itself. Gemini CLI and Qwen Code delete the
   * user's sign-in when they are asked to use another.
   */
  readonly authenticate: string | null
  /** Without the user's own set-up. */
  readonly bare: BareRun
  readonly usage: UsageReport
  readonly reportsCost: boolean
  /** How it continues an earlier session; null where that does not work. */
  readonly continues: 'load' | 'resume' | null
  /** How an MCP server reaches it: with its session, or by its configuration. */
  readonly mcp: 'session' | McpWay | 'none'
  /** Whose session files hold the errors that it does not report; absent where it reports them. */
  readonly errorsIn?: SessionFiles
}

/** Beside this, every permission it asks for is answered by a policy that allows reading alone. */
export interface ReadingRow {
  /** Null: its own. */
  readonly mode: string | null
  /** Over its other environment. */
  readonly env: Environment
  /** Of its session. */
  readonly meta: Readonly<Record<string, unknown>>
}

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
      readonly holds?: RegExp
    }
  /** Its own command says so. */
  | {
      readonly kind: 'program'
      readonly args: readonly string[]
      readonly reads: 'claude_auth_status' | 'codex_login_status'
    }
