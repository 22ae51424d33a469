/** The daemon as a unit of systemd, for the manager of one user. */
import type { ServiceFacts } from './service-facts.ts'
import { marked } from './unit-mark.ts'

export const SYSTEMD_UNIT = 'bosun.service'

/** The exit code of a daemon that found another one running; a restart would not help. */
const HELD_EXIT = 4

export function systemdUnit({ command, environment }: ServiceFacts): string {
  const variables = Object.entries(environment).map(
    ([name, value]) => `Environment=${quoted(`${name}=${value}`)}`,
  )
  return marked(
    [
      '# @mark@',
      '# Edits by hand are kept; a drop-in is better for your own settings: systemctl --user edit bosun',
      '[Unit]',
      'Description=Bosun, a project manager for coding agents',
      'StartLimitIntervalSec=0',
      '',
      '[Service]',
      'Type=exec',
      `ExecStart=/bin/sh ${command.map(argument).join(' ')}`,
      ...variables,
      '# With one arena, glibc keeps less of what threads have freed.',
      'Environment=MALLOC_ARENA_MAX=1',
      '# A daemon that was stopped on purpose is not restarted.',
      'Restart=on-failure',
      'RestartSec=5',
      `RestartPreventExitStatus=${HELD_EXIT}`,
      '# Workers keep running without it, and a worker that runs out of memory does not stop it.',
      'KillMode=process',
      'OOMPolicy=continue',
      '',
      '[Install]',
      'WantedBy=default.target',
      '',
    ].join('\n'),
  )
}

/** systemd puts variables into arguments, also into quoted ones. */
const argument = (text: string): string => quoted(text.replaceAll('$', '$$$$'))

/** As systemd reads it back: `%` begins a specifier, and a backslash an escape. */
export function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`
}
