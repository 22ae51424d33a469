import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { identify } from './identity.ts'
import { presenceOf } from './presence.ts'

const sleeper = async () => {
  const child = spawn('sleep', ['1000'], { stdio: 'ignore' })
  await once(child, 'spawn')
  const identity = identify(child.pid ?? 0)
  if (identity === null) throw new Error('it sleeps')
  return { child, identity }
}

test.each(['linux', 'darwin'] as const)('on %s, a process is there until it has ended', async (platform) => {
  const { child, identity } = await sleeper()
  const presence = presenceOf(identity, platform)
  const looks = Array.from({ length: 12 }, () => presence.isThere())
  expect(new Set(looks)).toEqual(new Set([true]))
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(presence.isThere()).toBe(false)
  presence.close()
})

test('a process that was not reaped counts as gone', async () => {
  const parent = spawn('sh', ['-c', 'sleep 1000 & echo $!; exec sleep 1000'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = (await once(parent.stdout, 'data')) as [Buffer]
  const identity = identify(Number(line.toString()))
  if (identity === null) throw new Error('it sleeps')
  const presence = presenceOf(identity)
  expect(presence.isThere()).toBe(true)
  process.kill(identity.pid, 'SIGKILL')
  await expect.poll(() => presence.isThere()).toBe(false)
  presence.close()
  parent.kill('SIGKILL')
  await once(parent, 'exit')
})

test('another process with the same number is not it, and what was closed answers no more', async () => {
  const { child, identity } = await sleeper()
  expect(presenceOf({ ...identity, start: '1' }).isThere()).toBe(false)
  expect(presenceOf({ ...identity, boot: 'another' }).isThere()).toBe(false)
  const presence = presenceOf(identity)
  presence.close()
  expect(presence.isThere()).toBe(false)
  child.kill('SIGKILL')
  await once(child, 'exit')
})
