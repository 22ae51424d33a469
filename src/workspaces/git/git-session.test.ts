import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { withPipes } from '../../lib/process/with-pipes.ts'
import { GitSession, type Reading } from './git-session.ts'

const line = (bytes: Buffer): Reading<string> => {
  const end = bytes.indexOf('\n')
  return end === -1 ? { needs: bytes.length + 1 } : { value: bytes.toString('utf8', 0, end), used: end + 1 }
}

/** A session of a program that repeats what it reads, and takes its time to end. */
function echoSession(idleMs: number) {
  const children: ChildProcessWithoutNullStreams[] = []
  const session = new GitSession({
    cwd: '/',
    idleMs,
    start: () => {
      const child = withPipes(spawn('/bin/sh', ['-c', 'cat; sleep 0.2'], { stdio: 'pipe' }))
      children.push(child)
      return child
    },
    failure: (outcome) => new Error(outcome.kind === 'not_started' ? outcome.reason : outcome.kind),
  })
  return { session, children }
}

test('a session that was idle ends by itself, and the next request starts another process', async () => {
  const { session, children } = echoSession(10)
  expect(await session.ask('one\n', line)).toBe('one')
  await once(children[0]?.stdin ?? process, 'finish')
  expect(await session.ask('two\n', line)).toBe('two')
  expect(children).toHaveLength(2)
  await session.close()
  expect(children.map(({ exitCode }) => exitCode)).toEqual([0, 0])
})

test('closing waits also for a process that is ending because it was idle', async () => {
  const { session, children } = echoSession(10)
  expect(await session.ask('one\n', line)).toBe('one')
  await once(children[0]?.stdin ?? process, 'finish')
  expect(children[0]?.exitCode).toBeNull()
  await session.close()
  expect(children[0]?.exitCode).toBe(0)
})

test('a closed session finishes what it was asked, and takes nothing more', async () => {
  const { session, children } = echoSession(60_000)
  const asked = session.ask('one\n', line)
  const closed = session.close()
  await expect(session.ask('two\n', line)).rejects.toThrow('Bosun is stopping')
  expect(await asked).toBe('one')
  await closed
  expect(children.map(({ exitCode }) => exitCode)).toEqual([0])
})
