/** `bosun service`: the state of the service, and what is left to do. */
import { actionOf, resultOf, type Call, type CommandResult } from '../command.ts'
import type { Style } from '../terminal/terminal.ts'
import {
  installService,
  reportService,
  uninstallService,
  type Installed,
  type ServicePlace,
  type ServiceReport,
  type Uninstalled,
} from '../../app/service/manage-service.ts'

const USAGE = 'Use one of: bosun service install, bosun service uninstall, bosun service status'

export async function runService(call: Call): Promise<CommandResult> {
  const act = actionOf(call, { install, uninstall, status }, USAGE)
  return act(call, await call.services.service())
}

async function install(call: Call, place: ServicePlace): Promise<CommandResult> {
  const { name: manager, file } = place.manager
  if (call.flag('print')) {
    const text = place.manager.textOf(place.facts)
    return resultOf({ action: 'print', manager, file, text }, text)
  }
  const stopDaemon = (): Promise<unknown> => call.services.stopDaemon()
  const done = await installService({ ...place, force: call.flag('force'), stopDaemon })
  return resultOf({ action: 'install', manager, ...done }, (style) => installedText(manager, done, style))
}

async function uninstall(call: Call, place: ServicePlace): Promise<CommandResult> {
  const done = await uninstallService(place, { force: call.flag('force') })
  const document = { action: 'uninstall', manager: place.manager.name, ...done }
  return resultOf(document, (style) => uninstalledText(done, style))
}

async function status(_: Call, place: ServicePlace): Promise<CommandResult> {
  const report = await reportService(place)
  const { file, installed, edited, current, state } = report
  const running = {
    enabled: state?.isEnabled ?? null,
    active: state?.isActive ?? null,
    pid: state?.pid ?? null,
  }
  const document = { action: 'status', manager: place.manager.name, file, installed, edited, current }
  return resultOf({ ...document, ...running }, (style) => serviceText(report, style))
}

const HOW = {
  written: 'written',
  replaced: 'replaced',
  unchanged: 'already up to date',
} as const

function installedText(
  manager: ServiceReport['manager'],
  { file, how, problem }: Installed,
  style: Style,
): string {
  const lines = [`${file}: ${HOW[how]}`]
  if (problem === null) {
    lines.push(`${manager} runs the daemon and restarts it when it dies`)
    if (manager === 'systemd')
      lines.push(style.dim('To keep it running while you are logged out: loginctl enable-linger'))
  } else lines.push(...byHand(problem, style))
  return `${lines.join('\n')}\n`
}

function uninstalledText({ file, removed, problem }: Uninstalled, style: Style): string {
  if (!removed) return 'the service is not installed\n'
  const lines = [`removed ${file}`]
  if (problem === null) lines.push('stopped the daemon; the next command that needs it starts it')
  else lines.push(...byHand(problem, style))
  return `${lines.join('\n')}\n`
}

function byHand({ why, command }: NonNullable<Installed['problem']>, style: Style): readonly string[] {
  return [style.yellow(`cannot reach the service manager: ${why}`), `run: ${style.bold(command)}`]
}

function serviceText(report: ServiceReport, style: Style): string {
  const { file, installed, edited, current, state, logCommand } = report
  if (!installed) return `not installed\n${style.dim('Install it: bosun service install')}\n`
  const lines = [`installed: ${file}${edited ? ' (edited by hand)' : ''}`]
  if (!current)
    lines.push(style.yellow('it runs another program or state root; update it: bosun service install'))
  if (state === null) lines.push(style.yellow('cannot reach the service manager'))
  else {
    const pid = state.pid === null ? '' : `, pid ${state.pid}`
    lines.push(
      `${state.isEnabled ? 'enabled' : 'not enabled'}, ${state.isActive ? `running${pid}` : 'not running'}`,
    )
    lines.push(style.dim(`log: ${logCommand}`))
  }
  return `${lines.join('\n')}\n`
}
