import { join } from 'node:path'
import { shellArgument } from '../../lib/text/shell-word.ts'
import { LAUNCHD_LABEL, launchdAgent } from './launchd-agent.ts'
import type { ServiceManager } from './service-manager.ts'

export function launchd(home: string, uid: number): ServiceManager {
  const domain = `gui/${uid}`
  const target = `${domain}/${LAUNCHD_LABEL}`
  const file = join(home, 'Library', 'LaunchAgents', `${LAUNCHD_LABEL}.plist`)
  return {
    name: 'launchd',
    file,
    textOf: launchdAgent,
    runsTheSame: (one, other) => essence(one) === essence(other),
    reach: ['launchctl', 'print', domain],
    enable: ['launchctl', 'enable', target],
    // An agent that is not loaded cannot be unloaded; the shell goes on from that.
    restart: [
      ['/bin/sh', '-c', 'launchctl bootout "$0" 2>/dev/null; exit 0', target],
      ['launchctl', 'bootstrap', domain, file],
    ],
    start: ['launchctl', 'kickstart', target],
    disable: ['launchctl', 'bootout', target],
    forget: null,
    look: ['launchctl', 'print', target],
    read(printed) {
      const pid = Number(/^\s*pid = (\d+)$/m.exec(printed)?.[1] ?? '')
      return { isEnabled: true, isActive: pid > 0, pid: pid > 0 ? pid : null }
    },
    byHand: {
      start: `launchctl bootstrap ${domain} ${shellArgument(file)}`,
      stop: `launchctl bootout ${target}`,
    },
    logCommand: `launchctl print ${target}`,
  }
}

/** All but the mark and the PATH. */
function essence(agent: string): string {
  return agent
    .replace(/<!-- Written by .*? -->/, '')
    .replace(/<key>PATH<\/key>\s*<string>[^<]*<\/string>/, '')
}
