import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { identify } from '../lib/process/processes.ts'
import { keyProblem, keyReader } from './read-key.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bosun-key-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const MINUTE = 60_000
const sourceOf = (command: string, timeoutMs = 30_000) => ({
  brain: { provider: 'anthropic' as const, key_command: command },
  env: { PATH: process.env['PATH'] },
  folder,
  timeoutMs,
})
const timesAsked = (): number =>
  existsSync(join(folder, 'asked')) ? readFileSync(join(folder, 'asked'), 'utf8').length : 0

test('a key command that hangs is ended with all it started, and is not asked again for five minutes', async () => {
  let now = 0
  const command = 'printf x >> asked; sleep 600 & echo $! > sleeper; wait'
  const key = keyReader(sourceOf(command, 300), () => now)
  const why = 'brain.key_command did not end within 0.3 s; it is asked again after 5 min'
  const both = await Promise.allSettled([key(), key()])
  expect(both.map((one) => one.status === 'rejected' && (one.reason as Error).message)).toEqual([why, why])
  expect(identify(Number(readFileSync(join(folder, 'sleeper'), 'utf8')))).toBeNull()
  now = 4 * MINUTE
  await expect(key()).rejects.toThrow(why)
  expect(timesAsked()).toBe(1)
  now = 6 * MINUTE
  await expect(key()).rejects.toThrow(why)
  expect(timesAsked()).toBe(2)
})

test('a key is kept for five minutes, and questions side by side ask for it once', async () => {
  let now = 0
  const key = keyReader(sourceOf('printf x >> asked; cat key'), () => now)
  writeFileSync(join(folder, 'key'), 'first\n')
  expect(await Promise.all([key(), key()])).toEqual(['first', 'first'])
  writeFileSync(join(folder, 'key'), 'second\n')
  expect([await key(), timesAsked()]).toEqual(['first', 1])
  now = 6 * MINUTE
  expect([await key(), timesAsked()]).toEqual(['second', 2])
})

test.each([
  ['exit 3', 'brain.key_command failed with exit code 3'],
  ['true', 'brain.key_command printed nothing'],
  ['echo a-key', null],
])('a key command %j has the problem %j', async (command, problem) => {
  expect(await keyProblem(sourceOf(command))).toBe(problem)
})
