import { join } from 'node:path'
import type { Env, ServiceManager } from './service-manager.ts'
import { SYSTEMD_UNIT, systemdUnit } from './systemd-unit.ts'

const systemctl = (...args: readonly string[]) => ['systemctl', '--user', ...args] as const

export function systemd(env: Env, home: string): ServiceManager {
  const set = env['XDG_CONFIG_HOME'] ?? ''
  // The XDG specification has relative paths ignored.
  const config = set.startsWith('/') ? set : join(home, '.config')
  return {
    name: 'systemd',
    file: join(config, 'systemd', 'user', SYSTEMD_UNIT),
    textOf: systemdUnit,
    runsTheSame: (one, other) => essence(one) === essence(other),
    reach: systemctl('daemon-reload'),
    enable: systemctl('enable', SYSTEMD_UNIT),
    restart: [systemctl('restart', SYSTEMD_UNIT)],
    start: systemctl('start', SYSTEMD_UNIT),
    disable: systemctl('disable', '--now', SYSTEMD_UNIT),
    forget: systemctl('daemon-reload'),
    look: systemctl('show', SYSTEMD_UNIT, '--property=UnitFileState,ActiveState,MainPID'),
    read(printed) {
      const value = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(printed)?.[1] ?? ''
      const pid = Number(value('MainPID'))
      return {
        isEnabled: value('UnitFileState') === 'enabled',
        isActive: ['active', 'activating', 'reloading'].includes(value('ActiveState')),
        pid: Number.isSafeInteger(pid) && pid > 0 ? pid : null,
      }
    },
    byHand: {
      start: `systemctl --user enable --now ${SYSTEMD_UNIT}`,
      stop: `systemctl --user stop ${SYSTEMD_UNIT}`,
    },
    logCommand: 'journalctl --user -u bosun',
  }
}

/** The program and its state root; other differences do not matter. */
function essence(unit: string): string {
  const wanted = /^(ExecStart=|Environment="(BOSUN_HOME|XDG_STATE_HOME)=)/
  return unit
    .split('\n')
    .filter((line) => wanted.test(line))
    .join('\n')
}
