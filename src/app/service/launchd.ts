/** The daemon as an agent of launchd, for one user of macOS. */
import { join } from 'node:path'
import { shellArgument } from '../../lib/text/counted.ts'
import { marked, type ServiceManager, type ServiceFacts } from './service-manager.ts'

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

const LAUNCHD_LABEL = 'bosun'

export function launchdAgent({ command, environment }: ServiceFacts): string {
  const args = ['/bin/sh', ...command].map((word) => `    <string>${escaped(word)}</string>\n`)
  const variables = Object.entries(environment).map(
    ([name, value]) => `    <key>${escaped(name)}</key>\n    <string>${escaped(value)}</string>\n`,
  )
  return marked(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- @mark@ -->
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LAUNCHD_LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${args.join('')}  </array>
  <key>EnvironmentVariables</key>
  <dict>
${variables.join('')}  </dict>
  <key>RunAtLoad</key>
  <true/>
  <!-- One that was ended on purpose stays ended. -->
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <!-- Workers keep running without it. -->
  <key>AbandonProcessGroup</key>
  <true/>
</dict>
</plist>
`)
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
