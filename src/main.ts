/**
 * Where the parts are put together, and the only file that knows them all. Every part is imported when a
 * command first asks for it, so that each command loads only what it needs.
 */
import manifest from '../package.json' with { type: 'json' }
import { doctorCommand } from './cli/commands/doctor.ts'
import { exportCommand } from './cli/commands/export.ts'
import { importCommand } from './cli/commands/import.ts'
import { overviewCommand } from './cli/commands/overview.ts'
import { planCommand } from './cli/commands/plan.ts'
import { simulateCommand } from './cli/commands/simulate.ts'
import { EXIT_CODES } from './cli/exit-codes.ts'
import { explainError } from './cli/explain-error.ts'
import { takeGlobalFlags } from './cli/global-flags.ts'
import type { Parts } from './cli/parts.ts'
import { processTerminal } from './cli/process-terminal.ts'
import { reportError, runProgram } from './cli/program.ts'
import { Refusal } from './lib/refusal.ts'
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
  async simulator() {
    const [{ simulator }, { MemoryEventLog }, { eventCodec }] = await Promise.all([
      import('./simulation/simulator.ts'),
      import('./store/memory-event-log.ts'),
      import('./core/events/codec.ts'),
    ])
    return simulator(() => new MemoryEventLog(eventCodec))
  },
  async openLogToRead() {
    const [{ openStoreForReading }, { stateRoot }, { eventCodec }] = await storeModules()
    const root = stateRoot(terminal.env)
    const opened = await openStoreForReading({ root, codec: eventCodec })
    if (opened.ok) return opened.store
    // Only a writer may bring the schema up to date.
    if (opened.why === 'older_schema') return parts.openLogToWrite()
    throw new Refusal({
      code: 'not_found',
      message: `nothing was ever recorded in ${root}`,
      remedy: 'Set BOSUN_HOME if the state is kept elsewhere.',
    })
  },
  async openLogToWrite() {
    const [{ openStore }, { stateRoot }, { eventCodec }] = await storeModules()
    const root = stateRoot(terminal.env)
    const opened = await openStore({ root, codec: eventCodec })
    if (opened.ok) return { log: opened.store.log, codec: eventCodec, close: () => opened.store.close() }
    throw new Refusal({
      code: 'conflict',
      message: `another Bosun${opened.pid === null ? '' : ` (process ${opened.pid})`} is at work on ${root}`,
      remedy: 'Wait until it has ended, then try again.',
    })
  },
}

function storeModules() {
  return Promise.all([
    import('./store/open-store.ts'),
    import('./store/state-root.ts'),
    import('./core/events/codec.ts'),
  ])
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
  commands: [planCommand, simulateCommand, doctorCommand, exportCommand, importCommand],
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
