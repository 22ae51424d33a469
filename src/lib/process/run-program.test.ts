import { expect, test } from 'vitest'
import { captureProgram, runProgram } from './run-program.ts'

const node = (script: string, limits: { timeoutMs?: number; maxBytes?: number } = {}) =>
  runProgram({
    command: process.execPath,
    args: ['-e', script],
    cwd: import.meta.dirname,
    env: {},
    timeoutMs: limits.timeoutMs ?? 60_000,
    maxBytes: limits.maxBytes ?? 100_000,
  })

test('a program that ends has an exit code and its output', async () => {
  expect(await node('console.log("out"); console.error("err"); process.exit(3)')).toEqual({
    kind: 'exited',
    code: 3,
    stdout: 'out\n',
    stderr: 'err\n',
  })
})

test('a program reads what it is given, as far as it wants to', async () => {
  const call = { command: 'head', cwd: '/', env: process.env, timeoutMs: 60_000, maxBytes: 100_000 }
  const input = 'line\n'.repeat(100_000)
  expect(await runProgram({ ...call, args: ['-n', '1'], input })).toMatchObject({ code: 0, stdout: 'line\n' })
})

test('bytes are kept as they are', async () => {
  const call = { command: 'cat', args: [], cwd: '/', env: process.env, timeoutMs: 60_000, maxBytes: 100 }
  const input = Buffer.from([0xff, 0x00, 0xfe])
  expect(await captureProgram({ ...call, input })).toMatchObject({ code: 0, stdout: input })
})

test('a program that the system refuses to start did not start', async () => {
  expect(await node('0'.repeat(4 * 1024 * 1024))).toMatchObject({ kind: 'not_started' })
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

test('a program that takes too long ends also where a process that it started holds its output', async () => {
  const script = 'require("child_process").spawn("yes", { stdio: "inherit" }); setInterval(() => {}, 1000)'
  const outcome = await node(script, { timeoutMs: 200, maxBytes: Number.MAX_SAFE_INTEGER })
  expect(outcome).toEqual({ kind: 'timed_out', afterMs: 200 })
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

test('a program whose folder is gone says so, and not that the program is missing', async () => {
  const call = { command: process.execPath, args: ['--version'], env: {}, timeoutMs: 5000, maxBytes: 1000 }
  expect(await runProgram({ ...call, cwd: '/no/such/folder' })).toEqual({
    kind: 'not_started',
    reason: 'the working folder does not exist: /no/such/folder',
  })
})
