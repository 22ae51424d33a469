import { expect, test } from 'vitest'
import type { Offline } from './services.ts'
import { offlineText } from './reading.ts'
import { styleOf } from './terminal/style.ts'

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
  ['busy', /its process 7 does not answer; as of .*\. End it: bosun stop --force$/],
  [
    'frozen',
    /because a signal stopped it; as of .*\. Let it go on: kill -CONT 7; or end it: bosun stop --force$/,
  ],
  ['no_token', /because its token is missing or cannot be read; as of .*\. End it: bosun stop --force$/],
] as const)('a reader learns why a daemon that runs does not answer, and the way out: %s', (silence, text) =>
  expect(textOf(silence)).toMatch(text),
)
