/**
 * A command as data: program.ts makes the command line, the help and the output from it. Definitions are loaded at
 * every start, so each imports its implementation lazily, inside `run`.
 */
import { terminalJson } from '../lib/text/terminal-text.ts'
import type { ExitName } from './exit-codes.ts'
import type { Services } from './services.ts'
import type { Style, Terminal } from './terminal/terminal.ts'

export interface CommandDefinition {
  readonly name: string
  /** One line, for the list of commands. */
  readonly summary: string
  /** `<plan>` is required, `[file]` optional. */
  readonly arguments?: readonly { readonly syntax: string; readonly help: string }[]
  /** `--seed <number>` takes a value, `--tour` is a flag. */
  readonly options?: readonly {
    readonly syntax: string
    readonly help: string
    /** May be repeated; `all` returns its values. */
    readonly repeats?: true
  }[]
  readonly examples: readonly { readonly line: string; readonly what: string }[]
  /** Computes without waiting: the default signal handling ends it at once on Ctrl-C. */
  readonly busy?: true
  /** Handles Ctrl-C, TERM and HUP itself, through `services.interruption`, always or for these arguments. */
  readonly detaches?: true | ((args: Call['args']) => boolean)
  /**
   * A worker may call it, always or with these arguments: it only reads, or is meant for workers. Every other command
   * refuses to run inside a worker.
   */
  readonly insideWorker?: true | ((args: Call['args']) => boolean)
  /** With `--json` it prints one object per line, always or with these arguments. */
  readonly lines?: true | ((args: Call['args']) => boolean)
  run(call: Call): Promise<CommandResult>
}

/** One call of a command. */
export interface Call {
  readonly terminal: Terminal
  readonly services: Services
  /** In the order of the definition's `arguments`; undefined where an optional one is absent. */
  readonly args: readonly (string | undefined)[]
  /** The value of an option, by its long name without dashes. */
  option(name: string): string | undefined
  /** The values of a repeatable option, in order. */
  all(name: string): readonly string[]
  flag(name: string): boolean
  /** `--json`: stdout carries one JSON document and nothing else. */
  readonly json: boolean
  /** False with `--no-input`. */
  readonly mayAsk: boolean
}

/** The result of a command: `document` is printed with `--json`, else `text`. */
export interface CommandResult<Document extends object = object> {
  readonly exit: ExitName
  /** An answer of the daemon as it is, where there is one. Printed after `"schema": "bosun.<command>/v1"`. */
  readonly document: Document
  readonly text: (style: Style) => string
}

/** The schema name of a command's JSON document. */
export const schemaOf = (command: string): string => `bosun.${command}/v1`

/** One object of a command that prints several, on a line of its own. */
export const jsonLine = (command: string, document: object): string =>
  `${terminalJson({ schema: schemaOf(command), ...document }, 'one line')}\n`
