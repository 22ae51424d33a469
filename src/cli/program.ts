/** Runs one command: parses the arguments, calls the command, prints its result once, returns the exit code. */
import { errorDocument } from '../client/error-document.ts'
import { Refusal } from '../lib/refusal.ts'
import { terminalJson, terminalText, terminalTextWithColours } from '../lib/text/terminal-text.ts'
import {
  EXIT_CODES,
  holds,
  refuseInsideWorker,
  resultOf,
  schemaOf,
  type Call,
  type CommandDefinition,
  type CommandResult,
} from './command.ts'
import { parseCommandLine, type CommandInput, type GlobalFlags, type Request } from './command-line.ts'
import { errorText, explainError } from './explain-error.ts'
import type { Services } from './services.ts'
import type { Terminal } from './terminal/terminal.ts'

export interface Program {
  readonly version: string
  readonly commands: readonly CommandDefinition[]
  /** What a bare `bosun` does. */
  readonly overview: CommandDefinition
  readonly terminal: Terminal
  readonly services: Services
  readonly flags: GlobalFlags
  /** Called before a command that waits, so that Ctrl-C ends it with the right exit code. */
  onWaiting(): void
}

export async function runProgram(program: Program, argv: readonly string[]): Promise<number> {
  let shape: JsonShape = 'indented'
  try {
    const request = readLine(program, argv)
    if (request.kind === 'run') shape = shapeOf(request.definition, request.input.args)
    return await answer(program, request)
  } catch (error) {
    return reportError(error, program.terminal, { ...program.flags, shape })
  }
}

/** Prints an error to stderr, or with `--json` as the one document on stdout. */
export async function reportError(
  error: unknown,
  terminal: Terminal,
  flags: Pick<GlobalFlags, 'json'> & { readonly shape?: JsonShape },
): Promise<number> {
  const report = explainError(error)
  if (terminal.env['BOSUN_DEBUG'] === '1' && error instanceof Error)
    terminal.printMessage(`${stackOf(error)}\n`)
  if (flags.json) await terminal.print(`${terminalJson(errorDocument(report), flags.shape)}\n`)
  else terminal.printMessage(terminalTextWithColours(errorText(report, terminal.messageStyle)))
  return EXIT_CODES[report.code === 'internal' ? 'failed' : report.code]
}

function readLine(program: Program, argv: readonly string[]): Request {
  if (argv.length === 0)
    return { kind: 'run', definition: program.overview, input: { args: [], options: {} } }
  return parseCommandLine(argv, program.commands, program.version)
}

async function answer(program: Program, request: Request): Promise<number> {
  switch (request.kind) {
    case 'help':
      return print(program, { name: 'help' }, resultOf({ text: request.text }, request.text))
    case 'version': {
      const { version } = program
      return print(program, { name: 'version' }, resultOf({ version }, `${version}\n`))
    }
    case 'run': {
      const { definition, input } = request
      refuseInsideWorker(definition, input.args, program.terminal.env)
      if (definition.busy === undefined && !holds(definition.detaches, input.args)) program.onWaiting()
      const result = await definition.run(callOf(program, input))
      return print(program, { ...definition, args: input.args }, result)
    }
  }
}

function callOf(program: Program, input: CommandInput): Call {
  return {
    terminal: program.terminal,
    services: program.services,
    args: input.args,
    json: program.flags.json,
    mayAsk: !program.flags.noInput,
    flag: (name) => input.options[camelCase(name)] === true,
    all: (name) => {
      const values = input.options[camelCase(name)]
      return Array.isArray(values) ? values.map(String) : []
    },
    option: (name) => {
      const value = input.options[camelCase(name)]
      return typeof value === 'string' ? value : undefined
    },
  }
}

/** commander stores `--max-events` as `maxEvents`. */
function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** Prints a result once; returns the exit code. */
async function print(
  program: Program,
  command: Pick<CommandDefinition, 'name' | 'lines'> & { readonly args?: Call['args'] },
  result: CommandResult,
): Promise<number> {
  const { terminal, flags } = program
  if (flags.json) {
    const document = { schema: schemaOf(command.name), ...result.document }
    await terminal.print(`${terminalJson(document, shapeOf(command, command.args ?? []))}\n`)
  } else {
    const text = result.text(terminal.style)
    await terminal.print(terminal.style.isColorSupported ? terminalTextWithColours(text) : terminalText(text))
  }
  return EXIT_CODES[result.exit]
}

type JsonShape = 'indented' | 'one line'

const shapeOf = ({ lines }: Pick<CommandDefinition, 'lines'>, args: Call['args']): JsonShape =>
  holds(lines, args) ? 'one line' : 'indented'

/** The error and its causes; the stack of a Refusal itself is of no use. */
function stackOf(error: Error): string {
  const own = error instanceof Refusal ? error.message : (error.stack ?? error.message)
  return error.cause instanceof Error ? `${own}\ncaused by: ${stackOf(error.cause)}` : own
}
