/** `bosun doctor`: what is checked here, and how to fix problems. */
import { resultOf, type Call, type CommandResult } from '../command.ts'
import { examine, type Check } from '../../app/upkeep/doctor.ts'
import { wrapText, terminalLine } from '../../lib/text/terminal-text.ts'
import type { Style } from '../terminal/terminal.ts'
import type { TriedCommand, TrialEnvironment } from '../../ports/command-trial.ts'
import { folderIfThere } from '../../lib/files/working-folder.ts'
import { checkCommands } from '../../app/upkeep/check.ts'
import { doctorFindings } from '../../app/upkeep/machine-answers.ts'
import { findSettings } from '../../config/read-settings.ts'
import { findRepositoryRoot } from '../../config/repository.ts'

export async function runDoctor(call: Call): Promise<CommandResult> {
  const isQuick = call.flag('quick')
  const found = await examine(await call.services.machine(), { triesBrain: !isQuick })
  const { tried, isCut } = isQuick ? NOT_TRIED : await tryIfUsable(call, found)
  const checks = [...found, ...checkCommands(tried)]
  const document = { ...doctorFindings(checks), checks }
  if (isCut) return resultOf(document, 'Interrupted.\n', 'interrupted')
  const isBad = checks.some((check) => check.status === 'problem')
  const { width } = call.terminal
  return resultOf(document, (style) => doctorText(checks, { style, width }), isBad ? 'failed' : 'ok')
}

/** The least width of the message column. */
const LEAST_MESSAGE = 30

/** One row per check with its remedy below, then a summary. */
function doctorText(
  checks: readonly Check[],
  { style, width }: { readonly style: Style; readonly width: number },
): string {
  const colour = { ok: style.green, warning: style.yellow, problem: style.red }
  const idWidth = Math.max(...checks.map((check) => check.id.length))
  const indent = ' '.repeat(idWidth + 11)
  const wrapped = (text: string): readonly string[] =>
    wrapText(terminalLine(text), Math.max(width - indent.length, LEAST_MESSAGE))
  const lines = checks.flatMap((check) => {
    const mark = colour[check.status](check.status.padEnd(7))
    const [first = '', ...more] = wrapped(check.message)
    return [
      `${mark}  ${check.id.padEnd(idWidth)}  ${first}`,
      ...more.map((line) => `${indent}${line}`),
      ...wrapped(check.remedy).map((line) => `${indent}${style.dim(line)}`),
    ]
  })
  return `${lines.join('\n')}\n\n${summary(checks)}\n`
}

function summary(checks: readonly Check[]): string {
  const problems = checks.filter((check) => check.status === 'problem').length
  const warnings = checks.filter((check) => check.status === 'warning').length
  if (problems > 0) return problems === 1 ? '1 problem to fix.' : `${problems} problems to fix.`
  const agents = checks.filter(({ id }) => id === 'agents')
  if (agents.length > 0 && agents.every(({ status }) => status === 'warning'))
    return 'No agent can work yet; see the warnings.'
  return warnings > 0 ? 'Bosun is ready to use; see the warnings.' : 'Bosun is ready to use.'
}

export interface Tried {
  readonly tried: readonly TriedCommand[]
  readonly isCut: boolean
}

export const NOT_TRIED: Tried = { tried: [], isCut: false }

/** Runs the commands of the current repository once, for doctor and init. */
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
async function tryIfUsable(call: Call, found: readonly Check[]): Promise<Tried> {
  const cwd = folderIfThere(call.terminal)
  const isReady = found.every(
    ({ id, status }) => status !== 'problem' || !['git', 'repository', 'settings'].includes(id),
  )
  if (!isReady || cwd === null || (await findRepositoryRoot(cwd)) === null) return NOT_TRIED
  const settings = await findSettings(cwd)
  return tryHere(call, settings.kind === 'valid' ? settings.settings.environment : {})
}
