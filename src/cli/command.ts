/**
 * A command as data: program.ts makes the command line, the help and the output from it. Definitions are loaded at
 * every start, so each imports its implementation lazily, inside `run`.
 */
import { usageRefusal, type RefusalCode } from '../lib/refusal.ts'
import { terminalJson } from '../lib/text/terminal-text.ts'
import type { Services } from './services.ts'
import type { Style, Terminal } from './terminal/terminal.ts'

/** For every call, or for these arguments. */
type When = true | ((args: Call['args']) => boolean)
export const holds = (when: When | undefined, args: Call['args']): boolean =>
  typeof when === 'function' ? when(args) : when === true

export interface CommandDefinition {
  readonly name: string
  /** One line, for the list of commands. */
  readonly summary: string
  /** The help of each: `<plan>` is required, `[file]` optional. */
  readonly arguments?: Readonly<Record<string, string>>
  /** The help of each: `--seed <number>` takes a value, `--tour` is a flag. */
  readonly options?: Readonly<Record<string, string>>
  /** Those of them that may be repeated; `all` returns their values. */
  readonly repeatable?: readonly string[]
  /** What each line does. */
  readonly examples: Readonly<Record<string, string>>
  /** Computes without waiting: the default signal handling ends it at once on Ctrl-C. */
  readonly busy?: true
  /** Handles Ctrl-C, TERM and HUP itself, through `services.interruption`. */
  readonly detaches?: When
  /** A worker may call it: it only reads, or is meant for workers. Every other call is refused inside a worker. */
  readonly insideWorker?: When
  /** With `--json` it prints one object per line. */
  readonly lines?: When
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

/** `text`: empty where all was printed before. */
export const resultOf = <Document extends object>(
  document: Document,
  text: string | CommandResult['text'] = '',
  exit: ExitName = 'ok',
): CommandResult<Document> => ({ exit, document, text: typeof text === 'string' ? () => text : text })

/** What the exit code of every command means; scripts depend on these numbers. */
export const EXIT_CODES = {
  ok: 0,
  failed: 1,
  usage: 2,
  not_found: 3,
  conflict: 4,
  needs_person: 10,
  gate_failed: 11,
  no_daemon: 12,
  budget: 13,
  no_agent: 14,
  interrupted: 130,
} as const satisfies Record<RefusalCode | 'ok' | 'interrupted', number>

export type ExitName = keyof typeof EXIT_CODES

/** The schema name of a command's JSON document. */
export const schemaOf = (command: string): string => `bosun.${command}/v1`

/** One object of a command that prints several, on a line of its own. */
export const jsonLine = (command: string, document: object): string =>
  `${terminalJson({ schema: schemaOf(command), ...document }, 'one line')}\n`

/** Whether a person is at the terminal who can be asked. */
export const isAttended = ({ terminal, json, mayAsk }: Call): boolean =>
  mayAsk && !json && terminal.input === 'terminal'

/** The same, and what is printed is seen by them. */
export const isSeen = (call: Call): boolean => isAttended(call) && call.terminal.output === 'terminal'

/** What a command does for the action that it is called with. Throws a Refusal (`usage`) for one that it does not have. */
export function actionOf<Act>(
  { args: [name = ''] }: Call,
  acts: Readonly<Record<string, Act>>,
  usage: string,
): Act {
  const act = Object.hasOwn(acts, name) ? acts[name] : undefined
  if (act === undefined) throw usageRefusal(`unknown action "${name}"`, usage)
  return act
}

/** The worker this process runs in; null outside a worker. */
export function workerIn(env: Terminal['env']): string | null {
  const id = env['BOSUN_WORKER_ID'] ?? ''
  return id === '' ? null : id
}

/** Inside a worker only commands for workers and read-only commands may run: throws a Refusal (`usage`) for others. */
export function refuseInsideWorker(
  { name, insideWorker }: Pick<CommandDefinition, 'name' | 'insideWorker'>,
  args: Call['args'],
  env: Terminal['env'],
): void {
  const worker = workerIn(env)
  if (worker === null || holds(insideWorker, args)) return
  throw usageRefusal(
    `bosun ${name} cannot run inside worker ${worker}: only the user may call it`,
    'Workers use `bosun request` and `bosun report`. If you are the user, unset BOSUN_WORKER_ID.',
  )
}
