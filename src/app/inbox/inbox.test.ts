import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { low } from '../../../test/helpers/plan-builder.ts'
import { TestHost } from '../../../test/helpers/test-host.ts'
import { answerItem } from './answer-item.ts'
import { reviewAnswer } from '../../protocol/task-answer.ts'
import { inboxOf } from './inbox.ts'
import { reviewItem } from './review-item.ts'
import { reportOfPlan } from '../plans/plan-status.ts'
import { steerPlan } from '../plans/steer-plan.ts'
import { killWorker, showWorker } from '../workers/workers.ts'

let testing: TestHost
afterEach(() => testing.dispose())

const by = 'ann'
const answer = (id: string, choice: string, repository?: string) =>
  answerItem(testing.host, { id, choice, feedback: 'known', by, repository })

describe('the inbox', () => {
  beforeEach(async () => {
    testing = await new TestHost({
      gates: { outcome: (gate) => (gate === 'unit' ? 'failed' : 'passed') },
    }).open()
  })

  const escalated = async (name: string, id = 'shop') => {
    const { plan } = await testing.register([low('a')], { id, repository: testing.repository(name) })
    await testing.until(plan, ({ state }) => state.inbox.size > 0)
    return plan
  }

  test('shows an escalation in its one form', async () => {
    const plan = await escalated('shop')
    expect(inboxOf(testing.host)).toEqual([
      {
        id: 'E-1',
        kind: 'escalation',
        plan: 'shop',
        task: 'a',
        task_title: 'Do a',
        problem: 'task a (Do a): unit tests still failing after 2 fix attempts: unit failed (scripted)',
        impact: 'task a stays open; nothing else depends on it',
        options: [
          {
            key: 'revise',
            label: expect.any(String),
            consequence: expect.stringContaining('revision 1 of 3'),
          },
          { key: 'approve', label: expect.any(String), consequence: expect.stringContaining('Your name') },
          { key: 'reject', label: expect.any(String), consequence: expect.stringContaining('planning') },
        ],
        recommended: 'revise',
        blocking: true,
        since: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        repo: testing.repository('shop'),
        blocks: ['a'],
        evidence: ['unit tests failed', expect.stringMatching(/^the worker writes: /)],
        group: [],
        scopes: [],
        reason_needed: ['approve'],
        feedback_needed: [],
      },
    ])
    expect(reportOfPlan(testing.host, plan).outcome).toBe('gate_failed')
  })

  test('a cancelled plan has no open items', async () => {
    const plan = await escalated('shop')
    await steerPlan(testing.host, { what: 'cancel', plan: 'shop', by, reason: '', now: false })
    expect(inboxOf(testing.host)).toEqual([])
    expect(reportOfPlan(testing.host, plan).inbox).toEqual([])
    await expect(answer('E-1', 'approve')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('shows one item with the work and the proof it is about', async () => {
    await escalated('shop')
    const shown = reviewAnswer.parse(await reviewItem(testing.host, 'e-1'))
    expect(shown).toMatchObject({
      item: { id: 'E-1', kind: 'escalation' },
      reason_needed: ['approve'],
      feedback_needed: [],
      task: { id: 'a', files: expect.any(Array), criteria: expect.any(Array) },
      gates: expect.arrayContaining([expect.objectContaining({ gate: 'unit', outcome: 'failed' })]),
    })
    await expect(reviewItem(testing.host, 'E-9')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('a rejected task is not built again without feedback', async () => {
    const plan = await escalated('shop')
    await answerItem(testing.host, { id: 'E-1', choice: 'reject', feedback: '', by })
    await testing.until(plan, ({ state }) => state.inbox.has('Q-2'))
    expect(await reviewItem(testing.host, 'Q-2')).toMatchObject({ feedback_needed: ['rescope'] })
    await expect(
      answerItem(testing.host, { id: 'Q-2', choice: 'rescope', feedback: ' ', by }),
    ).rejects.toMatchObject({
      code: 'usage',
      message:
        'rescope on Q-2 needs your feedback: it becomes the new scope, and the rejection had no feedback',
      remedy: 'Add it: bosun answer Q-2 rescope --feedback "…"',
    })
    expect(await answer('Q-2', 'rescope')).toMatchObject({ choice: 'rescope' })
  })

  test('an override without a reason or without a name is refused, and nothing is written', async () => {
    await escalated('shop')
    const before = await testing.log.head()
    const override = { id: 'E-1', choice: 'approve' }
    await expect(answerItem(testing.host, { ...override, feedback: ' ', by })).rejects.toMatchObject({
      code: 'usage',
      remedy: expect.stringMatching(/--reason/),
    })
    await expect(answerItem(testing.host, { ...override, feedback: 'known' })).rejects.toMatchObject({
      code: 'usage',
      remedy: expect.stringMatching(/--by/),
    })
    expect(await testing.log.head()).toBe(before)
  })

  test('of two answers at once one counts, and the other is refused', async () => {
    await escalated('shop')
    const both = await Promise.allSettled([answer('E-1', 'approve'), answer('E-1', 'reject')])
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(both[1]).toMatchObject({
      reason: {
        code: 'conflict',
        message: expect.stringMatching(/ann chose approve/),
        details: {
          theirs: {
            by: 'ann',
            at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
            choice: 'approve',
            feedback: 'known',
          },
          yours: { by: 'ann', choice: 'reject', feedback: 'known' },
        },
      },
    })
  })

  test('an answer is taken once', async () => {
    const plan = await escalated('shop')
    await answer('e-1', 'approve')
    await testing.until(plan, ({ state }) => state.release.step === 'prepared')
    await expect(answer('E-1', 'approve')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/ann chose approve/),
      details: { theirs: { by: 'ann', choice: 'approve' }, yours: { choice: 'approve' } },
    })
    await expect(answer('E-9', 'approve')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('what is no option of the item is refused, with the options', async () => {
    await escalated('shop')
    await expect(answer('E-1', 'launch')).rejects.toMatchObject({
      code: 'usage',
      remedy: expect.stringMatching(/revise.*approve.*reject/),
    })
  })

  test('pause is an answer to everything, and leaves the item open', async () => {
    const plan = await escalated('shop')
    await answer('E-1', 'pause')
    expect(plan.state.paused).toMatchObject({ by })
    expect(inboxOf(testing.host)).toHaveLength(1)
  })

  test('items of two plans with the same id are distinguished, and each id answers its own', async () => {
    const [shop, blog] = [await escalated('shop', 'shop'), await escalated('blog', 'blog')]
    expect(inboxOf(testing.host).map(({ id }) => id)).toEqual(['shop:E-1', 'blog:E-1'])
    await expect(answer('E-1', 'pause')).rejects.toMatchObject({ code: 'conflict' })
    await answer('blog:E-1', 'pause')
    await answer('E-1', 'pause', shop.home.repository.id)
    expect([shop, blog].map(({ state }) => state.paused?.by)).toEqual([by, by])
  })

  test('an answer to an item that was shown of one plan never reaches another plan', async () => {
    const shop = await escalated('shop', 'shop')
    const shown = { id: 'E-1', choice: 'approve', feedback: 'known', by, plan: 'shop' }
    await answerItem(testing.host, { ...shown, repository: shop.home.repository.id })
    const blog = await escalated('blog', 'blog')
    const same = await escalated('fork', 'shop')
    await expect(
      answerItem(testing.host, { ...shown, repository: shop.home.repository.id }),
    ).rejects.toMatchObject({ code: 'conflict', message: 'E-1 was already answered: ann chose approve' })
    expect([blog.state.inbox.size, same.state.inbox.size]).toEqual([1, 1])
  })

  test('plans of the same name in two repositories too', async () => {
    const plans = [await escalated('shop'), await escalated('blog')]
    const [first, second] = inboxOf(testing.host).map(({ id }) => id)
    expect(first).toBe(`${plans[0]?.home.repository.id}:shop:E-1`)
    await answer(second ?? '', 'pause')
    expect(plans.map(({ state }) => state.paused !== null)).toEqual([false, true])
  })
})

describe('equal permissions', () => {
  beforeEach(async () => {
    testing = await new TestHost({ worker: () => ({ workMs: null }) }).open()
  })

  test('are one entry, and one answer for the plan answers all of them and those that follow', async () => {
    const { plan } = await testing.register([low('a'), low('b')])
    const workers = ['a', 'b'].map((task) => ({ worker: `w-shop-${task}-1`, task, attempt: 1 }))
    const isWorking = (task: string): boolean => plan.state.tasks.get(task)?.live?.step === 'working'
    await testing.until(plan, () => isWorking('a') && isWorking('b'))
    const ask = async (nth: number): Promise<void> => {
      for (const who of workers) {
        const request = {
          id: `${who.worker}-r${nth}`,
          kind: 'permission',
          text: 'run `curl x` (uses the network: curl)',
          priority: 'normal',
          by: who.worker,
          ref: `p${nth}`,
          equalBy: 'run `curl x` (uses the network)',
        } as const
        await plan.propose({ type: 'request.received', v: 1, ...who, request })
      }
    }
    await ask(1)
    await testing.until(plan, ({ state }) => state.inbox.size === 2)
    expect(inboxOf(testing.host)).toMatchObject([
      { id: 'P-1', group: ['P-1', 'P-2'], blocks: ['a', 'b'], scopes: ['once', 'task', 'plan'] },
    ])
    expect(await reviewItem(testing.host, 'P-2')).toMatchObject({ item: { id: 'P-2', task: 'b' } })
    await answerItem(testing.host, { id: 'P-1', choice: 'allow', feedback: '', by, scope: 'plan' })
    expect([inboxOf(testing.host), plan.state.humanDecisions.length]).toEqual([[], 2])
    await ask(2)
    const answers = () =>
      workers
        .flatMap(({ task }) => plan.state.tasks.get(task)?.live?.watch.requests ?? [])
        .map(({ answer }) => answer)
    await testing.until(plan, () => answers().filter((one) => one?.by === by).length === 4)
    expect(plan.state.itemsOpened).toBe(2)
  })
})

describe('steering', () => {
  beforeEach(async () => {
    testing = await new TestHost({ worker: () => ({ workMs: null }) }).open()
  })

  const steer = (what: 'pause' | 'resume' | 'cancel', now: 'now' | 'later' = 'later') =>
    steerPlan(testing.host, { what, plan: 'shop', by, reason: '', now: now === 'now' })
  const working = async () => {
    const { plan } = await testing.register([low('a')])
    await testing.until(plan, ({ state }) => state.tasks.get('a')?.step === 'working')
    return plan
  }

  test('pausing twice changes it once, and so does resuming', async () => {
    await working()
    const changes = []
    for (const what of ['resume', 'pause', 'pause', 'resume', 'resume'] as const)
      changes.push((await steer(what)).changed)
    expect(changes).toEqual([false, true, false, true, false])
  })

  test('a pause at once stops the workers, and the work goes on after it', async () => {
    const plan = await working()
    await steer('pause', 'now')
    await testing.until(plan, ({ state }) => state.tasks.get('a')?.step === 'deciding')
    await steer('resume')
    await testing.until(plan, ({ state }) => state.tasks.get('a')?.attempt === 2)
  })

  test('what was cancelled stays so', async () => {
    await working()
    await steer('cancel')
    expect((await steer('cancel')).changed).toBe(false)
    await expect(steer('pause')).rejects.toMatchObject({ code: 'conflict' })
  })

  test('a plan that does not exist is not found', async () => {
    await expect(steer('pause')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('a worker that is killed is replaced, and its story can be read', async () => {
    const plan = await working()
    await killWorker(testing.host, { id: 'w-shop-a-1', by, reason: 'it dreams' })
    await testing.until(plan, ({ state }) => state.tasks.get('a')?.cause?.kind === 'lost')
    const shown = await showWorker(testing.host, { id: 'w-shop-a-1' })
    expect(shown.now).toBeNull()
    expect(shown.history.map(({ text }) => text).join('\n')).toContain('ann killed it: it dreams')
    await expect(killWorker(testing.host, { id: 'w-shop-a-1', by, reason: '' })).rejects.toMatchObject({
      code: 'conflict',
    })
    await expect(showWorker(testing.host, { id: 'w-shop-z-1' })).rejects.toMatchObject({ code: 'not_found' })
  })
})
