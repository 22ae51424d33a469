import { expect, test } from 'vitest'
import { launchdAgent, launchd } from './launchd.ts'
import { isAsWritten } from './service-manager.ts'

const FACTS = {
  command: ['/opt/A & B/<bosun>', 'serve'],
  environment: { PATH: '/usr/bin:/bin', BOSUN_HOME: '/Users/ann/state "1"' },
}

test('the agent runs the daemon, starts it again when it fails, and leaves workers alone', () => {
  const agent = launchdAgent(FACTS)
  expect(isAsWritten(agent)).toBe(true)
  expect(agent.slice(agent.indexOf('<plist'))).toBe(`<plist version="1.0">
<dict>
  <key>Label</key>
  <string>bosun</string>
  <key>ProgramArguments</key>
  <array>
    <string>/bin/sh</string>
    <string>/opt/A &amp; B/&lt;bosun&gt;</string>
    <string>serve</string>
  </array>
  <key>EnvironmentVariables</key>
  <dict>
    <key>PATH</key>
    <string>/usr/bin:/bin</string>
    <key>BOSUN_HOME</key>
    <string>/Users/ann/state "1"</string>
  </dict>
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
})

test('two agents run the same where only the PATH differs', () => {
  const manager = launchd('/Users/ann', 501)
  const with_ = (environment: Record<string, string>): string => launchdAgent({ ...FACTS, environment })
  expect(manager.runsTheSame(with_({ PATH: '/a' }), with_({ PATH: '/b' }))).toBe(true)
  expect(manager.runsTheSame(with_({ PATH: '/a' }), with_({ PATH: '/a', BOSUN_HOME: '/s' }))).toBe(false)
})

test('it is loaded from where launchd looks for it', () => {
  const { file, restart, byHand } = launchd('/Users/ann b', 501)
  expect(file).toBe('/Users/ann b/Library/LaunchAgents/bosun.plist')
  expect(restart.at(-1)).toEqual(['launchctl', 'bootstrap', 'gui/501', file])
  expect(byHand.start).toBe(`launchctl bootstrap gui/501 '${file}'`)
})
