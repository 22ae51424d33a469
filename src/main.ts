/**
 * Where the parts are put together, and the only file that knows them all. Every part is imported when a
 * command first asks for it, so that each command loads only what it needs.
 */
import manifest from '../package.json' with { type: 'json' }
import { doctorCommand } from './cli/commands/doctor.ts'
import { overviewCommand } from './cli/commands/overview.ts'
import { EXIT_CODES } from './cli/exit-codes.ts'
import { takeGlobalFlags } from './cli/global-flags.ts'
import type { Parts } from './cli/parts.ts'
import { processTerminal } from './cli/process-terminal.ts'
import { reportError, runProgram } from './cli/program.ts'

const { flags, rest } = takeGlobalFlags(process.argv.slice(2))
const terminal = processTerminal(flags)

const parts: Parts = {
  async machine() {
    const { machineAt } = await import('./config/machine.ts')
    return machineAt({
      cwd: terminal.cwd,
      env: terminal.env,
      versions: process.versions,
      stateRoot: () => Promise.resolve({ kind: 'usable', path: '', lockHeldBy: 'nobody' }),
    })
  },
  openLog: () => Promise.reject(new Error('later')),
}

const program = {
  version: manifest.version,
  commands: [doctorCommand],
  overview: overviewCommand,
  terminal,
  parts,
  flags,
  onWaiting: () => process.once('SIGINT', () => process.exit(EXIT_CODES.interrupted)),
}

/** Ends at once: after an exception that nobody expected, nothing else may run. */
async function endUnexpectedly(error: unknown): Promise<void> {
  process.exit(await reportError(error, terminal, flags))
}
process.on('uncaughtException', (error) => void endUnexpectedly(error))

async function main(): Promise<void> {
  process.exitCode = await runProgram(program, rest)
}
void main()
