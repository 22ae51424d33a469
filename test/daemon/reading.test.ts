/** Commands that only read, where no daemon runs: they start none, and nothing goes on. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { StatusAnswer } from '../../src/protocol/answers.ts'
import { ended } from '../delivery/lab.ts'
import { Home, printed } from './program.ts'

let home: Home
beforeEach(async () => {
  home = new Home({ SCRIPT: 'endless' })
  const run = home.spawn(['run', 'shop-plan.md'])
  const over = ended(run)
  await printed(run, 'stdout', /dispatched/)
  run.kill('SIGINT')
  await over
})
afterEach(() => home.dispose())

const events = (): unknown => {
  const db = new DatabaseSync(join(home.root, 'bosun.db'), { readOnly: true })
  const row = db.prepare('select max(seq) as seq from events').get()
  db.close()
  return row
}
const starts = (): number =>
  readFileSync(join(home.root, 'daemon.log'), 'utf8').split('bosun is listening on').length - 1
const isServed = (): boolean => existsSync(join(home.root, 'daemon.json'))

const READING = ['status', 'log', 'inbox', 'worker list', 'worker show w-shop-1-1', 'release show shop', '']

describe('after bosun stop', () => {
  test('reading starts no daemon and no plan, and says of when it is what it shows', async () => {
    const before = await home.json<StatusAnswer>(['status'])
    await home.run(['stop'])
    const recorded = events()
    const read = async (line: string) => {
      const { stdout, stderr, exit } = await home.run(line.split(' ').filter((word) => word !== ''))
      expect({ line, exit }).toEqual({ line, exit: line.startsWith('release') ? 3 : 0 })
      expect(`${stdout}${stderr}`).toMatch(/no daemon running; as of \d\d:\d\d/)
    }
    await Promise.all(READING.map(read))
    const { daemon, ...status } = await home.json<StatusAnswer>(['status'])
    expect(daemon).toEqual({
      running: false,
      as_of: expect.stringMatching(/^\d{4}-.*Z$/),
      pid: null,
      port: null,
      url: null,
      version: null,
      build: null,
      started_at: null,
    })
    expect(Object.keys(status)).toEqual(Object.keys(before).filter((key) => key !== 'daemon'))
    expect(status.tasks).toEqual(before.tasks)
    expect(await home.json(['inbox'])).toMatchObject({ inbox: [], daemon: { running: false } })
    expect({ recorded: events(), starts: starts(), isServed: isServed() }).toEqual({
      recorded,
      starts: 1,
      isServed: false,
    })
  })

  test('pause writes the pause down before anything goes on, and resume sets the plan going', async () => {
    await home.run(['stop'])
    expect(await home.run(['pause', '--reason', 'lunch'])).toMatchObject({
      exit: 0,
      stdout: 'shop is paused\n',
    })
    expect({ starts: starts(), isServed: isServed() }).toEqual({ starts: 1, isServed: false })
    expect(await home.json(['status'])).toMatchObject({
      plans: [{ state: 'paused' }],
      daemon: { running: false },
    })
    expect(await home.run(['resume'])).toMatchObject({ exit: 0, stdout: 'shop is resumed\n' })
    expect(await home.json(['status'])).toMatchObject({
      plans: [{ state: 'running' }],
      daemon: { running: true },
    })
    expect(starts()).toBe(2)
  })

  test('cancel ends the plan without starting a daemon for it', async () => {
    await home.run(['stop'])
    expect(await home.run(['cancel', 'shop'])).toMatchObject({ exit: 0, stdout: 'shop is cancelled\n' })
    expect({ starts: starts(), isServed: isServed() }).toEqual({ starts: 1, isServed: false })
    expect((await home.run(['status'])).stdout).toContain('cancelled')
  })

  test('log --follow and watch say that no daemon runs, and go on with the next one', async () => {
    await home.run(['stop'])
    const follow = home.spawn(['log', '--follow', '--event', 'pm_restarted'])
    const watch = home.spawn(['watch', '--json'])
    const waiting = [follow, watch].map((child) =>
      printed(child, 'stderr', /no daemon is running; waiting for one .*bosun resume/),
    )
    const heard = [
      printed(follow, 'stdout', /pm_restarted/),
      printed(watch, 'stdout', /"event":"plan_paused"/),
    ]
    await Promise.all(waiting)
    expect(isServed()).toBe(false)
    await home.run(['resume'])
    await home.run(['pause'])
    await Promise.all(heard)
    for (const child of [follow, watch]) child.kill('SIGINT')
  })
})

test('reading leaves a daemon of another build alone, and shows what the database says', async () => {
  const before = home.daemon()
  const { stdout } = await home.run(['status', '--json'], { BUILD: 'two' })
  expect(JSON.parse(stdout)).toMatchObject({
    daemon: { pid: before.pid, running: true, as_of: expect.any(String) },
    plans: [{ id: 'shop' }],
  })
  expect((await home.run(['status'], { BUILD: 'two' })).stdout).toContain('is a different build')
  expect(home.daemon()).toEqual(before)
})
