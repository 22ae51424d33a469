/** Chooses the commands: those configured, else those detected in the base, else those that the contract lets the work add. */
import {
  detectCommands,
  NO_COMMANDS,
  type DetectedCommands,
  type Listing,
} from '../../core/repository-facts/detect-commands.ts'
import type { Command, Environment, TestCommand } from '../../core/planning/plan.ts'
import { reportHintOf, type ReportHint } from '../../core/test-reports/test-report.ts'

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
  const inBase = base === null ? null : detectCommands(base).commands
  const inWork = allowed === null ? null : detectCommands(allowed).commands
  const found = (name: keyof DetectedCommands): Command | null =>
    inBase?.[name] ?? inWork?.[name] ?? NO_COMMANDS[name]
  const pick = <T>(name: keyof DetectedCommands, own: T | null | undefined): T | Command | null =>
    own === undefined ? found(name) : own
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
