import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { low } from '../../../test/helpers/plan-builder.ts'
import { TestHost } from '../../../test/helpers/test-host.ts'
import { journalAnswer } from '../../protocol/worker-views.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import { extendWorker, nudgeWorker } from './act-on-worker.ts'
import { workerJournal, workerDiff } from './worker-journal.ts'
import { killWorker, showWorker } from './workers.ts'

const WORKER = 'w-shop-a-1'
const asked = { id: WORKER, by: 'ann' }
let testing: TestHost
let plan: HostedPlan

beforeAll(async () => {
  testing = await new TestHost({ worker: () => ({ workMs: null }) }).open()
  plan = (await testing.register([low('a')])).plan
  await testing.until(plan, ({ state }) => state.tasks.get('a')?.live?.step === 'working')
})
afterAll(() => testing.dispose())

test('what a person does about a worker is durable, and its journal names the person', async () => {
  expect(await nudgeWorker(testing.host, asked)).toMatchObject({
    done: true,
    text: expect.stringContaining(WORKER),
  })
  const before = plan.state.tasks.get('a')?.live?.watch.extraMs ?? 0
  expect(await extendWorker(testing.host, { ...asked, minutes: 30 })).toMatchObject({ done: true })
  expect(plan.state.tasks.get('a')?.live?.watch.extraMs).toBe(before + 30 * 60_000)
  const journal = journalAnswer.parse(await workerJournal(testing.host, { id: WORKER }))
  expect(journal.entries[0]?.kind).toBe('state')
  expect(journal.entries).toEqual(
    expect.arrayContaining([
      {
        at: expect.any(String),
        kind: 'intervention',
        text: expect.stringContaining('ann asks for a sign of life'),
      },
      { at: expect.any(String), kind: 'intervention', text: `ann gave ${WORKER} 30 min more` },
    ]),
  )
})

test('the journal is read from its end, a page at a time', async () => {
  const all = await workerJournal(testing.host, { id: WORKER })
  const last = await workerJournal(testing.host, { id: WORKER, limit: 2 })
  expect([last.entries, last.total]).toEqual([all.entries.slice(-2), all.total])
  const before = await workerJournal(testing.host, { id: WORKER, limit: 200, cursor: last.next ?? '' })
  expect([...before.entries, ...last.entries]).toEqual(all.entries)
  expect(before.next).toBeNull()
  for (const cursor of ['-1', 'x', '999999'])
    await expect(workerJournal(testing.host, { id: WORKER, cursor })).rejects.toMatchObject({ code: 'usage' })
})

test('a look at a worker reads only events about it, and on from where the last look ended', async () => {
  const { total } = await workerJournal(testing.host, { id: WORKER })
  const { log } = testing.host.parts
  const [read, search] = [vi.spyOn(log, 'read'), vi.spyOn(log, 'search')]
  await extendWorker(testing.host, { ...asked, minutes: 5 })
  const before = { reads: read.mock.calls.length, searches: search.mock.calls.length }
  expect((await workerJournal(testing.host, { id: WORKER, limit: 1 })).total).toBeGreaterThan(total ?? 0)
  expect((await showWorker(testing.host, { id: WORKER })).task).toBe('a')
  await workerDiff(testing.host, { id: WORKER })
  const looks = search.mock.calls.slice(before.searches)
  expect(read.mock.calls.length).toBe(before.reads)
  read.mockRestore()
  search.mockRestore()
  expect(looks).toHaveLength(3)
  for (const [, { afterVersion, texts }] of looks) {
    expect(afterVersion).toBeGreaterThan(0)
    expect(texts).toContain(JSON.stringify(WORKER))
  }
})

test('the answer to a nudge says when the worker gets it', async () => {
  const again = await nudgeWorker(testing.host, asked)
  expect(again.text).toBe(
    `an earlier nudge for ${WORKER} is still queued: delivered with its next check-in (it has not checked in so far)`,
  )
})

test('an ended or unknown worker is refused', async () => {
  await killWorker(testing.host, { ...asked, reason: '' })
  await testing.until(plan, ({ state }) => state.tasks.get('a')?.live?.worker !== WORKER)
  await expect(nudgeWorker(testing.host, asked)).rejects.toMatchObject({
    code: 'conflict',
    message: `${WORKER} has already ended`,
  })
  await expect(extendWorker(testing.host, { ...asked, id: 'w-x', minutes: 5 })).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(workerJournal(testing.host, { id: 'w-x' })).rejects.toMatchObject({ code: 'not_found' })
})
