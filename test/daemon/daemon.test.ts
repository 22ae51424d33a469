/** The daemon as a process: who serves, how it is found, how it ends, how it comes back. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { identify } from '../../src/lib/process/processes.ts'
import type { StatusAnswer } from '../../src/protocol/answers.ts'
import { sendRaw } from '../helpers/raw-http.ts'
import { ended } from '../delivery/lab.ts'
import { Home, printed } from './program.ts'

let home: Home
beforeEach(() => {
  home = new Home({ SCRIPT: 'endless' })
})
afterEach(() => home.dispose())

const starts = (): number =>
  readFileSync(join(home.root, 'daemon.log'), 'utf8').split('bosun is listening on').length - 1
/** `resume` is the least that sets plans going, and so needs the daemon. */
const pidOf = async (): Promise<number> => {
  await home.run(['resume'])
  return (await home.json<StatusAnswer>(['status'])).daemon.pid
}

describe('a command that needs the daemon', () => {
  test('starts it, and the next one finds it', async () => {
    const first = await pidOf()
    expect(await pidOf()).toBe(first)
    expect(first).toBe(home.daemon().pid)
    expect(readFileSync(`/proc/${first}/cmdline`, 'utf8')).toContain('bosun serve')
  })

  test('finds the one that another command starts at the same time', async () => {
    const pids = await Promise.all(Array.from({ length: 5 }, pidOf))
    expect(new Set(pids).size).toBe(1)
    expect(starts()).toBe(1)
  })

  test('starts it anew after it was killed, and the plan goes on', async () => {
    const run = home.spawn(['run', 'shop-plan.md'])
    const over = ended(run)
    await printed(run, 'stdout', /dispatched/)
    const before = home.daemon().pid
    process.kill(before, 'SIGKILL')
    await home.run(['resume'])
    const { daemon, tasks } = await home.json<StatusAnswer>(['status'])
    expect(daemon.pid).not.toBe(before)
    expect(tasks[0]).toMatchObject({ id: '1', status: 'in_progress', attempt: 1 })
    await home.run(['cancel', 'shop'])
    expect((await over).exit).toBe(1)
  })

  test('that is attached when the daemon is killed reads on where it was', async () => {
    const run = home.spawn(['run', 'shop-plan.md', '--json'])
    const output = ended(run)
    await printed(run, 'stdout', /worker_registered/)
    process.kill(home.daemon().pid, 'SIGKILL')
    await printed(run, 'stdout', /pm_restarted/)
    await home.run(['cancel', 'shop'])
    const lines = (await output).stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
    const places = lines.flatMap(({ data }) => (data === undefined ? [] : [data]))
    expect(places.length).toBeGreaterThan(5)
    expect(lines.map(({ event }) => event).filter((event) => event === 'task_dispatched')).toHaveLength(1)
    expect(lines.at(-1)).toMatchObject({ plan: 'shop', outcome: 'cancelled' })
  })

  test('replaces a daemon of another version', async () => {
    await home.run(['resume'], { VERSION: '1.0.0' })
    const old = home.daemon()
    await home.run(['resume'], { VERSION: '2.0.0' })
    const daemon = home.daemon()
    expect(daemon).toMatchObject({ version: '2.0.0', port: old.port })
    expect(daemon.pid).not.toBe(old.pid)
    expect(identify(old.pid)).toBeNull()
  })

  test('replaces a daemon of another build', async () => {
    await home.run(['resume'], { BUILD: 'one' })
    const old = home.daemon()
    await home.run(['resume'], { BUILD: 'two' })
    const daemon = home.daemon()
    expect(daemon).toMatchObject({ version: old.version, build: 'two', port: old.port })
    expect(identify(old.pid)).toBeNull()
  })

  test('that is attached goes on with a daemon of another build', async () => {
    const run = home.spawn(['run', 'shop-plan.md', '--json'], { BUILD: 'one' })
    const over = ended(run)
    await printed(run, 'stdout', /worker_registered/)
    const restarted = printed(run, 'stdout', /pm_restarted/)
    await home.run(['resume'], { BUILD: 'two' })
    await restarted
    await home.run(['cancel', 'shop'], { BUILD: 'two' })
    expect((await over).stdout).toContain('"outcome":"cancelled"')
    expect(home.daemon().build).toBe('two')
  })

  test('never sends the token to a stranger on its port', async () => {
    await home.run(['resume'])
    process.kill(home.daemon().pid, 'SIGKILL')
    const heard: IncomingHttpHeaders[] = []
    const stranger = createServer((request, answer) => {
      heard.push(request.headers)
      answer.end('{}')
    })
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
    const { port } = stranger.address() as AddressInfo
    writeFileSync(join(home.root, 'daemon.json'), JSON.stringify({ ...home.daemon(), port }))
    expect((await home.run(['status'])).exit).toBe(0)
    expect((await home.run(['resume'])).exit).toBe(0)
    expect(heard.length).toBeGreaterThan(0)
    expect(JSON.stringify(heard)).not.toContain(home.token())
    stranger.close()
  })

  test('ends with 12 and the reason when it cannot be started', async () => {
    const run = await home.run(['resume'], { BOSUN_HOME: '/dev/null/state' })
    expect(run.exit).toBe(12)
    expect(run.stderr).toMatch(/^error: cannot store Bosun's state here: .*\/dev\/null\/state/)
    expect(run.stderr.trimEnd().split('\n')).toHaveLength(2)
  })
})

interface Line {
  readonly event?: string
  readonly data?: unknown
}

describe('the daemon', () => {
  test('leaves a token for its owner alone, and says where it is', async () => {
    await home.run(['resume'])
    expect(home.token()).toMatch(/^[0-9a-f]{64}$/)
    expect(statSync(join(home.root, 'token')).mode & 0o777).toBe(0o600)
    expect(home.daemon()).toMatchObject({ url: `http://127.0.0.1:${home.daemon().port}`, version: '0.0.1' })
  })

  test('listens on loopback only, and requires the token', async () => {
    await home.run(['resume'])
    const { port } = home.daemon()
    const listening = readFileSync('/proc/net/tcp', 'utf8') + readFileSync('/proc/net/tcp6', 'utf8')
    const own = listening
      .split('\n')
      .filter((line) => line.includes(`:${port.toString(16).toUpperCase()} `) && / 0A /.test(line))
    expect(own.map((line) => line.trim().split(/\s+/)[1])).toEqual([
      `0100007F:${port.toString(16).toUpperCase()}`,
    ])
    const ask = (token: string) =>
      sendRaw(
        port,
        `GET /api/plans HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
      )
    expect((await ask('0'.repeat(64))).status).toBe(401)
    expect((await ask(home.token())).status).toBe(200)
  })

  test('serves once for a state root', async () => {
    await home.run(['resume'])
    const second = await home.run(['serve'])
    expect(second.exit).toBe(4)
    expect(second.stderr).toContain(`pid ${home.daemon().pid}`)
  })

  test('ends cleanly on TERM: nothing of it is left, and it says goodbye', async () => {
    const daemon = home.spawn(['serve'])
    await printed(daemon, 'stderr', /is listening on/)
    const run = home.spawn(['run', 'shop-plan.md'])
    await printed(run, 'stdout', /dispatched/)
    run.kill('SIGINT')
    await ended(run)
    daemon.kill('SIGTERM')
    expect((await ended(daemon)).exit).toBe(0)
    for (const name of ['daemon.json', 'lock.pid']) expect(existsSync(join(home.root, name))).toBe(false)
    const { stdout } = await home.run(['log', '--event', 'pm_stopped'])
    expect(stdout).toContain('pm_stopped')
  })

  test('refuses a port that is taken, and one that is none', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const taken = await home.run(['serve', '--port', String(port)])
    expect(taken).toMatchObject({
      exit: 4,
      stderr: expect.stringContaining(`port ${port} is already in use`),
    })
    expect((await home.run(['serve', '--port', '99999'])).exit).toBe(2)
    other.close()
  })

  test('refuses to listen more widely, and says how to come from elsewhere', async () => {
    const run = await home.run(['serve', '--host', '0.0.0.0', '--port', '8080'])
    expect(run.exit).toBe(2)
    expect(run.stderr).toContain('ssh -L 8080:127.0.0.1:8080')
  })

  test('ends by itself when the folder of its state is gone', async () => {
    const gone = new Home({ WATCH: JSON.stringify({ loopMs: 20, graceMs: 300 }) })
    await gone.run(['resume'])
    const { pid } = JSON.parse(readFileSync(join(gone.root, 'daemon.json'), 'utf8')) as { pid: number }
    rmSync(gone.folder, { recursive: true, force: true })
    await expect.poll(() => identify(pid), { timeout: 60_000 }).toBeNull()
  })

  test('stops by itself when its state was removed and another daemon took over, and leaves that one alone', async () => {
    const gone = new Home({ WATCH: JSON.stringify({ loopMs: 20, graceMs: 300 }) })
    await gone.run(['resume'])
    const { pid } = gone.daemon()
    rmSync(gone.root, { recursive: true, maxRetries: 10 })
    mkdirSync(gone.root, { recursive: true })
    const other = JSON.stringify({ pid: process.pid })
    writeFileSync(join(gone.root, 'daemon.json'), other)
    await expect.poll(() => identify(pid), { timeout: 60_000 }).toBeNull()
    expect(readFileSync(join(gone.root, 'daemon.json'), 'utf8')).toBe(other)
    rmSync(gone.folder, { recursive: true, force: true })
  })

  test('exits once everything is closed, whatever else would keep its process alive', async () => {
    const serving = home.spawn(['serve'], { LINGER: 'yes' })
    const over = ended(serving)
    await printed(serving, 'stderr', /listening/)
    expect((await home.run(['stop'])).exit).toBe(0)
    expect([(await over).exit, serving.signalCode]).toEqual([0, null])
  })

  test('is ended by stop, and stop is content where there is none', async () => {
    await home.run(['resume'])
    const { pid } = home.daemon()
    expect(await home.run(['stop'])).toMatchObject({ exit: 0, stdout: 'stopped the daemon\n' })
    expect(identify(pid)).toBeNull()
    expect(await home.run(['stop'])).toMatchObject({ exit: 0, stdout: 'no daemon is running\n' })
  })

  test('is not started by a bare bosun, whether there was one before or not', async () => {
    expect((await home.run([])).exit).toBe(0)
    expect(existsSync(home.root)).toBe(false)
    await home.run(['resume'])
    const { pid } = home.daemon()
    process.kill(pid, 'SIGKILL')
    const { exit, stdout } = await home.run([])
    expect({ exit, stdout }).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining(`the daemon (pid ${pid}) died`),
    })
    expect(starts()).toBe(1)
  })
})
