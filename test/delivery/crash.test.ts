import { afterAll, expect, test } from 'vitest'
import { deliverThrough, drawKills } from './crash.ts'
import { TwelveTasks } from './twelve-tasks.ts'

const calm = new TwelveTasks()
const crashed = new TwelveTasks()
afterAll(async () => {
  await Promise.all([calm.lab.dispose(), crashed.lab.dispose()])
})

const SEED = Number(process.env['BOSUN_TEST_SEED'] ?? Date.now() % 100_000)
const KILLS = 10

test(`a run whose daemon is killed ten times ends like a calm one (seed ${SEED})`, async () => {
  const done = await calm.lab.deliver()
  expect(done.exit, done.stdout.slice(-2000)).toBe(0)
  const expected = calm.delivered()
  expect(Object.keys(expected.tasks)).toHaveLength(12)
  expect(expected.workers).toContain('w-twelve-5-2')

  const before = crashed.lab.refs()
  // What lands first differs from run to run, and with it how often work is proven: the last lines may not come.
  const kills = drawKills(SEED, KILLS, Math.floor(calm.lab.activity().length * 0.8))
  const result = await deliverThrough(crashed, kills)

  expect(result).toMatchObject({ exit: 0, kills: KILLS, last: { outcome: 'released' } })
  expect(crashed.delivered(), JSON.stringify(kills)).toEqual(expected)
  expect(result.last.commits).toHaveLength(12)
  expect(new Set(crashed.ran()).size, 'no worker ran twice').toBe(crashed.ran().length)

  const { 'refs/heads/feat/twelve/working': ours, ...after } = crashed.lab.refs()
  expect(ours).toBeDefined()
  const theirs = Object.entries(after).filter(([ref]) => !ref.startsWith('refs/tags/pm/twelve/'))
  expect(Object.fromEntries(theirs)).toEqual(before)
  crashed.lab.git('fsck', '--strict', '--no-dangling')
  expect(crashed.lab.git('status', '--porcelain')).toBe('?? bosun.yaml')

  expect([...calm.lab.heldClones(), ...crashed.lab.heldClones()]).toEqual([])
  await crashed.lab.stop()
  expect(crashed.lab.processes()).toEqual([])
}, 180_000)
