import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { low } from '../../../test/helpers/plan-builder.ts'
import { TestHost } from '../../../test/helpers/test-host.ts'
import { systemClock } from '../../lib/system/system-clock.ts'
import { readHere } from '../../server/reading-routes.ts'
import { inboxOf } from '../inbox/inbox.ts'
import { statusOfAll } from '../plans/plan-status.ts'
import { readActivity } from '../activity/read-activity.ts'
import { steerWithoutDaemon, steerPlan } from '../plans/steer-plan.ts'
import { showWorker } from '../workers/workers.ts'
import type { HostedPlan } from './hosted-plan.ts'
import { ReadOnlyHost } from './read-only-host.ts'

let testing: TestHost
let plan: HostedPlan
const living = new Map<string, number>()

beforeEach(async () => {
  living.clear()
  testing = await new TestHost({ worker: () => ({ workMs: null }) }).open()
  plan = (await testing.register([low('a'), low('b', { dependsOn: ['a'] })])).plan
  await testing.until(plan, ({ state }) => [...state.active].some(({ live }) => live?.step === 'working'))
})
afterEach(() => testing.dispose())

/** Ends the daemon's host, and reads what it left. */
async function atRest(): Promise<ReadOnlyHost> {
  const { repositories } = testing.host.parts
  await testing.host.close()
  return ReadOnlyHost.open({
    root: testing.root,
    clock: systemClock,
    log: testing.log,
    repositories,
    notes: testing.notes,
    sightOf: () => ({ pidOf: (worker) => living.get(worker) ?? null }),
    caretakerOf: async () => null,
  })
}

const at = Date.now()
const by = 'ann'

describe('plans that are read without a daemon', () => {
  test('are shown as they were left, and nothing is written or begun', async () => {
    const before = statusOfAll(testing.host)
    const host = await atRest()
    const head = await testing.log.head()
    living.set('w-shop-a-1', 4711)
    const status = statusOfAll(host)
    expect(status.plans).toEqual(before.plans)
    expect(status.tasks).toEqual(before.tasks)
    expect(status.workers.map(({ id, pid, health }) => ({ id, pid, health }))).toEqual([
      { id: 'w-shop-a-1', pid: 4711, health: 'healthy' },
    ])
    expect(inboxOf(host)).toEqual([])
    expect((await showWorker(host, { id: 'w-shop-a-1' })).task).toBe('a')
    expect((await readActivity(host, { limit: 100 })).activity.map(({ event }) => event)).toContain(
      'pm_stopped',
    )
    expect(host.asOf).toBe((await testing.log.tail(head - 1, 1))[0]?.at)
    expect(await testing.log.head()).toBe(head)
  })

  test('say of a worker whose process is gone that it has ended', async () => {
    expect(statusOfAll(await atRest()).workers[0]).toMatchObject({
      pid: null,
      health: 'ended',
      reason: 'exited; the next daemon collects its work',
    })
  })

  test('show the last claim of a worker', async () => {
    const claim = {
      at: at - 5000,
      status: 'in_progress',
      statusSince: at,
      percent: 40,
      percentSince: at,
    } as const
    const more = { step: 'tests', nextStep: null, timeRemaining: null, issues: [], failure: null, count: 1 }
    await testing.notes.remember({ stream: plan.home.stream, worker: 'w-shop-a-1' }, { ...claim, ...more })
    expect(statusOfAll(await atRest()).workers[0]).toMatchObject({
      last_checkin: new Date(at - 5000).toISOString(),
      progress_pct: 40,
      current_step: 'tests',
    })
  })

  test('tell what the daemon had no time to write into the activity log', async () => {
    const host = await atRest()
    const { state } = plan
    const event = { type: 'plan.paused', v: 1, by, reason: 'lunch', stopWorkers: false } as const
    const append = {
      stream: plan.home.stream,
      expectedVersion: state.version,
      at: Date.now(),
      events: [event],
    }
    expect((await testing.log.append(append)).ok).toBe(true)
    const { activity } = await readActivity(host, { limit: 100 })
    expect(activity.at(-1)).toMatchObject({ event: 'plan_paused', plan_id: 'shop' })
  })

  test('answer the paths that the daemon answers, and refuse what is not there', async () => {
    const ask = readHere({ host: await atRest(), facts: null })
    for (const path of ['/api/status', '/api/metrics', '/api/plans/shop', '/api/inbox', '/api/workers'])
      expect(await ask(path)).toMatchObject({ status: 200 })
    expect(JSON.parse((await ask('/api/status')).text)).toMatchObject({
      daemon: null,
      plans: [{ id: 'shop' }],
    })
    expect((await ask('/api/plans/none')).status).toBe(404)
  })
})

describe('a plan that is paused or cancelled without a daemon', () => {
  test('takes effect before a daemon loads the plan: no worker starts any more', async () => {
    const { parts } = await atRest()
    const request = { plan: 'shop', by, reason: 'lunch', now: false, at }
    expect(
      await steerWithoutDaemon({ log: testing.log, ...pick(parts) }, { what: 'pause', ...request }),
    ).toMatchObject({
      plan: 'shop',
      changed: true,
      workers: [],
    })
    expect(
      await steerWithoutDaemon({ log: testing.log, ...pick(parts) }, { what: 'pause', ...request }),
    ).toMatchObject({
      changed: false,
    })
    await testing.open()
    const again = await testing.host.find('shop')
    expect(again.state.paused).toMatchObject({ by, reason: 'lunch' })
    await steerPlan(testing.host, { what: 'resume', plan: 'shop', by, reason: '', now: false })
    expect(again.state.paused).toBeNull()
    const types = (await testing.log.tail(0, 1000)).map(({ event }) => event.type)
    const paused = types.slice(types.indexOf('plan.paused'), types.indexOf('plan.resumed'))
    expect(paused.filter((type) => type === 'task.dispatched' || type === 'worker.started')).toEqual([])
  })

  test('names the workers that are to end with it', async () => {
    const { parts } = await atRest()
    const request = { plan: 'shop', by, reason: '', at }
    const now = await steerWithoutDaemon(
      { log: testing.log, ...pick(parts) },
      { what: 'pause', now: true, ...request },
    )
    expect(now.workers).toEqual(['w-shop-a-1'])
    const gone = await steerWithoutDaemon(
      { log: testing.log, ...pick(parts) },
      { what: 'cancel', now: false, ...request },
    )
    expect(gone).toMatchObject({ changed: true, workers: ['w-shop-a-1'] })
    await expect(
      steerWithoutDaemon(
        { log: testing.log, ...pick(parts) },
        { what: 'pause', now: false, ...request, plan: 'none' },
      ),
    ).rejects.toMatchObject({ code: 'not_found' })
  })
})

const pick = ({ repositories }: ReadOnlyHost['parts']) => ({ repositories })
