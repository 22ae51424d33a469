/**
 * A command of Bosun, as data: the frame (program.ts) makes the command line, the help and the output of it.
 * A definition is loaded at every start, so it imports its work lazily, inside `run`.
 */
import type { ExitName } from './exit-codes.ts'
import type { Parts } from './services.ts'
import type { Style, Terminal } from './terminal/terminal.ts'

export interface CommandDefinition {
  readonly name: string
  /** One line, for the list of commands. */
  readonly summary: string
  /** `<plan>` must be given, `[file]` may be. */
  readonly arguments?: readonly { readonly syntax: string; readonly help: string }[]
  /** `--seed <number>` takes a value, `--tour` is a flag. */
  readonly options?: readonly {
    readonly syntax: string
    readonly help: string
    /** It may be given more than once; `all` gives its values. */
    readonly repeats?: true
  }[]
  readonly examples: readonly { readonly line: string; readonly what: string }[]
  /** Computes without waiting: Ctrl-C is left to the system, which ends it at once. */
  readonly busy?: true
  /** Ctrl-C, TERM and HUP are its own to handle, through `parts.interruption`; or so it says of these arguments. */
  readonly detaches?: true | ((args: Call['args']) => boolean)
  /**
   * A worker may call it, or may with these arguments: it only reads, or it is the worker's own. Every other command
   * refuses to run inside a worker.
   */
  readonly insideWorker?: true | ((args: Call['args']) => boolean)
  /** With `--json` it prints one object a line. */
  readonly lines?: true
  run(call: Call): Promise<CommandResult>
}

/** One call of a command. */
export interface Call {
  readonly terminal: Terminal
  readonly parts: Parts
  /** In the order of the definition's `arguments`; undefined where an optional one is absent. */
  readonly args: readonly (string | undefined)[]
  /** The value of an option, by its long name without dashes. */
  option(name: string): string | undefined
  /** The values of an option that may be given more than once, in their order. */
  all(name: string): readonly string[]
  flag(name: string): boolean
  /** `--json`: stdout carries one JSON document and nothing else. */
  readonly json: boolean
  /** False with `--no-input`: nothing may be asked. */
  readonly mayAsk: boolean
}

/** What came of it. The frame prints `document` with `--json`, else `text`. */
export interface CommandResult {
  readonly exit: ExitName
  /** The frame puts `"schema": "bosun.<command>/v1"` before it. */
  readonly document: Readonly<Record<string, unknown>>
  readonly text: (style: Style) => string
}

/** Every JSON document says what it is. */
export const schemaOf = (command: string): string => `bosun.${command}/v1`
