import { Refusal } from '../../lib/refusal.ts'
import type { Call, CommandDefinition, CommandResult } from '../command.ts'

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
    if (action === 'install') return call.flag('print') ? print(call) : install(call)
    if (action === 'uninstall') return uninstall(call)
    if (action === 'status') return status(call)
    throw new Refusal({
      code: 'usage',
      message: `unknown action "${action}"`,
      remedy: 'Use one of: bosun service install, bosun service uninstall, bosun service status',
    })
  },
}

async function print(call: Call): Promise<CommandResult> {
  const { manager, facts } = await call.services.service()
  const text = manager.textOf(facts)
  return {
    exit: 'ok',
    document: { action: 'print', manager: manager.name, file: manager.file, text },
    text: () => text,
  }
}

async function install(call: Call): Promise<CommandResult> {
  const [{ installService }, { installedText }] = await Promise.all([
    import('../../app/service/manage-service.ts'),
    import('../views/service-view.ts'),
  ])
  const place = await call.services.service()
  const stopDaemon = (): Promise<unknown> => call.services.stopDaemon()
  const done = await installService({ ...place, force: call.flag('force'), stopDaemon })
  return {
    exit: 'ok',
    document: { action: 'install', manager: place.manager.name, ...done },
    text: (style) => installedText(place.manager.name, done, style),
  }
}

async function uninstall(call: Call): Promise<CommandResult> {
  const [{ uninstallService }, { uninstalledText }] = await Promise.all([
    import('../../app/service/manage-service.ts'),
    import('../views/service-view.ts'),
  ])
  const place = await call.services.service()
  const done = await uninstallService(place, { force: call.flag('force') })
  return {
    exit: 'ok',
    document: { action: 'uninstall', manager: place.manager.name, ...done },
    text: (style) => uninstalledText(done, style),
  }
}

async function status(call: Call): Promise<CommandResult> {
  const [{ reportService }, { serviceText }] = await Promise.all([
    import('../../app/service/manage-service.ts'),
    import('../views/service-view.ts'),
  ])
  const report = await reportService(await call.services.service())
  return {
    exit: 'ok',
    document: {
      action: 'status',
      manager: report.manager,
      file: report.file,
      installed: report.installed,
      edited: report.edited,
      current: report.current,
      enabled: report.state?.isEnabled ?? null,
      active: report.state?.isActive ?? null,
      pid: report.state?.pid ?? null,
    },
    text: (style) => serviceText(report, style),
  }
}
