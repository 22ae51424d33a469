/** What became of the service, and what is left to do. */
import type { Installed, ServiceReport, Uninstalled } from '../../app/service/manage-service.ts'
import type { Style } from '../terminal/terminal.ts'

const HOW = {
  written: 'is written',
  replaced: 'is written anew',
  unchanged: 'is there already, as it should be',
} as const

export function installedText(
  manager: ServiceReport['manager'],
  { file, how, problem }: Installed,
  style: Style,
): string {
  const lines = [`${file} ${HOW[how]}`]
  if (problem === null) {
    lines.push(`${manager} runs the daemon, and starts it again when it dies`)
    if (manager === 'systemd')
      lines.push(style.dim('To have it run while you are not logged in: loginctl enable-linger'))
  } else lines.push(...byHand(problem, style))
  return `${lines.join('\n')}\n`
}

export function uninstalledText({ file, removed, problem }: Uninstalled, style: Style): string {
  if (!removed) return 'the service is not installed\n'
  const lines = [`${file} is removed`]
  if (problem === null) lines.push('the daemon is ended; the next command that needs it starts it')
  else lines.push(...byHand(problem, style))
  return `${lines.join('\n')}\n`
}

function byHand({ why, command }: NonNullable<Installed['problem']>, style: Style): readonly string[] {
  return [style.yellow(`the service manager could not be asked: ${why}`), `run: ${style.bold(command)}`]
}

export function serviceText(report: ServiceReport, style: Style): string {
  const { file, installed, edited, current, state, diary } = report
  if (!installed) return `not installed\n${style.dim('Install it: bosun service install')}\n`
  const lines = [`installed: ${file}${edited ? ' (edited by hand)' : ''}`]
  if (!current) lines.push(style.yellow('it runs another program or another state: bosun service install'))
  if (state === null) lines.push(style.yellow('the service manager could not be asked how it is'))
  else {
    const pid = state.pid === null ? '' : `, process ${state.pid}`
    lines.push(
      `${state.isEnabled ? 'enabled' : 'not enabled'}, ${state.isActive ? `running${pid}` : 'not running'}`,
    )
    lines.push(style.dim(`what it says: ${diary}`))
  }
  return `${lines.join('\n')}\n`
}
