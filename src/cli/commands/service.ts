import { usageRefusal } from '../../lib/refusal.ts'
import type { CommandDefinition } from '../command.ts'
import type { Style } from '../terminal/terminal.ts'

export const serviceCommand: CommandDefinition = {
  name: 'service',
  summary: 'run the daemon as a system service, restarted when it dies',
  arguments: [{ syntax: '<action>', help: 'install, uninstall or status' }],
  options: [
    { syntax: '--print', help: 'with install: only print the unit file for systemd or launchd' },
    { syntax: '--force', help: 'also if the file was edited' },
  ],
  examples: [
    { line: 'bosun service install', what: 'write, enable and start the unit; workers keep running' },
    { line: 'bosun service install --print', what: 'print the unit, change nothing' },
    { line: 'bosun service status', what: 'whether it is installed and running' },
    { line: 'bosun service uninstall', what: 'stop it and remove the unit; workers keep running' },
  ],
  async run(call) {
    const [action = ''] = call.args
    if (!['install', 'uninstall', 'status'].includes(action)) {
      throw usageRefusal(
        `unknown action "${action}"`,
        'Use one of: bosun service install, bosun service uninstall, bosun service status',
      )
    }
    const [{ installService, reportService, uninstallService }, view] = await Promise.all([
      import('../../app/service/manage-service.ts'),
      import('../views/service-view.ts'),
    ])
    const place = await call.services.service()
    const { manager, facts } = place
    const force = call.flag('force')
    if (action === 'install' && call.flag('print')) {
      const text = manager.textOf(facts)
      const document = { action: 'print', manager: manager.name, file: manager.file, text } as const
      return { exit: 'ok', document, text: () => text }
    }
    const name = { manager: manager.name }
    if (action === 'install') {
      const stopDaemon = (): Promise<unknown> => call.services.stopDaemon()
      const done = await installService({ ...place, force, stopDaemon })
      const text = (style: Style): string => view.installedText(manager.name, done, style)
      return { exit: 'ok', document: { action, ...name, ...done }, text }
    }
    if (action === 'uninstall') {
      const done = await uninstallService(place, { force })
      return {
        exit: 'ok',
        document: { action, ...name, ...done },
        text: (style) => view.uninstalledText(done, style),
      }
    }
    const report = await reportService(place)
    const { file, installed, edited, current, state } = report
    const running = {
      enabled: state?.isEnabled ?? null,
      active: state?.isActive ?? null,
      pid: state?.pid ?? null,
    }
    return {
      exit: 'ok',
      document: { action: 'status', ...name, file, installed, edited, current, ...running },
      text: (style) => view.serviceText(report, style),
    }
  },
}
