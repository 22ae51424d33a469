import { expect, test } from 'vitest'
import type { Offline } from './services.ts'
import { offlineText } from './reading.ts'
import { styleOf } from './terminal/terminal.ts'

const at = new Date('2026-05-01T10:00:00Z')
const silent: Offline = {
  kind: 'silent',
  pid: 7,
  lastLoop: at,
  facts: null,
  silence: 'busy',
  asOf: at.toISOString(),
}
const textOf = (silence: Offline['silence']) =>
  offlineText({ ...silent, silence }, styleOf('plain'), at.getTime() + 1000)

test.each([
  ['busy', /the daemon \(pid 7\) is not responding; as of .*\. Stop it: bosun stop --force$/],
  [
    'frozen',
    /suspended by a signal\); as of .*\. Continue it: kill -CONT 7; or stop it: bosun stop --force$/,
  ],
  [
    'no_token',
    /cannot be reached: its token is missing or unreadable; as of .*\. Stop it: bosun stop --force$/,
  ],
  [
    'no_address',
    /cannot be reached: it is starting, or its address file \(daemon\.json\) is missing; as of .*\. Try again in a few seconds; or stop it: bosun stop --force$/,
  ],
] as const)('the offline notice names why the daemon does not respond, and the remedy: %s', (silence, text) =>
  expect(textOf(silence)).toMatch(text),
)

test('the offline notice names no time where none is known', () => {
  const text = offlineText(
    { ...silent, silence: 'no_address', lastLoop: null },
    styleOf('plain'),
    at.getTime(),
  )
  expect(text).toMatch(/^PM offline: the daemon \(pid 7\) cannot be reached/)
})
