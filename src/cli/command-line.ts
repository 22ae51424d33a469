/** Builds the command line from the command definitions with commander, and parses it. */
import { Command, CommanderError } from 'commander'
import { closest } from '../lib/text/closest.ts'
import { Refusal, usageRefusal } from '../lib/refusal.ts'
import type { CommandDefinition } from './command.ts'

export type Request =
  | { readonly kind: 'run'; readonly definition: CommandDefinition; readonly input: CommandInput }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'version' }

/** The arguments and options of a call. */
export interface CommandInput {
  readonly args: readonly (string | undefined)[]
  readonly options: Readonly<Record<string, unknown>>
}

/** Parses the arguments after the program name and the global flags. Throws a Refusal (`usage`) for invalid ones. */
export function parseCommandLine(
  argv: readonly string[],
  definitions: readonly CommandDefinition[],
  version: string,
): Request {
  const called = calledCommand(argv, definitions)
  const written: string[] = []
  let request: Request | null = null
  const output = { writeOut: (text: string) => void written.push(text), writeErr: () => undefined }

  const program = new Command('bosun')
    .description(
      'A project manager for coding agents: it plans, supervises, verifies and commits; you merge.',
    )
    .usage('<command> [options]')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .configureOutput(output)
    .exitOverride()
  addGlobalOptions(program)
  program.addHelpText('after', exampleText(PROGRAM_EXAMPLES))

  // The others are only listed, in the general help: making all of them would take longer than most commands run.
  for (const definition of called === null ? definitions : [called]) {
    const command = program.command(definition.name).summary(definition.summary)
    if (called === null) continue
    command.description(definition.summary)
    for (const argument of Object.entries(definition.arguments ?? {})) command.argument(...argument)
    for (const option of Object.entries(definition.options ?? {})) {
      if (definition.repeatable?.includes(option[0]) === true) command.option(...option, gather)
      else command.option(...option)
    }
    addGlobalOptions(command)
    command.helpOption('-h, --help', 'show help').addHelpText('after', exampleText(definition.examples))
    command.action(() => {
      const input = { args: command.processedArgs.flat(), options: command.opts() }
      request = { kind: 'run', definition, input }
    })
  }

  try {
    program.parse([...argv], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.code === 'commander.version') return { kind: 'version' }
    if (error.exitCode === 0 || error.code === 'commander.help')
      return { kind: 'help', text: written.join('') }
    throw commanderRefusal(error, argv)
  }
  return request ?? { kind: 'help', text: program.helpInformation() }
}

const gather = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

/**
 * The named command, also for a help request; null where none is named. Throws a Refusal for an unknown command:
 * commander would show the general help for `bosun plna --help`, and none for `bosun help plna`.
 */
function calledCommand(
  argv: readonly string[],
  definitions: readonly CommandDefinition[],
): CommandDefinition | null {
  const words = argv.filter((word) => !word.startsWith('-'))
  const name = words[0] === 'help' ? words[1] : words[0]
  if (name === undefined) return null
  const found = definitions.find((definition) => definition.name === name)
  if (found !== undefined) return found
  const suggestion = closest(name, [...definitions.map((definition) => definition.name), 'help'])
  throw usageRefusal(
    `unknown command '${name}'`,
    `${suggestion === null ? '' : `Did you mean ${suggestion}? `}Run: bosun --help`,
  )
}

const PROGRAM_EXAMPLES = {
  'bosun start "fix typo in README"': 'show how it is understood, then deliver it as a branch',
  'bosun run docs/plans/todo.md': 'deliver a plan; Ctrl-C detaches, the plan goes on',
  bosun: 'show what is going on here and what needs you',
  'bosun doctor': 'check this machine and show how to fix problems',
}

function addGlobalOptions(command: Command): void {
  for (const option of Object.entries(GLOBAL_OPTIONS)) command.option(...option)
}

function exampleText(examples: CommandDefinition['examples']): string {
  const width = Math.max(...Object.keys(examples).map((line) => line.length))
  const lines = Object.entries(examples).map(([line, what]) => `  ${line.padEnd(width)}   ${what}`)
  return ['', 'Examples:', ...lines, ''].join('\n')
}

/** commander writes `error: unknown option '--jsno'` and, on a second line, `(Did you mean --json?)`. */
function commanderRefusal(error: CommanderError, argv: readonly string[]): Refusal {
  const [first = '', suggestion] = error.message.replace(/^error: /, '').split('\n', 2)
  const command = argv.find((word) => !word.startsWith('-'))
  const help = `Run: bosun ${command === undefined ? '' : `${command} `}--help`
  return usageRefusal(
    first,
    suggestion === undefined ? help : `${suggestion.replace(/^\((.*)\)$/, '$1')} ${help}`,
    error,
  )
}

/** The flags that every command takes, at any position. */
export interface GlobalFlags {
  readonly json: boolean
  readonly noInput: boolean
  readonly noColour: boolean
}

const GLOBAL_OPTIONS = {
  '--json': 'print one JSON document instead of text',
  '--no-input': 'never ask; fail and name the missing option instead',
  '--no-color': 'print without colours (NO_COLOR does the same)',
}

/**
 * Takes the global flags out of the arguments, so that they are known even if the rest is invalid. Arguments after
 * `--` are left alone.
 */
export function takeGlobalFlags(argv: readonly string[]): { flags: GlobalFlags; rest: readonly string[] } {
  const end = argv.indexOf('--')
  const before = end === -1 ? argv : argv.slice(0, end)
  const after = end === -1 ? [] : argv.slice(end)
  return {
    flags: {
      json: before.includes('--json'),
      noInput: before.includes('--no-input'),
      noColour: before.includes('--no-color'),
    },
    rest: [...before.filter((word) => !Object.hasOwn(GLOBAL_OPTIONS, word)), ...after],
  }
}
