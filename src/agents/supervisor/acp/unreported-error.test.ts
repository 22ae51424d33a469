import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { unreportedError } from './unreported-error.ts'

const SESSION = '0198-abc'
const USER = { type: 'message', message: { role: 'user', content: 'Do it.' } }
const FAILED = {
  type: 'message',
  message: { role: 'assistant', content: [], stopReason: 'error', errorMessage: '401 Incorrect API key' },
}
const ANSWERED = { type: 'message', message: { role: 'assistant', content: [], stopReason: 'stop' } }

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'bosun-pi-'))
})
afterEach(() => rmSync(home, { recursive: true }))

/** One line each, in the session file of pi below its home. */
function write(lines: readonly (object | string)[], folder = '.pi/agent/sessions/--work--'): void {
  mkdirSync(join(home, folder), { recursive: true })
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
  writeFileSync(join(home, folder, `2026-11-16T10-00-00_${SESSION}.jsonl`), `${text}\n`)
}
const error = (env: Readonly<Record<string, string>> = {}, session = SESSION) =>
  unreportedError('pi', session, { HOME: home, ...env })

test('the error of the last answer of its model is found', () => {
  write([{ type: 'session', id: SESSION }, USER, FAILED])
  expect(error()).toBe('its model failed: 401 Incorrect API key')
})

test('an error that it recovered from is none', () => {
  write([USER, FAILED, USER, ANSWERED])
  expect(error()).toBeNull()
})

test.each([
  ['a damaged line', ['{"type":', USER, FAILED, 'no JSON'], 'its model failed: 401 Incorrect API key'],
  ['entries of other kinds', [FAILED, { type: 'label', text: 5 }], 'its model failed: 401 Incorrect API key'],
  ['a message of another shape', [{ type: 'message', message: 7 }], null],
  ['nothing', [], null],
])('a session file with %s is read as far as it can be', (_, lines, expected) => {
  write(lines)
  expect(error()).toBe(expected)
})

test('only the end of a long file is read, and a long error is cut', () => {
  const long = { type: 'message', message: { ...FAILED.message, errorMessage: 'x'.repeat(100_000) } }
  write([...Array.from({ length: 2000 }, () => ({ ...USER, text: 'y'.repeat(1000) })), long])
  expect(error()).toHaveLength(2000)
})

test('the folders that its variables name are searched', () => {
  write([FAILED], 'elsewhere')
  write([FAILED], 'agent/sessions/--work--')
  expect(error()).toBeNull()
  expect(error({ PI_CODING_AGENT_DIR: join(home, 'agent') })).not.toBeNull()
  expect(error({ PI_CODING_AGENT_SESSION_DIR: join(home, 'elsewhere') })).not.toBeNull()
})

test.each(['../other', 'another', ''])('a session without a file has no error: "%s"', (session) => {
  write([FAILED])
  expect(error({}, session)).toBeNull()
})
