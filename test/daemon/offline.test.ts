/** A daemon that died, hangs or does not keep up: what every command says of it. */
import type { ChildProcess } from 'node:child_process'
import { existsSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { Check } from '../../src/app/upkeep/doctor.ts'
import { identify } from '../../src/lib/process/processes.ts'
import { localMoment } from '../../src/lib/system/local-time.ts'
import type { StatusAnswer } from '../../src/protocol/answers.ts'
import { Home, printed } from './program.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

let home: Home
let halted: number | null = null
afterEach(async () => {
  // A daemon that was stopped by a signal could not be ended by asking.
  if (halted !== null && identify(halted) !== null) process.kill(halted, 'SIGKILL')
  halted = null
  await home.dispose()
})

const addressFile = (): string => join(home.root, 'daemon.json')

/** As if it had been well the last time twenty minutes ago. */
function lastSeenLongAgo(): string {
  const at = new Date(Date.now() - 20 * 60_000)
  utimesSync(addressFile(), at, at)
  return localMoment(at)
}

describe('a daemon that hangs', () => {
  async function hanging(): Promise<{ readonly pid: number; readonly since: string }> {
    home = new Home({ SCRIPT: 'endless' })
    await home.run(['resume'])
    const { pid } = home.daemon()
    process.kill(pid, 'SIGSTOP')
    halted = pid
    return { pid, since: lastSeenLongAgo() }
  }

  test('is offline for status, watch, the overview and doctor, since its loop last turned', async () => {
    const { pid, since } = await hanging()
    const words = `PM offline since ${since}: the daemon (pid ${pid}) is not responding`
    const watch = home.spawn(['watch'])
    const [status, watched, overview, doctor] = await Promise.all([
      home.run(['status']),
      printed(watch, 'stderr', /PM offline since/),
      home.run([]),
      home.run(['doctor']),
    ])
    watch.kill('SIGINT')
    expect(status).toMatchObject({ exit: 0, stderr: '', stdout: expect.stringContaining(words) })
    expect(status.stdout).toContain('bosun stop --force')
    expect(watched).toContain(words)
    expect(overview.exit).toBe(0)
    expect(overview.stdout).toContain(words)
    expect(overview.stdout).toContain('next:')
    expect(doctor.exit).toBe(1)
    expect(doctor.stdout).toContain(words)
  })

  test('is reported by stop, and stopped by stop --force', async () => {
    const { pid } = await hanging()
    expect(await home.run(['stop'])).toMatchObject({ exit: 12 })
    expect(identify(pid)).not.toBeNull()
    expect(await home.run(['stop', '--force'])).toMatchObject({ exit: 0, stdout: 'stopped the daemon\n' })
    expect(identify(pid)).toBeNull()
    expect(existsSync(addressFile())).toBe(false)
    expect((await home.run(['status'])).exit).toBe(0)
  })
})

describe('a daemon that was killed', () => {
  test('is offline for doctor, and the command that restarts it reports since when', async () => {
    home = new Home({ SCRIPT: 'endless' })
    await home.run(['resume'])
    const { pid } = home.daemon()
    process.kill(pid, 'SIGKILL')
    const since = lastSeenLongAgo()
    const { checks } = await home.json<{ readonly checks: readonly Check[] }>(['doctor'])
    expect(checks.find(({ id }) => id === 'daemon')).toMatchObject({
      status: 'warning',
      message: `PM offline since ${since}: the daemon (pid ${pid}) died`,
    })
    const { exit, stderr } = await home.run(['resume'])
    expect(exit).toBe(0)
    expect(stderr).toBe(`PM was offline since ${since}: the daemon (pid ${pid}) had died; restarting it\n`)
    expect((await home.run(['status'])).stderr).toBe('')
  })

  test('is not taken for another process that has its number now', async () => {
    home = new Home()
    await home.run(['resume'])
    process.kill(home.daemon().pid, 'SIGKILL')
    writeFileSync(addressFile(), JSON.stringify({ ...home.daemon(), pid: process.pid }))
    expect((await home.run(['stop', '--force'])).stdout).toBe('no daemon is running\n')
    expect((await home.run(['status'])).exit).toBe(0)
  })
})

test('a daemon that is well says so every loop, in the time of its file', async () => {
  home = new Home({ WATCH: '{"loopMs": 20}' })
  await home.run(['resume'])
  lastSeenLongAgo()
  await expect
    .poll(() => Date.now() - statSync(addressFile()).mtimeMs, { timeout: 60_000 })
    .toBeLessThan(60_000)
  expect((await home.json<StatusAnswer>(['status'])).daemon.pid).toBe(home.daemon().pid)
})

test('a daemon that does not keep up says so once, and once that it does again', async () => {
  const limits = { sweepMs: 60_000, lagMs: 100, backlog: 100, looks: 2 }
  const pace = JSON.stringify({ loopMs: 1000, overload: limits })
  const file = join(tempFolder('busy'), 'busy')
  home = new Home({ SCRIPT: 'endless', WATCH: pace, BUSY: file })
  const run = home.spawn(['run', 'shop-plan.md', '--json'])
  await printed(run, 'stdout', /worker_registered/)
  const watch = home.spawn(['watch', '--json'])
  await hears(watch)
  writeFileSync(file, '')
  const line = await printed(watch, 'stdout', /pm_overloaded/)
  expect(JSON.parse(line)).toMatchObject({
    data: { why: expect.stringContaining('the event loop lags'), lag_ms: expect.any(Number), backlog: 0 },
  })
  expect((await home.run(['status'])).stdout).toContain('PM overloaded: the event loop lags')
  rmSync(file)
  await printed(watch, 'stdout', /pm_recovered/)
  expect((await home.run(['status'])).stdout).not.toContain('PM overloaded')
})

/** It shows what happens from when it is there, and does not say that it is. */
async function hears(watch: ChildProcess): Promise<void> {
  const there = new AbortController()
  const heard = printed(watch, 'stdout', /plan_(paused|resumed)/).then(() => there.abort())
  while (!there.signal.aborted) for (const what of ['pause', 'resume']) await home.run([what, 'shop'])
  await heard
}
