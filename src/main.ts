/**
 * Where the parts are put together, and the only file that knows them all. Every part is imported when a
 * command first asks for it, so that each command loads only what it needs.
 */
import manifest from '../package.json' with { type: 'json' }
import { doctorCommand } from './cli/commands/doctor.ts'
import { overviewCommand } from './cli/commands/overview.ts'
import { EXIT_CODES } from './cli/exit-codes.ts'
import { explainError } from './cli/explain-error.ts'
import { takeGlobalFlags } from './cli/global-flags.ts'
import type { Parts } from './cli/parts.ts'
import { processTerminal } from './cli/process-terminal.ts'
import { reportError, runProgram } from './cli/program.ts'
import type { StateRootFinding } from './ports/machine.ts'

const { flags, rest } = takeGlobalFlags(process.argv.slice(2))
const terminal = processTerminal(flags)

const parts: Parts = {
  async machine() {
    const { machineAt } = await import('./config/machine.ts')
    return machineAt({
      cwd: terminal.cwd,
      env: terminal.env,
      versions: process.versions,
      stateRoot: examineStateRoot,
    })
  },
  openLog: () => Promise.reject(new Error('later')),
}

/** Takes the lock for a moment, since only that tells whether somebody holds it. */
async function examineStateRoot(): Promise<StateRootFinding> {
  const [{ createStateRoot, stateRoot }, { acquireLock }] = await Promise.all([
    import('./store/state-root.ts'),
    import('./store/lock.ts'),
  ])
  const path = stateRoot(terminal.env)
  try {
    const root = await createStateRoot(path)
    const locked = await acquireLock(root)
    if (locked.ok) await locked.lock.release(locked.lock.before)
    return {
      kind: 'usable',
      path: root,
      lock: locked.ok ? { kind: 'free' } : { kind: 'held', pid: locked.pid },
    }
  } catch (error) {
    const { message, remedy } = explainError(error)
    return { kind: 'unusable', path, why: message, remedy }
  }
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
