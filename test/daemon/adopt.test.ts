/** Processes that Bosun did not start, watched by a real daemon with short times. */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { identify } from '../../src/lib/process/processes.ts'
import type { ActivityLine, WorkerRow } from '../../src/protocol/answers.ts'
import { Home } from './program.ts'
import { documentProblems } from '../helpers/json-documents.ts'

const PACE = JSON.stringify({ loopMs: 100, graceMs: 300 })

let home: Home
const children: ChildProcess[] = []
beforeEach(() => {
  home = new Home({ WATCH: PACE })
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await home.dispose()
})

/** Its environment is not ours: what runs these tests may be a worker of somebody's. */
async function processOf(script: string, how: { readonly uid?: number } = {}): Promise<number> {
  const child = spawn('/bin/sh', ['-c', script], { env: { PATH: '/usr/bin:/bin' }, stdio: 'ignore', ...how })
  children.push(child)
  await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject))
  return child.pid ?? 0
}
const adopt = (pid: number, ...more: readonly string[]) =>
  home.run(['worker', 'adopt', '--pid', String(pid), ...more])
const lines = async (worker: string): Promise<readonly ActivityLine[]> =>
  (await home.json<{ readonly activity: readonly ActivityLine[] }>(['log', '--worker', worker])).activity
const events = async (worker: string): Promise<readonly string[]> =>
  (await lines(worker)).map(({ event }) => event)
const until = (worker: string, last: string): Promise<void> =>
  expect.poll(async () => (await events(worker)).at(-1), { timeout: 60_000, interval: 300 }).toBe(last)
const listed = async (): Promise<readonly WorkerRow[]> =>
  (await home.json<{ readonly workers: readonly WorkerRow[] }>(['worker', 'list'])).workers
const isGone = (pid: number): Promise<void> =>
  expect.poll(() => identify(pid), { timeout: 60_000 }).toBeNull()

describe('a process that is adopted', () => {
  test('is listed, with why nothing else is known of it', async () => {
    const pid = await processOf('exec sleep 1000')
    const adopted = await adopt(pid, '--name', 'old-agent', '--time-limit', '2h')
    expect(adopted.stdout).toBe(`watching old-agent (pid ${pid}) with a time limit of 2h\n`)
    const row = {
      id: 'old-agent',
      task: null,
      role: 'adopted',
      health: 'healthy',
      reason: 'adopted; only its time limit is watched',
      pid,
    }
    expect(await listed()).toMatchObject([row])
    expect(await home.json(['status'])).toMatchObject({ workers: [row] })
    expect((await home.run(['status'])).stdout).toContain(`pid ${pid}`)
    expect((await home.run(['worker', 'instruct', 'old-agent', 'go on'])).stderr).toContain(
      'cannot receive messages',
    )
    expect((await home.run(['worker', 'show', 'old-agent'])).stdout).toContain('old-agent: healthy: adopted')
    expect(await lines('old-agent')).toMatchObject([
      {
        event: 'worker_registered',
        data: { pid, command: 'sleep 1000', time_limit_ms: 7_200_000, by: 'ann' },
      },
    ])
  })

  test('is warned of three times, then ended with all it started, also what does not listen', async () => {
    const marker = join(home.folder, 'child')
    const deaf = `sh -c 'trap "" TERM; echo $$ > "${marker}.part"; mv "${marker}.part" "${marker}"; while :; do sleep 1; done'`
    const pid = await processOf(`${deaf} & wait`)
    await expect.poll(() => existsSync(marker), { timeout: 60_000 }).toBe(true)
    const child = Number(readFileSync(marker, 'utf8'))
    expect((await adopt(pid, '--time-limit', '3s')).exit).toBe(0)
    await until(`adopted-${pid}`, 'worker_killed')
    const logged = await lines(`adopted-${pid}`)
    expect(logged.map(({ event, data }) => [event, data['percent']])).toEqual([
      ['worker_registered', undefined],
      ['timeout_warning', 50],
      ['timeout_warning', 75],
      ['timeout_warning', 90],
      ['timeout_exceeded', undefined],
      ['worker_killed', undefined],
    ])
    expect(logged.at(-2)?.data['ran_ms']).toBeGreaterThanOrEqual(3300)
    expect(logged.at(-1)?.data).toMatchObject({ how: 'killed', survivors: [], why: 'its time is up' })
    await Promise.all([isGone(pid), isGone(child)])
    expect(await listed()).toEqual([])
  })

  test('that ends by itself is logged of as one whose end proves nothing', async () => {
    const file = join(home.folder, 'go')
    const pid = await processOf(`while [ ! -e "${file}" ]; do sleep 0.05; done`)
    await adopt(pid)
    writeFileSync(file, '')
    await until(`adopted-${pid}`, 'worker_completed')
    expect((await lines(`adopted-${pid}`)).at(-1)?.data).toEqual({
      note: 'its exit proves nothing about its work',
    })
    expect((await home.run(['worker', 'show', `adopted-${pid}`])).stdout).toContain(`adopted-${pid}: ended\n`)
  })

  test('is ended when a person says so', async () => {
    const pid = await processOf('exec sleep 1000')
    await adopt(pid)
    expect((await home.run(['worker', 'kill', `adopted-${pid}`, '--reason', 'enough'])).exit).toBe(0)
    await until(`adopted-${pid}`, 'worker_killed')
    expect((await lines(`adopted-${pid}`)).at(-1)?.data).toMatchObject({
      why: 'ann killed it: enough',
      how: 'terminated',
    })
    await isGone(pid)
  })

  test('is left running in monitor mode, and that is noted', async () => {
    writeFileSync(join(home.repo, 'bosun.yaml'), 'watch: { mode: monitor, warnings: [] }\n')
    const pid = await processOf('exec sleep 1000')
    await adopt(pid, '--time-limit', '50ms')
    await until(`adopted-${pid}`, 'timeout_exceeded')
    expect((await lines(`adopted-${pid}`)).at(-1)?.data).toMatchObject({
      note: 'would have killed it; watch.mode is monitor',
    })
    expect(identify(pid)).not.toBeNull()
    expect((await listed())[0]?.reason).toContain('time is up, left running (monitor mode)')
  })

  test('is watched on by the daemon that comes after one that was killed', async () => {
    const pid = await processOf('exec sleep 1000')
    await adopt(pid, '--time-limit', '4s')
    process.kill(home.daemon().pid, 'SIGKILL')
    expect(await listed()).toMatchObject([{ id: `adopted-${pid}`, pid }])
    await home.run(['resume'])
    await until(`adopted-${pid}`, 'worker_killed')
    await isGone(pid)
    expect((await events(`adopted-${pid}`)).filter((event) => event === 'worker_registered')).toHaveLength(1)
  })

  test('is not another process that has its number now', async () => {
    const pid = await processOf('exec sleep 1000')
    await adopt(pid, '--time-limit', '1h')
    await home.run(['stop'])
    const [repository = ''] = readdirSync(join(home.root, 'repos'))
    const file = join(home.root, 'repos', repository, 'adopted.json')
    const kept = readFileSync(file, 'utf8')
    const other = kept.replace(/"start": "\d+"/, '"start": "1"').replace('"limitMs": 3600000', '"limitMs": 1')
    expect(other).not.toBe(kept)
    writeFileSync(file, other)
    await home.run(['resume'])
    await until(`adopted-${pid}`, 'worker_completed')
    expect(identify(pid)).not.toBeNull()
  })
})

describe('what cannot be adopted is refused', () => {
  const REFUSED = [
    [['--pid', '1'], 4, 'process 1 is the init process, which holds the whole system'],
    [['--pid', '4194305'], 3, 'no process 4194305'],
    [['--pid', '0'], 2, 'invalid --pid "0"'],
    [['--pid', '-5'], 2, 'invalid --pid "-5"'],
    [['--pid', 'x'], 2, 'invalid --pid "x"'],
    [[], 2, 'worker adopt needs --pid'],
    [['--pid', '4194305', '--time-limit', 'soon'], 2, 'invalid duration "soon" (use 90s, 15m or 2h)'],
    [['--pid', '4194305', '--name', 'A b'], 2, 'a worker cannot be named "A b"'],
    [['--pid', '4194305', '--name', 'w-shop-1-1'], 2, 'a worker cannot be named "w-shop-1-1"'],
  ] as const
  // One daemon for all of them: what is refused changes nothing for the next.
  test('with the reason and the exit code of each', async () => {
    for (const [args, exit, words] of REFUSED) {
      const run = await home.run(['worker', 'adopt', ...args])
      expect(run.stderr, args.join(' ')).toContain(words)
      expect(run.exit, args.join(' ')).toBe(exit)
    }
  })

  test('twice, under a name that is taken, and what has ended', async () => {
    const [one, two] = [await processOf('exec sleep 1000'), await processOf('exec sleep 1000')]
    await adopt(one, '--name', 'first')
    expect(await adopt(one, '--name', 'second')).toMatchObject({ exit: 4 })
    expect((await adopt(one)).stderr).toContain(`process ${one} is adopted already, as first`)
    expect((await adopt(two, '--name', 'first')).stderr).toContain(
      'an adopted worker named first already exists',
    )
    process.kill(two, 'SIGKILL')
    await isGone(two)
    expect((await adopt(two)).exit).toBe(3)
  })

  test('the daemon, what started the command, and a worker of a plan', async () => {
    await home.run(['resume'])
    const { pid } = home.daemon()
    expect((await adopt(pid)).stderr).toContain(`process ${pid} is the daemon itself`)
    expect((await adopt(process.pid)).stderr).toContain(`was started by process ${process.pid}`)
    const child = spawn('sleep', ['1000'], {
      env: { PATH: '/usr/bin:/bin', BOSUN_TREE: 'x' },
      stdio: 'ignore',
    })
    children.push(child)
    await expect.poll(() => readFileSync(`/proc/${child.pid}/cmdline`, 'utf8')).toContain('sleep')
    expect((await adopt(child.pid ?? 0)).stderr).toContain("belongs to a worker of Bosun's")
  })

  test.skipIf(process.getuid?.() !== 0)("another user's process, also for root", async () => {
    const pid = await processOf('exec sleep 1000', { uid: 65_534 })
    const run = await adopt(pid)
    expect(run.exit).toBe(4)
    expect(run.stderr).toContain(`process ${pid} belongs to another user (65534)`)
  })

  test('outside of a repository', async () => {
    const pid = await processOf('exec sleep 1000')
    const run = await home.runIn('/', ['worker', 'adopt', '--pid', String(pid)])
    expect(run).toMatchObject({ exit: 2, stderr: expect.stringContaining('not inside a git repository') })
  })
})

test('its time is up when it is up, and not when the loop of the daemon turns next', async () => {
  const slow = new Home({ WATCH: JSON.stringify({ loopMs: 600_000, graceMs: 300 }) })
  try {
    const pid = await processOf('exec sleep 1000')
    const adopted = await slow.run(['worker', 'adopt', '--pid', String(pid), '--time-limit', '1s', '--json'])
    expect(documentProblems(JSON.parse(adopted.stdout), ['worker adopt'])).toEqual([])
    await isGone(pid)
  } finally {
    await slow.dispose()
  }
})
