/** The states of home that a short run of a daemon does not show: its snapshot is replaced on the way to the page. */
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InboxEntry, PlanRow } from '../../src/protocol/answers.ts'
import type { SnapshotAnswer } from '../../src/protocol/machine-answer.ts'
import type { Lab } from '../delivery/lab.ts'
import { smallProject } from '../delivery/small-project.ts'
import {
  aBrowser,
  DESKTOP,
  expectAccessible,
  look,
  expectNoSidewaysScroll,
  PHONE,
  shoot,
  signedIn,
  type Complaints,
} from './browser.ts'

let lab: Lab
let context: BrowserContext
beforeAll(async () => {
  lab = smallProject({ agent: 'work; report' })
  context = await aBrowser()
  // Requests of a SharedWorker cannot be answered by a test.
  await context.addInitScript('delete globalThis.SharedWorker')
})
afterAll(() => lab.dispose())

const REPO = '/home/ana/code/checkout-service'
const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString()

const plan: PlanRow = {
  id: 'checkout',
  title: null,
  repo: REPO,
  state: 'running',
  why: '',
  branch: 'feat/checkout/working',
  counts: { completed: 9, in_progress: 3, ready: 4, pending: 6, escalated: 1 },
  notes: [],
  trouble: null,
  usage: null,
  thinking: null,
}

const permission: InboxEntry = {
  id: 'P-2',
  kind: 'permission',
  plan: 'checkout',
  task: 'T-12',
  task_title: null,
  problem: 'run “npm install ioredis” in its workspace',
  impact: 'the worker waits',
  options: [
    { key: 'allow', label: 'allow it, this once', consequence: 'The worker goes on at once.' },
    { key: 'deny', label: 'deny it', consequence: 'The worker is told so and looks for another way.' },
  ],
  recommended: 'allow',
  blocking: true,
  since: ago(6),
  repo: REPO,
  blocks: ['T-12', 'T-15', 'T-16'],
  evidence: ['its policy asks for commands that install packages'],
  group: ['P-2', 'P-3', 'P-4'],
  scopes: ['once', 'task', 'plan'],
  reason_needed: [],
  feedback_needed: [],
}

/** Opens home with what these change in the daemon's own snapshot; null where there is none to be had. */
async function homeWith(changes: Partial<SnapshotAnswer> | null): Promise<Page> {
  const page = await context.newPage()
  await page.route('**/api/snapshot', async (route) => {
    if (changes === null) {
      const error = { code: 'failed', message: 'the database is locked', remedy: 'Run: bosun doctor' }
      await route.fulfill({ status: 422, json: { schema: 'bosun.error/v1', error } })
      return
    }
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...((await response.json()) as SnapshotAnswer), ...changes } })
  })
  const { complaints } = await signedIn(lab, '/', context, page)
  said.set(page, complaints)
  return page
}

const said = new Map<Page, Complaints>()

/** Closes it, having said nothing on its console. */
async function leave(page: Page): Promise<void> {
  expect(said.get(page)?.all).toEqual([])
  await page.unrouteAll({ behavior: 'wait' })
  await page.close()
}

test('without a plan home asks what should be built', async () => {
  const page = await homeWith({})
  await page.getByLabel('What should be built?').fill('a shop')
  await page.getByText('Try the demo').first().waitFor()
  await page.getByRole('button', { name: 'Start' }).click()
  await page.waitForURL('**/start')
  await page.getByText('a shop').waitFor()
  await leave(page)
})

test('when nothing needs a person, home says so and who is busy', async () => {
  const gating = await homeWith({ plans: [plan] })
  await gating.getByText('Nothing needs you. Finished work is being checked.').waitFor()
  await leave(gating)
  const page = await homeWith({ plans: [{ ...plan, counts: { ...plan.counts, in_progress: 0 } }] })
  await look(page, 'home-empty', 'Nothing needs you. No workers are running.')
  await expect.poll(() => page.title()).toBe('Needs you · Bosun')
  await leave(page)
})

test('equal permissions are one item with a scope, beside what is held back and interviews that wait', async () => {
  const interview = {
    session_id: 's-9',
    repo: REPO,
    title: 'Loyalty points',
    state: 'AWAIT_USER',
    waits: true,
  }
  const text = '5 changes wait for your review, which is the most; no further work is started.'
  const page = await homeWith({
    plans: [plan],
    inbox: [permission],
    interviews: [interview],
    held_back: { waiting: 5, most: 5, text },
  })
  await page.getByText('Asked 3 times; your answer answers all of them.').waitFor()
  await expect.poll(() => page.title()).toBe('(2) Needs you · Bosun')
  await look(page, 'home-permission', text)
  let body: unknown
  await page.route('**/api/inbox/P-2/answer', async (route) => {
    body = route.request().postDataJSON()
    expect(route.request().headers()['idempotency-key']).toMatch(/^[\w-]{36}$/)
    await route.fulfill({ json: { id: 'P-2', plan: 'checkout', choice: 'allow' } })
  })
  // Each answer has its own reach, in its own row: the one beside Allow is not above Deny.
  const reach = (of: string) => page.getByRole('radiogroup', { name: of })
  await reach('Deny for').getByRole('radio', { name: 'This task' }).click()
  await reach('Allow for').getByRole('radio', { name: 'The whole plan' }).click()
  const rows = page.getByRole('article').getByRole('listitem')
  expect(
    await rows
      .filter({ has: reach('Allow for') })
      .getByRole('button')
      .allInnerTexts(),
  ).toEqual([expect.stringMatching(/^Allow/)])
  expect(
    await rows
      .filter({ has: reach('Deny for') })
      .getByRole('button')
      .allInnerTexts(),
  ).toEqual([expect.stringMatching(/^Deny/)])
  await page.getByRole('button', { name: /^Allow/ }).click()
  await page.getByText('Sent. Bosun takes it from here.').waitFor()
  expect(body).toEqual({ choice: 'allow', feedback: '', plan: 'checkout', repo: REPO, scope: 'plan' })
  await leave(page)
})

test('of a thousand items a part is drawn, and keys move through them', async () => {
  const inbox = Array.from({ length: 1000 }, (_, at) => ({
    ...permission,
    id: `P-${at}`,
    since: ago(at),
    group: [],
  }))
  const page = await homeWith({ plans: [plan], inbox })
  await page.getByRole('article').waitFor()
  await expect.poll(() => page.title()).toBe('(1000) Needs you · Bosun')
  expect(await page.locator('[data-need]').count()).toBe(50)
  await shoot(page, 'home-thousand-light')
  for (let times = 0; times < 5; times++) await page.keyboard.press('j')
  await page.locator(`[data-need="${REPO}:checkout:P-994"]`).getByRole('article').waitFor()
  await leave(page)
})

test('a snapshot that cannot be had is a sentence with Retry, and the count is not known', async () => {
  const page = await homeWith(null)
  await page.getByRole('heading', { level: 1, name: 'Needs you ?' }).waitFor()
  await page.getByText('The database is locked').first().waitFor()
  await page.getByRole('button', { name: 'Retry', exact: true }).waitFor()
  await leave(page)
})

const refused = { code: 'failed', message: 'the database is locked', remedy: 'Run: bosun doctor' }
const failing = { status: 503, json: { schema: 'bosun.error/v1', error: refused } }
const CLOCK = /Could not refresh; shown as of \d\d:\d\d/

test('what could not be fetched again says since when it is as it is shown, moves nothing, and is mended by Retry', async () => {
  const page = await homeWith({ plans: [plan], inbox: [permission] })
  await page.getByRole('article').waitFor()
  const heading = page.getByRole('heading', { level: 1 })
  const before = await heading.boundingBox()
  await page.route('**/api/snapshot', (route) => route.fulfill(failing))
  // The page asks again.
  await page.evaluate('void dispatchEvent(new Event("online"))')
  await page.getByText(CLOCK).waitFor()
  expect(await heading.boundingBox()).toEqual(before)
  await look(page, 'home-old', 'Could not refresh')
  await page.setViewportSize(DESKTOP)
  await page.getByRole('article').waitFor()
  await page.unroute('**/api/snapshot')
  await page.getByRole('button', { name: 'Retry', exact: true }).click()
  await page.getByText(CLOCK).waitFor({ state: 'detached' })

  // A part of another page, in the same way.
  await page.goto(new URL('/crew', page.url()).href)
  await page.getByText('No coding agent was found').waitFor()
  await page.route('**/api/crew*', (route) => route.fulfill(failing))
  await page.getByRole('button', { name: 'Look again' }).click()
  await page.getByText(CLOCK).waitFor()
  await page.getByText('not refreshed', { exact: true }).waitFor()
  await page.getByText('No coding agent was found').waitFor()
  await page.unroute('**/api/crew*')
  await page.getByRole('button', { name: 'Retry', exact: true }).click()
  await page.getByText(CLOCK).waitFor({ state: 'detached' })
  await leave(page)
})

test('a plan, a task or a worker that does not exist is said to, with the way to those that do and no Retry', async () => {
  const page = await homeWith({ plans: [plan] })
  const go = async (path: string, title: string): Promise<void> => {
    await page.goto(new URL(path, page.url()).href)
    await page.getByText(title).waitFor()
    expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0)
  }
  for (const path of ['/p/nope', '/p/nope/t/7', '/p/nope/release']) {
    await go(path, 'There is no plan “nope”')
    await page
      .getByRole('main')
      .getByRole('link', { name: /^checkout/ })
      .waitFor()
  }
  await page.getByText('There is no plan “nope”').first().waitFor()
  await page.setViewportSize(DESKTOP)
  await go('/p/checkout/t/7', 'Plan “checkout” has no task “7”')
  await page.getByRole('link', { name: 'All tasks of the plan' }).click()
  await page.waitForURL(/\/p\/checkout\?view=list/)
  await go('/workers/w-nope-1-1', 'There is no worker “w-nope-1-1”')
  await page.getByRole('link', { name: 'All workers' }).click()
  await page.getByRole('heading', { level: 1, name: 'Workers' }).waitFor()
  await leave(page)
})

test('the results of the crew fit a phone', async () => {
  const page = await homeWith({})
  const usage = {
    tokens: 1_580_245,
    tokens_in: 1_234_567,
    tokens_out: 345_678,
    tokens_cached: 0,
    usd: null,
    tokens_estimated: 0,
    tokens_unpriced: 0,
  }
  const result = {
    agent: 'claude',
    model: 'claude-sonnet-5-5',
    tasks: 12,
    first_pass_rate: 0.75,
    first_pass_of: 8,
  }
  await page.route('**/api/crew*', async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as object
    const results = [{ ...result, attempts: 14, reviews: 3, work_ms: 5_400_000, usage }]
    await route.fulfill({ response, json: { ...answer, results } })
  })
  await page.setViewportSize(PHONE)
  await page.goto(new URL('/crew', page.url()).href)
  await page.getByRole('list', { name: 'Results by agent and model' }).getByText('75 % of 8').waitFor()
  const wider = `[...document.querySelectorAll('main *')].filter((one) =>
    one.scrollWidth > one.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(one).overflowX)).map((one) => one.outerHTML)`
  expect(await page.evaluate(wider)).toEqual([])
  await expectNoSidewaysScroll(page)
  await expectAccessible(page, '75 % of 8')
  await page.setViewportSize(DESKTOP)
  await page.getByRole('table').getByText('14 wrote, 3 reviewed').waitFor()
  await leave(page)
})
