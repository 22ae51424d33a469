import { expect, test } from 'vitest'
import { runProgram } from './run-program.ts'

const node = (script: string, limits: { timeoutMs?: number; maxBytes?: number } = {}) =>
  runProgram({
    command: process.execPath,
    args: ['-e', script],
    cwd: import.meta.dirname,
    env: {},
    timeoutMs: limits.timeoutMs ?? 60_000,
    maxBytes: limits.maxBytes ?? 100_000,
  })

test('a program that ends has an exit code and what it said', async () => {
  expect(await node('console.log("out"); console.error("err"); process.exit(3)')).toEqual({
    kind: 'exited',
    code: 3,
    stdout: 'out\n',
    stderr: 'err\n',
  })
})

test('a killed program has no exit code', async () => {
  expect(await node('process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000)')).toEqual({
    kind: 'signalled',
    signal: 'SIGTERM',
  })
})

test('a program that takes too long is killed', async () => {
  expect(await node('setInterval(() => {}, 1000)', { timeoutMs: 200 })).toEqual({
    kind: 'timed_out',
    afterMs: 200,
  })
})

test('a program that says too much is killed', async () => {
  expect(await node('while (true) require("fs").writeSync(1, "x".repeat(1000))', { maxBytes: 5000 })).toEqual(
    {
      kind: 'too_long',
      maxBytes: 5000,
    },
  )
})

test('a program that is not there did not start', async () => {
  const outcome = await runProgram({
    command: 'no-such-program-anywhere',
    args: [],
    cwd: import.meta.dirname,
    env: {},
    timeoutMs: 1000,
    maxBytes: 1000,
  })
  expect(outcome.kind).toBe('not_started')
})
