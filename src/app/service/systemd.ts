/** The daemon as a unit of systemd, for the manager of one user. */
import { join } from 'node:path'
import { marked, type Env, type ServiceManager, type ServiceFacts } from './service-manager.ts'

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

const SYSTEMD_UNIT = 'bosun.service'

/** The exit code of a daemon that found another one running; a restart would not help. */
const HELD_EXIT = 4

export function systemdUnit({ command, environment }: ServiceFacts): string {
  const variables = Object.entries(environment).map(
    ([name, value]) => `Environment=${quoted(`${name}=${value}`)}`,
  )
  return marked(`# @mark@
# Edits by hand are kept; a drop-in is better for your own settings: systemctl --user edit bosun
[Unit]
Description=Bosun, a project manager for coding agents
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStart=/bin/sh ${command.map(argument).join(' ')}
${variables.map((line) => `${line}\n`).join('')}# With one arena, glibc keeps less of what threads have freed.
Environment=MALLOC_ARENA_MAX=1
# A daemon that was stopped on purpose is not restarted.
Restart=on-failure
RestartSec=5
RestartPreventExitStatus=${HELD_EXIT}
# Workers keep running without it, and a worker that runs out of memory does not stop it.
KillMode=process
OOMPolicy=continue

[Install]
WantedBy=default.target
`)
}

/** systemd puts variables into arguments, also into quoted ones. */
const argument = (text: string): string => quoted(text.replaceAll('$', '$$$$'))

/** As systemd reads it back: `%` begins a specifier, and a backslash an escape. */
export function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`
}
