import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtEnvironment } from './built-environment.ts'
import { detectContainment, type Containment } from './containment.ts'
import { textOf } from './output-keeper.ts'
import { processRows } from './processes.ts'
import { runCapped, wholeLines, type CappedCall } from './run-capped.ts'

let folder: string
let best: Containment
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bosun-capped-'))
  best = await detectContainment()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const env = builtEnvironment(process.env)
const run = (command: string | readonly string[], more: Partial<CappedCall> = {}) =>
  runCapped({ command, cwd: folder, env, timeoutMs: 20_000, maxOutputBytes: 64 * 1024, ...more })

/** A unique sleep duration, by which the test finds its processes. */
const oddSeconds = () => String(100_000 + Math.floor(Math.random() * 800_000))
const sleepers = async (seconds: string) => {
  const alive = processRows().filter((row) => !row.isZombie)
  const lines = await Promise.all(
    alive.map((row) => readFile(`/proc/${row.pid}/cmdline`, 'latin1').catch(() => '')),
  )
  return lines.filter((line) => line === `sleep\0${seconds}\0`).length
}

for (const kind of ['namespace', 'group'] as const) {
  const how = (): Partial<CappedCall> => ({ containment: kind === 'group' ? { kind } : best })

  describe(`in a ${kind}`, () => {
    test('says how a command exited, and keeps both of its streams', async () => {
      const { outcome, output } = await run('echo out; echo err >&2; exit 3', how())
      expect(outcome).toEqual({ kind: 'exited', code: 3 })
      expect(textOf(output).split('\n').sort()).toEqual(['', 'err', 'out'])
    })

    test('a killed command is not an exited one', async () => {
      const { outcome, output } = await run(['sh', '-c', 'kill -9 $$'], how())
      expect(outcome).toEqual({ kind: 'signalled', signal: 'SIGKILL' })
      expect(textOf(output)).toBe('')
    })

    test('gives stdin, and minds no command that ends without reading it', async () => {
      const stdin = 'x'.repeat(1024 * 1024)
      expect(textOf((await run('head -c 3', { ...how(), stdin })).output)).toBe('xxx')
      expect((await run('true', { ...how(), stdin })).outcome).toEqual({ kind: 'exited', code: 0 })
    })

    test('what a command leaves behind ends with it, and does not delay the result', async () => {
      const seconds = oddSeconds()
      const script = `setsid sleep ${seconds} & (sleep ${seconds} &) ; nohup sleep ${seconds} & echo done`
      const { outcome } = await run(script, how())
      expect(outcome).toEqual({ kind: 'exited', code: 0 })
      expect(await sleepers(seconds)).toBe(0)
    })

    test('a command that takes too long is ended whole, even if it ignores being asked', async () => {
      const seconds = oddSeconds()
      const script = `trap '' TERM; sleep ${seconds} & while :; do sleep ${seconds}; done`
      const { outcome } = await run(script, { ...how(), timeoutMs: 200, graceMs: 200 })
      expect(outcome).toEqual({ kind: 'timed_out', afterMs: 200 })
      expect(await sleepers(seconds)).toBe(0)
    })

    test('a command that is asked to end has time to do so', async () => {
      const script = 'trap "echo bye; exit 0" TERM; echo up; while :; do sleep 0.02; done'
      const { output } = await run(script, { ...how(), timeoutMs: 300, graceMs: 10_000 })
      expect(textOf(output)).toMatch(/^up\n[^]*bye\n$/)
    })

    test('is ended when its caller no longer wants it', async () => {
      const controller = new AbortController()
      const onOutput = () => controller.abort()
      const { outcome } = await run('echo up; sleep 1000', { ...how(), signal: controller.signal, onOutput })
      expect(outcome).toEqual({ kind: 'aborted' })
    })
  })
}

test('a command in a namespace sees nothing but itself', async () => {
  if (best.kind !== 'namespace') return
  const { output } = await run(`cat /proc/[0-9]*/comm; kill -0 ${process.pid} 2>&1 || echo hidden`)
  expect(textOf(output)).toContain('hidden')
  expect(textOf(output)).not.toContain('vitest')
})

test('a failure to save the output is reported after the whole tree has ended', async () => {
  const marker = join(folder, 'ended')
  const running = run(`yes | head -c 300000; echo more; touch ${marker}`, {
    outputFile: { path: '/dev/full', maxBytes: 1_000_000 },
  })
  await expect(running).rejects.toMatchObject({ code: 'ENOSPC' })
  expect(existsSync(marker)).toBe(true)
})

test('keeps the beginning and the end of a long output, and the hash of all of it', async () => {
  const { output } = await run('echo first; head -c 300000000 /dev/zero; echo; echo last', {
    maxOutputBytes: 100,
    outputFile: { path: join(folder, 'output'), maxBytes: 1000 },
  })
  const everything = Buffer.concat([
    Buffer.from('first\n'),
    Buffer.alloc(300_000_000),
    Buffer.from('\nlast\n'),
  ])
  expect(output.totalBytes).toBe(everything.length)
  expect(output.sha256).toBe(createHash('sha256').update(everything).digest('hex'))
  expect([output.head.length, output.tail.length, output.omittedBytes]).toEqual([
    50,
    50,
    everything.length - 100,
  ])
  expect(textOf(output)).toMatch(/^first\n[^]*bytes left out[^]*\nlast\n$/)
  const file = await readFile(join(folder, 'output'), 'latin1')
  expect(file.startsWith('first\n') && file.length < 1100).toBe(true)
})

describe('what cannot be started', () => {
  const why = async (command: readonly string[], more?: Partial<CappedCall>) =>
    (await run(command, more)).outcome

  test('says why: no such program, not executable, no interpreter, no folder', async () => {
    await writeFile(join(folder, 'plain'), 'echo hello\n', { mode: 0o644 })
    await writeFile(join(folder, 'odd'), '#!/nowhere/interpreter\n', { mode: 0o755 })
    expect(await why(['no-such-program-here'])).toMatchObject({
      reason: 'no-such-program-here is not on the PATH',
    })
    expect(await why(['./absent'])).toMatchObject({ reason: './absent does not exist' })
    expect(await why(['./plain'])).toMatchObject({ reason: './plain is not executable' })
    expect(await why(['./odd'])).toMatchObject({
      reason: 'odd needs /nowhere/interpreter, which cannot be run',
    })
    expect(await why(['true'], { cwd: join(folder, 'gone') })).toMatchObject({ kind: 'not_started' })
  })

  test('nothing is started for a caller that has gone already', async () => {
    const { outcome } = await run('echo never', { signal: AbortSignal.abort() })
    expect(outcome).toEqual({ kind: 'aborted' })
  })
})

describe('two streams as one', () => {
  const joined = (...chunks: (readonly ['stdout' | 'stderr', string])[]): string => {
    const written: Buffer[] = []
    const lines = wholeLines((chunk) => void written.push(chunk))
    for (const [from, text] of chunks) lines.add(Buffer.from(text), from)
    lines.end()
    return Buffer.concat(written).toString()
  }

  test('hold a line that is begun back until it ends', () => {
    const chunks = [
      ['stdout', 'test a ... ok\ntest b ... '],
      ['stderr', '     Running tests/b.rs (target/b)\n'],
      ['stdout', 'ok\n'],
    ] as const
    expect(joined(...chunks)).toBe('test a ... ok\n     Running tests/b.rs (target/b)\ntest b ... ok\n')
  })

  test('end with what was begun, and hold back no more than 64 KiB', () => {
    const long = 'x'.repeat(70_000)
    expect(joined(['stdout', long], ['stderr', 'err\n'], ['stdout', 'y'])).toBe(`${long}err\ny`)
  })
})
