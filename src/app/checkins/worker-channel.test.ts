/** Check-ins through the whole host, by token and by file. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { low } from '../../../test/helpers/plan-builder.ts'
import { SECRET, TestHost } from '../../../test/helpers/test-host.ts'
import type { Claim } from '../../core/watch/observed.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import { workerToken, type KnownWorker } from '../workers/live-workers.ts'
import { readActivity } from '../activity/read-activity.ts'
import { receiveCheckin, takeMessages } from './worker-channel.ts'

const WORKER = 'w-shop-a-1'
const SAID = { status: 'in_progress', progress_pct: 40, current_step: 'tests' }
const PATIENCE = { timeout: 20_000, interval: 5 }
let testing: TestHost
let plan: HostedPlan

beforeEach(async () => {
  testing = await new TestHost({ worker: () => ({ workMs: null }) }).open()
  const registered = await testing.register([low('a'), low('b')])
  plan = registered.plan
  await testing.until(plan, ({ state }) => state.tasks.get('a')?.step === 'working')
})
afterEach(() => testing.dispose())

const worker = (id = WORKER): KnownWorker => {
  const found = testing.host.workers.inRepository(id, plan.home.repository.id)
  if (found === null) throw new Error(`${id} is not at work`)
  return found
}
const say = (changes: object) => receiveCheckin(testing.host, worker(), { ...SAID, ...changes })
const kept = async () =>
  (await testing.notes.tail(0, 100))
    .filter(({ event }) => event === 'checkin_received')
    .map(({ data }) => (JSON.parse(data) as { current_step?: string }).current_step)
const claimOf = (id = WORKER, of = plan): Claim | null => of.observed?.workers.get(id)?.claim ?? null
const noted = async (event: string) => {
  const { activity } = await readActivity(testing.host, { limit: 1000, event })
  return activity
}
const coordination = (): string => join(testing.root, 'repos', plan.home.repository.id, 'coordination')
const tokenOf = (id: string): string => workerToken(SECRET, plan.home.stream, id)

describe('a check-in', () => {
  test('is stored, passed to the watch and written to the activity log', async () => {
    expect(await say({})).toEqual({ accepted: true, instructions: [], notes: [] })
    expect(claimOf()).toMatchObject({ percent: 40, step: 'tests', count: 1 })
    expect(await noted('checkin_received')).toMatchObject([{ worker_id: WORKER, task_id: 'a', data: SAID }])
    expect(await kept()).toEqual(['tests'])
  })

  test('that is the newest wins, whichever came last', async () => {
    const at = (ago: number): string => new Date(Date.now() - ago).toISOString()
    await say({ current_step: 'new', progress_pct: 60, timestamp: at(0) })
    await say({ current_step: 'old', progress_pct: 20, timestamp: at(30_000) })
    expect(claimOf()).toMatchObject({ step: 'new', percent: 60, count: 2 })
    expect(await kept()).toEqual(['new', 'old'])
  })

  test('that says the same again counts once', async () => {
    await say({})
    expect(await say({ timestamp: new Date().toISOString() })).toMatchObject({
      accepted: true,
      notes: [expect.stringContaining('counts once')],
    })
    expect(await kept()).toHaveLength(1)
  })

  test('of ten thousand in a second counts twenty times, and the flood is reported once', async () => {
    const all = await Promise.all(
      Array.from({ length: 10_000 }, (_, index) => say({ current_step: `step ${index}` })),
    )
    expect(all.filter(({ accepted }) => accepted)).toHaveLength(20)
    expect(all.at(-1)?.notes).toEqual([expect.stringContaining('more than 20 check-ins in an hour')])
    expect(await kept()).toHaveLength(20)
    expect(await noted('checkin_flood')).toHaveLength(1)
    expect(await noted('checkin_received')).toHaveLength(20)
    expect(plan.observed?.workers.get(WORKER)?.contactAt).toBeGreaterThan(0)
  })

  test.each(['1970-01-01T00:00:00Z', '2099-01-01T00:00:00Z'])(
    'of %s is of now, and says so',
    async (timestamp) => {
      const before = Date.now()
      expect((await say({ timestamp })).notes).toEqual([expect.stringMatching(/^timestamp: /)])
      expect(claimOf()?.at).toBeGreaterThanOrEqual(before)
      expect(await noted('checkin_received')).toMatchObject([{ data: { notes: [expect.any(String)] } }])
    },
  )

  test('is shown without what a terminal would obey', async () => {
    await say({ current_step: 'a\u0000b\u001b[2Jc\u001b]52;c;eA==\u0007d\r\ne\u202e \ud800 $(id) `x`' })
    expect(claimOf()?.step).toBe('abcd e \ufffd $(id) `x`')
  })

  test.each([
    ['progress_pct', { progress_pct: -1 }],
    ['progress_pct', { progress_pct: 1e308 }],
    ['status', { status: 'asleep' }],
    ['issues', { issues: 'x' }],
    ['current_step', { current_step: 'x'.repeat(1024 * 1024) }],
    ['worker_id', { worker_id: 'w-shop-b-1' }],
  ])('with a wrong %s is refused by that name, and changes nothing', async (key, wrong) => {
    await expect(say(wrong)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(`^${key}: `),
    })
    expect([await kept(), claimOf()]).toEqual([[], null])
  })

  test('that cannot be stored is refused, not counted, and may be sent again', async () => {
    const append = vi
      .spyOn(testing.notes, 'appendCheckin')
      .mockRejectedValueOnce(new Error('the disk is full'))
    await expect(say({})).rejects.toThrow('the disk is full')
    expect(claimOf()).toBeNull()
    append.mockRestore()
    expect(await say({})).toMatchObject({ accepted: true, notes: [] })
    expect([claimOf()?.count, await kept()]).toEqual([1, ['tests']])
  })

  test('tells what was used, which tool runs, and what is asked for', async () => {
    await say({
      token_usage: 1200,
      tool_start: 'npm',
      requests: ['need_time', { type: 'need_help', text: 'how?' }],
    })
    expect([...(plan.observed?.workers.get(WORKER)?.tools.keys() ?? [])]).toEqual(['npm'])
    expect(await noted('request_received')).toMatchObject([
      { data: { type: 'need_time' } },
      { data: { type: 'need_help', text: 'how?' } },
    ])
    await say({ tool_end: 'npm' })
    expect(plan.observed?.workers.get(WORKER)?.tools.size).toBe(0)
  })

  test('with an issue and a request asks about the issue, once', async () => {
    await say({ issues: ['no schema'], requests: ['need_clarification'] })
    await say({ issues: ['no schema'], current_step: 'still' })
    await testing.until(plan, ({ state }) => state.inbox.size > 0)
    expect(await noted('request_received')).toMatchObject([
      { data: { type: 'need_clarification', text: 'no schema', by: WORKER } },
    ])
  })

  test('is known after the daemon was started anew', async () => {
    await say({ progress_pct: 40 })
    const before = claimOf()
    await testing.reopen()
    const [again] = testing.host.plans()
    expect(claimOf(WORKER, again)).toEqual(before)
  })
})

describe('a message to a worker', () => {
  const tell = async (id: number, text = 'Say where you are.'): Promise<void> => {
    const message = { id, kind: 'nudge', text, about: `nudge ${id}`, by: 'ann' } as const
    const about = { worker: WORKER, task: 'a', attempt: 1 }
    expect(await plan.propose({ type: 'worker.told', v: 1, ...about, message, why: 'silent' })).toEqual({
      ok: true,
    })
  }
  const waiting = () => plan.state.tasks.get('a')?.live?.watch.waiting.map(({ id }) => id)

  test('is the answer to its next check-in, once', async () => {
    await tell(1)
    expect((await say({})).instructions).toMatchObject([{ id: 1, kind: 'nudge', text: 'Say where you are.' }])
    expect((await say({ progress_pct: 50 })).instructions).toEqual([])
    expect(waiting()).toEqual([])
  })

  test('is given to one of those who ask at the same time', async () => {
    await tell(1)
    const answers = await Promise.all([
      takeMessages(worker(), 'instructions'),
      takeMessages(worker(), 'instructions'),
    ])
    expect(answers.map((messages) => messages.length)).toEqual([1, 0])
  })

  test('is a file, until its worker has taken it and checked in', async () => {
    await tell(1)
    const file = join(coordination(), 'worker-messages', WORKER, '1.txt')
    await vi.waitUntil(() => existsSync(file), PATIENCE)
    expect(readFileSync(file, 'utf8')).toBe('nudge: Say where you are.\n')
    drop({ worker_id: WORKER, token: tokenOf(WORKER), ...SAID })
    await vi.waitUntil(async () => (await kept()).length === 1, PATIENCE)
    expect(waiting()).toEqual([1])
    rmSync(file)
    drop({ worker_id: WORKER, token: tokenOf(WORKER), ...SAID, progress_pct: 60 })
    await vi.waitUntil(() => waiting()?.length === 0, PATIENCE)
    expect((await say({ progress_pct: 70 })).instructions).toEqual([])
  })

  test('that was heard otherwise is a file no more', async () => {
    await tell(1)
    const file = join(coordination(), 'worker-messages', WORKER, '1.txt')
    await vi.waitUntil(() => existsSync(file), PATIENCE)
    await takeMessages(worker(), 'instructions')
    await vi.waitUntil(() => !existsSync(file), PATIENCE)
  })
})

let files = 0
function drop(checkin: object): void {
  const folder = join(coordination(), 'worker-checkins')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `f-${++files}.json`), JSON.stringify(checkin))
}

describe('a check-in in a file', () => {
  const archived = (): number => {
    const folder = join(coordination(), 'worker-checkins/archive')
    return existsSync(folder) ? readdirSync(folder).length : 0
  }
  const settled = (count: number) => vi.waitUntil(() => archived() === count, PATIENCE)

  test('with the token of its attempt is as good as any other', async () => {
    drop({ worker_id: WORKER, token: tokenOf(WORKER), ...SAID })
    await settled(1)
    expect(claimOf()).toMatchObject({ percent: 40 })
    expect(await noted('checkin_received')).toHaveLength(1)
  })

  test('without a token is a sign of life and nothing else', async () => {
    drop({ worker_id: WORKER, ...SAID, status: 'failed', requests: ['need_time'] })
    await settled(1)
    expect([claimOf(), await kept()]).toEqual([null, []])
    expect(plan.observed?.workers.get(WORKER)?.contactAt).toBeGreaterThan(0)
    expect(await noted('request_received')).toEqual([])
  })

  test.each([
    ['of another attempt', () => tokenOf('w-shop-a-2')],
    ['of another worker', () => tokenOf('w-shop-b-1')],
    ['that is none', () => 'x'],
  ])('with a token %s is logged and changes nothing', async (_, token) => {
    drop({ worker_id: WORKER, token: token(), ...SAID })
    drop({ worker_id: WORKER, token: token(), ...SAID })
    await settled(2)
    expect([claimOf(), await kept(), plan.observed?.workers.get(WORKER)?.contactAt ?? null]).toEqual([
      null,
      [],
      null,
    ])
    await vi.waitUntil(async () => (await noted('checkin_stale')).length > 0, PATIENCE)
    expect(await noted('checkin_stale')).toMatchObject([{ worker_id: WORKER, data: { said: 'in_progress' } }])
  })

  test('of a worker that has ended comes too late, and goes', async () => {
    const token = tokenOf(WORKER)
    const about = { worker: WORKER, task: 'a', attempt: 1 }
    await plan.propose({ type: 'worker.condemned', v: 1, ...about, cause: 'killed', why: 'test' })
    await testing.until(plan, ({ state }) => state.tasks.get('a')?.live?.worker !== WORKER)
    drop({ worker_id: WORKER, token, ...SAID })
    await settled(1)
    expect(await kept()).toEqual([])
  })

  test('that was left while no daemon was there is taken when there is one', async () => {
    await testing.host.close()
    drop({ worker_id: WORKER, token: tokenOf(WORKER), ...SAID })
    await testing.open()
    await settled(1)
    expect(await kept()).toEqual(['tests'])
  })

  test('that was kept before a crash and is still there is not kept twice', async () => {
    drop({ worker_id: WORKER, token: tokenOf(WORKER), ...SAID })
    await settled(1)
    await testing.host.close()
    files -= 1
    drop({ worker_id: WORKER, token: tokenOf(WORKER), ...SAID })
    await testing.open()
    await vi.waitUntil(() => !existsSync(join(coordination(), `worker-checkins/f-${files}.json`)), PATIENCE)
    expect(await kept()).toEqual(['tests'])
  })

  test('that is invalid is reported with the reason', async () => {
    drop({ worker_id: WORKER, ...SAID, progress_pct: 'much' })
    await vi.waitUntil(async () => (await noted('checkin_malformed')).length === 1, PATIENCE)
    expect(await noted('checkin_malformed')).toMatchObject([
      { data: { count: 1, files: [{ problem: expect.stringMatching(/^progress_pct: /) }] } },
    ])
  })
})
