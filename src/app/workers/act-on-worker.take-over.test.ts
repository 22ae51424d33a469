import { afterEach, beforeEach, expect, test } from 'vitest'
import { low } from '../../../test/helpers/plan-builder.ts'
import { TestHost } from '../../../test/helpers/test-host.ts'
import { answerItem } from '../inbox/answer-item.ts'
import { takeOver } from './act-on-worker.ts'
import { showWorker } from './workers.ts'

const WORKER = 'w-shop-a-1'

let testing: TestHost
beforeEach(async () => {
  testing = await new TestHost({ worker: () => ({ workMs: null }) }).open()
  const { plan } = await testing.register([low('a')])
  await testing.until(plan, ({ state }) => state.tasks.get('a')?.step === 'working')
})
afterEach(() => testing.dispose())

const open = (id = WORKER, by = 'ann') => takeOver(testing.host, { id, by })
const takenOver = async () => {
  await open()
  const [plan] = testing.host.plans()
  if (plan === undefined) throw new Error('there is no plan')
  await testing.until(plan, ({ state }) => state.inbox.size > 0)
  return plan
}

test('a worker is taken over once, by the first who asks, and shows by whom', async () => {
  const plan = await takenOver()
  await open(WORKER, 'bert')
  const { takeover, now } = await showWorker(testing.host, { id: WORKER })
  expect([takeover, now]).toMatchObject([{ by: 'ann', ready: true, session: null }, null])
  expect(plan.state.tasks.get('a')?.attempt).toBe(1)
})

test('the item that it names hands the work back, also by its long id', async () => {
  const plan = await takenOver()
  const { takeover } = await showWorker(testing.host, { id: WORKER })
  const answer = { choice: 'gates', feedback: '', by: 'ann' } as const
  await answerItem(testing.host, { id: takeover?.item ?? '', ...answer })
  expect(plan.state.tasks.get('a')?.step).not.toBe('taken_over')
  expect((await showWorker(testing.host, { id: WORKER })).takeover).toBeNull()
})

test('an unknown worker, and one that has ended, are refused', async () => {
  await expect(open('w-shop-z-1')).rejects.toMatchObject({ code: 'not_found' })
  const plan = await takenOver()
  const { takeover } = await showWorker(testing.host, { id: WORKER })
  await answerItem(testing.host, { id: takeover?.item ?? '', choice: 'gates', feedback: '', by: 'ann' })
  await testing.until(plan, ({ state }) => state.tasks.get('a')?.step !== 'collecting')
  await expect(open()).rejects.toMatchObject({ code: 'conflict' })
})
