import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { critical, low } from '../../../test/helpers/plan-builder.ts'
import { TestHost } from '../../../test/helpers/test-host.ts'
import { readActivity } from '../activity/read-activity.ts'
import { reportOfPlan, statusOfPlans } from '../plans/plan-status.ts'
import { steerPlan } from '../plans/steer-plan.ts'

let testing: TestHost
beforeEach(async () => {
  testing = await new TestHost().open()
})
afterEach(() => testing.dispose())

const isReleased = (plan: { state: { release: { step: string } } }): boolean =>
  plan.state.release.step === 'prepared'

describe('a host', () => {
  test('drives a plan to its release', async () => {
    const { plan, how } = await testing.register([low('a'), critical('b', { dependsOn: ['a'] })])
    expect(how).toBe('registered')
    await testing.until(plan, isReleased)
    expect(reportOfPlan(testing.host, plan)).toMatchObject({
      outcome: 'released',
      commits: [{ task: 'a' }, { task: 'b' }],
      plans: [{ id: 'shop', state: 'done', branch: 'feat/shop/working', counts: { completed: 2 } }],
    })
    expect(testing.troubles).toEqual([])
  })

  test('drives plans of many repositories beside each other', async () => {
    const asked = ['shop', 'blog', 'wiki'].map((name) =>
      testing.register([low('a')], { id: 'same', repository: testing.repository(name) }),
    )
    for (const { plan } of await Promise.all(asked)) await testing.until(plan, isReleased)
    expect(statusOfPlans(testing.host).plans.map(({ id, state }) => [id, state])).toEqual([
      ['same', 'done'],
      ['same', 'done'],
      ['same', 'done'],
    ])
  })

  test('goes on where the one before it stopped', async () => {
    await testing.dispose()
    testing = await new TestHost({ worker: () => ({ workMs: null }) }).open()
    const { plan } = await testing.register([low('a')])
    await testing.until(plan, ({ state }) => state.tasks.get('a')?.step === 'working')
    await testing.reopen()
    const [again] = testing.host.plans()
    expect(again?.state.tasks.get('a')).toMatchObject({ step: 'working', attempt: 1 })
    expect(statusOfPlans(testing.host).workers).toMatchObject([
      { id: 'w-shop-a-1', health: 'healthy', pid: 4242 },
    ])
  })

  test('shows a plan that is over, and does not drive it', async () => {
    const { plan } = await testing.register([low('a')])
    await testing.until(plan, ({ state }) => state.inbox.size > 0)
    await plan.propose({ type: 'inbox.answered', v: 1, id: 'R-1', choice: 'sign', feedback: '', by: 'ann' })
    const before = await testing.log.head()
    await testing.reopen()
    expect(testing.host.plans().map(({ state }) => state.release.step)).toEqual(['signed'])
    expect(await testing.log.head()).toBe(before)
  })

  test('takes up the other plans when one cannot be', async () => {
    await testing.register([low('a')])
    await testing.log.append({
      stream: 'gone-12345678/lost',
      expectedVersion: 0,
      at: 1,
      events: [{ type: 'plan.resumed', v: 1, by: 'x' }],
    })
    await testing.reopen()
    expect(testing.host.plans().map(({ id }) => id)).toEqual(['shop'])
    expect(testing.host.unloaded.all()).toMatchObject([{ stream: 'gone-12345678/lost' }])
  })

  test('reports why a plan cannot be loaded, and lets it be cancelled', async () => {
    await testing.dispose()
    testing = await new TestHost({ worker: () => ({ workMs: null }) }).open()
    const { plan } = await testing.register([low('a')])
    await testing.until(plan, ({ state }) => state.tasks.get('a')?.step === 'working')
    testing.noWorld = 'its repository is gone'
    await testing.reopen()
    const steer = (what: 'pause' | 'cancel') =>
      steerPlan(testing.host, { what, plan: 'shop', by: 'ann', reason: '', now: false })
    await expect(steer('pause')).rejects.toThrow('cannot load plan shop: its repository is gone')
    expect(await steer('cancel')).toEqual({ plan: 'shop', changed: true })
    expect([testing.host.unloaded.all(), testing.stoppedOrphans]).toEqual([[], ['w-shop-a-1']])
    await testing.reopen()
    expect([testing.host.unloaded.all(), testing.host.plans()]).toEqual([[], []])
    expect((await testing.host.find('shop')).state.cancelled).not.toBeNull()
  })
})

describe('registering', () => {
  test('the same plan again attaches to it', async () => {
    const first = await testing.register([low('a')])
    const second = await testing.register([low('a')])
    expect(second.how).toBe('attached')
    expect(second.plan).toBe(first.plan)
  })

  test('the same plan by two at once begins it once', async () => {
    const both = await Promise.all([testing.register([low('a')]), testing.register([low('a')])])
    expect(both.map(({ how }) => how).sort()).toEqual(['attached', 'registered'])
  })

  test('another plan under the id of a released one is a conflict', async () => {
    const { plan } = await testing.register([low('a')])
    await testing.until(plan, isReleased)
    await expect(testing.register([low('b')])).rejects.toMatchObject({ code: 'conflict' })
  })

  test('a finished plan again changes nothing, also after it was closed', async () => {
    const { plan } = await testing.register([low('a')])
    await testing.until(plan, isReleased)
    await testing.log.closeStream(plan.home.stream)
    await testing.reopen()
    const again = await testing.register([low('a')])
    expect(again.how).toBe('attached')
    expect(reportOfPlan(testing.host, again.plan).outcome).toBe('released')
  })

  test('keeps the text and the settings it started with', async () => {
    const { plan } = await testing.register([low('a')], { text: 'the plan' })
    const [, entry] = await testing.log.read(plan.home.stream, 0, 2)
    expect(entry?.event).toMatchObject({ type: 'plan.documented', text: 'the plan' })
  })
})

describe('the activity log', () => {
  const file = (): string => {
    const [repository] = testing.host.plans().map(({ home }) => home.repository.id)
    return join(testing.root, 'repos', repository ?? '', 'coordination', 'pm-activity.jsonl')
  }
  const events = (): string[] =>
    readFileSync(file(), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { event: string }).event)

  test('has everything that happened, in order, once', async () => {
    const { plan } = await testing.register([low('a')])
    await testing.until(plan, ({ state }) => state.inbox.size > 0)
    await testing.host.mirror.settled()
    const names = events()
    const expected = ['pm_started', 'task_dispatched', 'worker_registered', 'worker_completed', 'gate_passed']
    const places = [...expected, 'review_approved', 'task_committed', 'release_ready'].map((name) =>
      names.indexOf(name),
    )
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places).not.toContain(-1)
  })

  test('is completed after a crash, without a line twice', async () => {
    const { plan } = await testing.register([low('a')])
    await testing.until(plan, ({ state }) => state.inbox.size > 0)
    await testing.host.close()
    const whole = readFileSync(file(), 'utf8').replace(/.*pm_stopped.*\n/, '')
    const { appendFileSync } = await import('node:fs')
    for (const left of ['', '{"timestamp": "cut sho', whole.slice(0, 2000)]) {
      appendFileSync(file(), left)
      await testing.open()
      await testing.host.close()
      const now = readFileSync(file(), 'utf8')
      expect(now.replaceAll(/.*pm_stopped.*\n/g, '').startsWith(whole), left).toBe(true)
    }
    await testing.open()
  })

  test('can be asked for one worker, one event, one plan', async () => {
    const { plan } = await testing.register([low('a'), low('b')])
    await testing.until(plan, isReleased)
    const ask = async (query: object) => (await readActivity(testing.host, { limit: 100, ...query })).activity
    expect(await ask({ event: 'task_committed' })).toHaveLength(2)
    const own = await ask({ worker: 'w-shop-a-1' })
    expect(own.map(({ event }) => event)).toEqual([
      'task_dispatched',
      'worker_registered',
      'worker_completed',
    ])
    expect(await ask({ plan: 'other' })).toEqual([])
    expect(await readActivity(testing.host, { limit: 2 })).toMatchObject({ truncated: true })
  })
})

describe('a host that does not keep up', () => {
  const pace = { loopMs: 1, overload: { sweepMs: 60_000, lagMs: 60_000, backlog: 1, looks: 2 } }
  let backlog = 0
  let isGrowing = true
  const checkins = {
    name: 'check-ins',
    urgency: 'ordinary',
    run: async () => void (backlog = isGrowing ? backlog + 1 : 0),
    backlog: () => backlog,
  } as const
  const loads = async () =>
    (await readActivity(testing.host, { limit: 100 })).activity
      .map(({ event }) => event)
      .filter((event) => event.startsWith('pm_') && event !== 'pm_started')

  test('begins nothing beside what runs until it does again, and says both once', async () => {
    await testing.dispose()
    const endless = { worker: () => ({ workMs: null }) }
    testing = await new TestHost(endless, pace).open()
    await testing.register([low('a')], { id: 'first' })
    testing.host.heartbeat.add(checkins)
    await expect.poll(() => testing.host.heartbeat.isOverloaded).toBe(true)
    const { plan } = await testing.register([low('a'), low('b')], { id: 'second' })
    const isWorking = (id: string) => plan.state.tasks.get(id)?.step === 'working'
    await testing.until(plan, () => isWorking('a') || isWorking('b'))
    const loops = testing.host.heartbeat.beat.loopsCompleted
    await expect.poll(() => testing.host.heartbeat.beat.loopsCompleted).toBeGreaterThan(loops + 5)
    expect([isWorking('a'), isWorking('b')]).toEqual([true, false])
    isGrowing = false
    await testing.until(plan, () => isWorking('b'))
    expect(await loads()).toEqual(['pm_overloaded', 'pm_recovered'])
  })
})
