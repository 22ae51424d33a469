/** Chooses the commands: those configured, else those detected in the base, else those that the contract lets the work add. */
import type { MachinePlace } from '../../core/gates/secrets/machine-places.ts'
import {
  detectCommands,
  NO_COMMANDS,
  type DetectedCommands,
  type Listing,
} from '../../core/repository-facts/detect-commands.ts'
import type { Command, Environment, TestCommand } from '../../core/planning/plan.ts'
import { reportHintOf, type ReportHint } from '../../core/test-reports/test-report.ts'
import { createHash } from 'node:crypto'
import { commandText } from '../../core/test-reports/runner.ts'
import type { Environment as ProcessEnvironment } from '../../lib/process/built-environment.ts'
import type { CheckSlots } from './check-slots.ts'
import type { HeldSecret } from '../../core/gates/secrets/secret-values.ts'
import type { Redactor } from '../../lib/text/redactor.ts'
import type { PortLeases } from '../../lib/files/port-leases.ts'
import type { Changes, Checkouts } from '../../ports/checkouts.ts'
import type { TrialEnvironment } from '../../ports/command-trial.ts'
import type { Parser } from '../../ports/parser.ts'
import type { WallsFor } from '../../ports/sandbox.ts'
import type { HomeCaches } from '../gate-homes.ts'

export interface Commands {
  readonly setup: Command | null
  /** The whole suite, and how its report is read. */
  readonly test: { readonly command: Command; readonly hint: ReportHint } | null
  readonly lint: Command | null
  readonly typecheck: Command | null
  readonly build: Command | null
}

/**
 * A worker may not choose the command that judges it. `allowed` is the work with protected files restored; it only fills
 * commands that the base lacks, so that new projects work.
 */
export function commandsFor(
  configured: Partial<Environment>,
  base: Listing | null,
  allowed: Listing | null,
): { readonly commands: Commands; readonly warnings: readonly string[] } {
  const inBase = base === null ? NO_COMMANDS : detectCommands(base).commands
  const inWork = allowed === null ? NO_COMMANDS : detectCommands(allowed).commands
  const pick = <T>(name: keyof DetectedCommands, own: T | null | undefined): T | Command | null =>
    own === undefined ? (inBase[name] ?? inWork[name]) : own
  const test = pick('test', configured.test)
  const commands: Commands = {
    setup: pick('setup', configured.setup),
    test: test === null ? null : suiteOf(test),
    lint: pick('lint', configured.lint),
    typecheck: pick('typecheck', configured.typecheck),
    build: pick('build', configured.build),
  }
  const missing = (['test', 'lint', 'typecheck', 'build'] as const).filter(
    (name) => configured[name] === undefined && commands[name] === null,
  )
  return { commands, warnings: missing.map((name) => `no ${name} command found`) }
}

function suiteOf(test: TestCommand): Commands['test'] {
  const { command, report } =
    typeof test === 'string' || !('command' in test) ? { command: test, report: undefined } : test
  return { command, hint: reportHintOf(report) }
}

/** Increases when Bosun runs commands in a different way. */
const VERSION = 1
/** These differ per checkout; only their presence counts. */
const FRESH = /^(TMPDIR|HOME|PORT|BOSUN_PORT.*|XDG_.*)$/

/** Hashes the definition of a run (command, setup, environment), to show whether two verdicts are comparable. */
export function definitionSha256(of: {
  readonly command: Command
  readonly setup: Command | null
  readonly env: ProcessEnvironment
}): string {
  const env = Object.entries(of.env)
    .map(([name, value]) => [name, FRESH.test(name) ? '' : value] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  const setup = of.setup === null ? null : commandText(of.setup)
  const definition = JSON.stringify([VERSION, commandText(of.command), setup, env])
  return createHash('sha256').update(definition).digest('hex')
}

export interface Installed {
  readonly tree: string
  readonly root: string
  readonly setup: string
  /** New files and folders. */
  readonly entries: readonly string[]
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
  /** Around every command; there are none if absent. */
  readonly walls?: WallsFor | undefined
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
  /** What compilers leave in the baseline's home for those of gates; each begins empty if absent. */
  readonly homeCaches?: HomeCaches | undefined
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
  /** Absolute paths of this machine, which no tree may name. */
  readonly places?: readonly MachinePlace[] | undefined
  /** Takes the values of secrets out of all that is kept of a run; none are held if absent. */
  readonly hide?: Redactor | undefined
  /** Secrets known to Bosun that must not land in a tree. */
  readonly knownSecrets?: (draft: {
    readonly task: string
    readonly attempt: number
  }) => readonly HeldSecret[]
}
