/** Builds the command line from the command definitions with commander, and parses it. */
import { Command, CommanderError } from 'commander'
import { closest } from '../lib/text/closest.ts'
import { Refusal, usageRefusal } from '../lib/refusal.ts'
import type { CommandDefinition } from './command.ts'
import { GLOBAL_OPTIONS } from './global-flags.ts'

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
    for (const argument of definition.arguments ?? []) command.argument(argument.syntax, argument.help)
    for (const { syntax, help, repeats } of definition.options ?? []) {
      if (repeats === true) command.option(syntax, help, gather)
      else command.option(syntax, help)
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

const PROGRAM_EXAMPLES = [
  {
    line: 'bosun start "fix typo in README"',
    what: 'show how it is understood, then deliver it as a branch',
  },
  { line: 'bosun run docs/plans/todo.md', what: 'deliver a plan; Ctrl-C detaches, the plan goes on' },
  { line: 'bosun', what: 'show what is going on here and what needs you' },
  { line: 'bosun doctor', what: 'check this machine and show how to fix problems' },
] as const

function addGlobalOptions(command: Command): void {
  for (const option of GLOBAL_OPTIONS) command.option(option.syntax, option.help)
}

function exampleText(examples: CommandDefinition['examples']): string {
  const width = Math.max(...examples.map((example) => example.line.length))
  return ['', 'Examples:', ...examples.map((e) => `  ${e.line.padEnd(width)}   ${e.what}`), ''].join('\n')
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
