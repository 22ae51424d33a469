/** The state of the service, and what is left to do. */
import type { Installed, ServiceReport, Uninstalled } from '../../app/service/manage-service.ts'
import type { Style } from '../terminal/terminal.ts'

const HOW = {
  written: 'written',
  replaced: 'replaced',
  unchanged: 'already up to date',
} as const

export function installedText(
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

export function uninstalledText({ file, removed, problem }: Uninstalled, style: Style): string {
  if (!removed) return 'the service is not installed\n'
  const lines = [`removed ${file}`]
  if (problem === null) lines.push('stopped the daemon; the next command that needs it starts it')
  else lines.push(...byHand(problem, style))
  return `${lines.join('\n')}\n`
}

function byHand({ why, command }: NonNullable<Installed['problem']>, style: Style): readonly string[] {
  return [style.yellow(`cannot reach the service manager: ${why}`), `run: ${style.bold(command)}`]
}

export function serviceText(report: ServiceReport, style: Style): string {
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
