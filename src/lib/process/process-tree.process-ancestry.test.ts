import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { endFoundTree, ancestorsOf, isOfBosun, ownerOf } from './process-tree.ts'
import { identify } from './processes.ts'

const never = new AbortController().signal
const sleeper = (env: Record<string, string> = {}) =>
  spawn('sleep', ['1000'], { env: { PATH: '/usr/bin:/bin', ...env }, stdio: 'ignore' })

test('a process has its parent and all above it as ancestors, and not itself', () => {
  const ancestors = ancestorsOf(process.pid)
  expect(ancestors.has(process.ppid)).toBe(true)
  expect(ancestors.has(process.pid)).toBe(false)
  expect(ancestorsOf(2 ** 30).size).toBe(0)
})

test('the owner of a process is its user; null without a process', () => {
  expect(ownerOf(process.pid)).toBe(process.getuid?.())
  expect(ownerOf(2 ** 30)).toBeNull()
})

test('it is of Bosun when it has the mark of a tree', async () => {
  const [plain, own] = [sleeper(), sleeper({ BOSUN_TREE: 'some' })]
  await expect.poll(() => isOfBosun(own.pid ?? 0)).toBe(true)
  expect(isOfBosun(plain.pid ?? 0)).toBe(false)
  for (const child of [plain, own]) child.kill('SIGKILL')
})

test('a reused pid is not signalled', async () => {
  const child = sleeper()
  const identity = identify(child.pid ?? 0)
  if (identity === null) throw new Error('it has ended')
  expect(await endFoundTree({ ...identity, start: '1' }, 0, never)).toEqual({ how: 'gone', survivors: [] })
  expect(identify(identity.pid)).not.toBeNull()
  expect(await endFoundTree(identity, 10_000, never)).toEqual({ how: 'terminated', survivors: [] })
  expect(identify(identity.pid)).toBeNull()
})

test('an aborted end kills nothing', async () => {
  const child = spawn('sh', ['-c', 'trap "" TERM; while :; do sleep 0.05; done'], { stdio: 'ignore' })
  const identity = identify(child.pid ?? 0)
  if (identity === null) throw new Error('it has ended')
  await expect(endFoundTree(identity, 60_000, AbortSignal.abort())).rejects.toThrow('aborted')
  expect(identify(identity.pid)).not.toBeNull()
  child.kill('SIGKILL')
})
