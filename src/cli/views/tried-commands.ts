/** Runs the commands of the current repository once, for doctor and init. */
import type { Check } from '../../app/upkeep/doctor.ts'
import type { TriedCommand, TrialEnvironment } from '../../ports/command-trial.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import { folderIfThere } from '../../lib/files/working-folder.ts'
import type { Call } from '../command.ts'

export interface Tried {
  readonly tried: readonly TriedCommand[]
  readonly isCut: boolean
}

export const NOT_TRIED: Tried = { tried: [], isCut: false }

export async function tryHere(
  call: Call,
  environment: TrialEnvironment,
  { isDetected = false } = {},
): Promise<Tried> {
  const signal = call.services.interruption()
  const print = (line: string): void => {
    if (!call.json) call.terminal.printMessage(`${line}\n`)
  }
  print('Running the repository’s commands once in a throw-away checkout (skip with --quick).')
  const onStart = (command: string): void => print(`  ${terminalLine(command)}`)
  const tried = await call.services.tryCommands({ environment, isDetected, signal, onStart })
  return { tried, isCut: signal.aborted }
}

/** Only where a plan could start. */
export async function tryIfUsable(call: Call, found: readonly Check[]): Promise<Tried> {
  const [{ findSettings }, { findRepositoryRoot }] = await Promise.all([
    import('../../config/read-settings.ts'),
    import('../../config/repository.ts'),
  ])
  const cwd = folderIfThere(call.terminal)
  const isReady = found.every(
    ({ id, status }) => status !== 'problem' || !['git', 'repository', 'settings'].includes(id),
  )
  if (!isReady || cwd === null || (await findRepositoryRoot(cwd)) === null) return NOT_TRIED
  const settings = await findSettings(cwd)
  return tryHere(call, settings.kind === 'valid' ? settings.settings.environment : {})
}
