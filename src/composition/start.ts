/** Runs the command line of this process. */
import { ALL_COMMANDS } from '../cli/all-commands.ts'
import { overviewCommand } from '../cli/commands/people.ts'
import { processTerminal } from '../cli/terminal/process-terminal.ts'
import { reportError, runProgram } from '../cli/program.ts'
import { servicesOf, type Composition } from './compose.ts'
import { resolvedHome } from '../store/root-path.ts'
import { EXIT_CODES } from '../cli/command.ts'
import { takeGlobalFlags } from '../cli/command-line.ts'

export async function start(composed: Omit<Composition, 'terminal'>): Promise<void> {
  // Every process started from here on gets the same state root.
  const home = resolvedHome(process.env, () => process.cwd())
  if (home !== null) process.env['BOSUN_HOME'] = home
  const { flags, rest } = takeGlobalFlags(process.argv.slice(2))
  const terminal = processTerminal(flags)
  const program = {
    version: composed.version,
    commands: ALL_COMMANDS,
    overview: overviewCommand,
    terminal,
    services: servicesOf({ ...composed, terminal }),
    flags,
    onWaiting: () => process.once('SIGINT', () => process.exit(EXIT_CODES.interrupted)),
  }
  /** Exits at once: nothing else may run after an uncaught exception. */
  const endUnexpectedly = async (error: unknown): Promise<void> =>
    process.exit(await reportError(error, terminal, flags))
  process.on('uncaughtException', (error) => void endUnexpectedly(error))
  process.exitCode = await runProgram(program, rest)
  // A daemon has closed everything by now. Left to end by itself, Node may wait for ever for a function that is being
  // compiled (nodejs/node#54918).
  if (rest[0] === 'serve') process.exit()
}
