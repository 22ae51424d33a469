import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { withPipes } from '../../lib/process/run-program.ts'
import { ResidentGit, type Reading } from './cat-file.ts'

const line = (bytes: Buffer): Reading<string> => {
  const end = bytes.indexOf('\n')
  return end === -1 ? { needs: bytes.length + 1 } : { value: bytes.toString('utf8', 0, end) }
}

/** Asks a program that repeats what it reads, and takes its time to end. */
function echoing(idleMs: number) {
  const children: ChildProcessWithoutNullStreams[] = []
  const echo = new ResidentGit({
    cwd: '/',
    idleMs,
    start: () => {
      const child = withPipes(spawn('/bin/sh', ['-c', 'cat; sleep 0.2'], { stdio: 'pipe' }))
      children.push(child)
      return child
    },
    failure: (outcome) => new Error(outcome.kind === 'not_started' ? outcome.reason : outcome.kind),
  })
  return { echo, children }
}

test('a process that was idle ends by itself, and the next request starts another one', async () => {
  const { echo, children } = echoing(10)
  expect(await echo.ask('one\n', line)).toBe('one')
  await once(children[0]?.stdin ?? process, 'finish')
  expect(await echo.ask('two\n', line)).toBe('two')
  expect(children).toHaveLength(2)
  await echo.close()
  expect(children.map(({ exitCode }) => exitCode)).toEqual([0, 0])
})

test('closing waits also for a process that is ending because it was idle', async () => {
  const { echo, children } = echoing(10)
  expect(await echo.ask('one\n', line)).toBe('one')
  await once(children[0]?.stdin ?? process, 'finish')
  expect(children[0]?.exitCode).toBeNull()
  await echo.close()
  expect(children[0]?.exitCode).toBe(0)
})

test('requests made at once are answered in their order, and after closing none is taken', async () => {
  const { echo, children } = echoing(60_000)
  const asked = Promise.all([echo.ask('one\n', line), echo.ask('two\n', line)])
  const closed = echo.close()
  await expect(echo.ask('three\n', line)).rejects.toThrow('Bosun is stopping')
  expect(await asked).toEqual(['one', 'two'])
  await closed
  expect(children.map(({ exitCode }) => exitCode)).toEqual([0])
})

test('an answer that cannot be understood fails its own request only', async () => {
  const { echo } = echoing(60_000)
  const refuse = (): never => {
    throw new Error('unexpected')
  }
  await expect(echo.ask('one\n', refuse)).rejects.toThrow('unexpected')
  expect(await echo.ask('two\n', line)).toBe('two')
  await echo.close()
})
