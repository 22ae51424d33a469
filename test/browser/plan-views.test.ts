/** A plan as board, list, graph and timeline in a real browser: with three tasks of a real plan, and with a thousand. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lab } from '../delivery/lab.ts'
import { smallProject, THREE_VALUES, valuesPlan } from '../delivery/small-project.ts'
import { aBrowser, expectAccessible, look, shoot, signedIn } from './browser.ts'
import { answerLargePlan } from './large-plan.ts'

let lab: Lab

const PLAN = valuesPlan(
  THREE_VALUES.map((one) => (one.id === '3' ? { ...one, after: ['1', '2'] } : one)),
  'values',
  'Values for the shop',
)

beforeAll(async () => {
  lab = smallProject({
    agent: 'work; report',
    files: { 'plan.yaml': PLAN },
    settings: 'approval: each_task\nscheduling: { parallel_tiers: [low] }\n',
  })
  const { exit, stderr, last } = await lab.deliver()
  expect(exit, stderr).toBe(10)
  expect(last.inbox).toHaveLength(2)
})
afterAll(() => lab.dispose())

const view = (page: Page, name: string) => page.getByRole('radio', { name }).click()

test('three tasks are shown as board, list, graph and timeline of the same data', async () => {
  const held = Promise.withResolvers<void>()
  const context = await aBrowser()
  await context.route('**/api/plans/values/graph*', async (route) => {
    await held.promise
    await route.continue()
  })
  const { page, complaints } = await signedIn(lab, '/p/values', context)
  // The heading has its place and its height before its text, and never another text.
  const heading = page.getByRole('heading', { level: 1 })
  await heading.getByTestId('heading-skeleton').waitFor()
  const before = await heading.boundingBox()
  held.resolve()
  await page.getByRole('heading', { level: 1, name: 'Values for the shop' }).waitFor()
  const after = await heading.boundingBox()
  expect([after?.y, after?.height]).toEqual([before?.y, before?.height])
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await expect.poll(() => attention.getByRole('link').count()).toBe(2)
  expect(await page.getByRole('region', { name: 'Waiting' }).getByRole('link').innerText()).toContain(
    'after 1, 2',
  )

  await view(page, 'List')
  await page.waitForURL(/view=list/)
  await page.getByText('Add the third value').first().waitFor()

  await view(page, 'Graph')
  await page.locator('.react-flow__node').nth(2).waitFor()
  await expect.poll(() => page.locator('.react-flow__edge').count()).toBe(2)
  await page.getByText('Active work').first().waitFor()

  await view(page, 'Timeline')
  await page
    .getByRole('img', { name: /^Worker at work: w-values-1-1/ })
    .first()
    .waitFor()
  await page
    .getByRole('img', { name: /^Waits for a person/ })
    .first()
    .waitFor()
  await page.getByText('Add the second value').first().waitFor()
  expect(complaints.all).toEqual([])
  await context.close()
})

test('filters stand in the address, keys select a task, and Enter opens it', async () => {
  const { page, context, complaints } = await signedIn(lab, '/p/values?view=list&q=value')
  await page.getByRole('link', { name: /Add the first value/ }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type(' third')
  await page.getByRole('link', { name: /Add the first value/ }).waitFor({ state: 'detached' })
  expect(new URL(page.url()).searchParams.get('q')).toBe('value third')
  await page.getByRole('searchbox').fill('nothing of the kind')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('button', { name: /^Stuck/ }).click()
  await page.getByRole('link', { name: /Add the third value/ }).waitFor({ state: 'detached' })
  expect(new URL(page.url()).searchParams.get('stuck')).toBe('true')
  await page.keyboard.press('Tab')
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/p\/values\/t\/[12]/)
  expect(complaints.all).toEqual([])
  await context.close()
})

test('a thousand tasks are smooth: only what is seen is drawn, and the graph opens readable at what is going on', async () => {
  const { page, context, complaints } = await signedIn(lab, '/')
  const { tasks } = await answerLargePlan(context, 'values', 1000)
  await page.goto(new URL('/p/values', page.url()).href)
  await page.getByRole('heading', { level: 1, name: 'A large shop' }).waitFor()
  // Every column is in sight: what is done is a strip until it is opened.
  const fits = `(() => { const board = document.querySelector('[aria-label=Board]'); return board.scrollWidth <= board.clientWidth })()`
  // Not waitForFunction: it evaluates the text in the page again, which the CSP forbids.
  await expect.poll(() => page.evaluate<boolean>(fits)).toBe(true)
  const done = page.getByRole('region', { name: /^Done/ })
  await done.getByRole('button', { name: /^Done 450/ }).click()
  await done.getByRole('link').first().waitFor()
  await done.getByRole('button', { name: 'Fold Done' }).click()
  await done.getByRole('link').first().waitFor({ state: 'detached' })
  expect(await page.getByRole('region', { name: 'Board' }).getByRole('link').count()).toBeLessThan(150)
  await look(page, 'plan-board-1000', 'Stalled')

  await view(page, 'List')
  await page.getByRole('heading', { name: /^Needs attention/ }).waitFor()
  expect(await page.getByRole('listitem').count()).toBeLessThan(120)
  await page.getByRole('region', { name: 'List of tasks' }).focus()
  await page.keyboard.press('End')
  await page
    .getByRole('link', { name: /commit a1b2c3d/ })
    .first()
    .waitFor()
  await shoot(page, 'plan-list-1000-light')

  await view(page, 'Graph')
  await page.locator('.react-flow__node').first().waitFor()
  await expect.poll(() => page.locator('.react-flow__viewport').getAttribute('style')).toMatch(/scale\(1\)/)
  expect(await page.locator('.react-flow__node').count()).toBeLessThan(60)
  const active = tasks.filter(({ status }) => status !== 'completed' && status !== 'pending')
  const drawn = page.locator(active.map(({ id }) => `.react-flow__node[data-id="${id}"]`).join(', '))
  await expect.poll(() => drawn.count()).toBeGreaterThan(1)
  // The list beside it leads to any task, also to one that is folded.
  const list = page.getByRole('navigation', { name: 'Tasks of the graph' })
  await list.getByRole('button').first().click()
  await expect.poll(() => list.getByRole('button').first().getAttribute('aria-pressed')).toBe('true')
  await page.getByRole('application', { name: /^Graph of tasks/ }).focus()
  await page.keyboard.press('ArrowRight')
  await look(page, 'plan-graph-1000', 'Active work')

  await view(page, 'Timeline')
  await page
    .getByRole('img', { name: /^Worker at work/ })
    .first()
    .waitFor()
  await page
    .getByTitle(/^Nothing ran for/)
    .first()
    .waitFor()
  await look(page, 'plan-timeline-1000', 'Waits for a person')

  const ranges = page.getByRole('radiogroup', { name: 'Range' })
  const rowCount = (): Promise<string | null> =>
    page.getByRole('region', { name: 'Timeline' }).getByRole('listitem').first().getAttribute('aria-setsize')
  const whole = Number(await rowCount())
  await ranges.getByRole('radio', { name: '6h' }).click()
  await page.waitForURL(/range=6h/)
  const before = await page.getByText(/tasks? ended before this range$/).innerText()
  expect(Number(await rowCount()) + Number(before.split(' ')[0])).toBe(whole)
  await page.reload()
  await page.getByRole('radio', { name: '6h', checked: true }).waitFor()
  await look(page, 'plan-timeline-6h', 'ended before this range')
  await ranges.getByRole('radio', { name: 'All' }).click()
  await page.waitForURL((url) => !url.search.includes('range'))
  expect(complaints.all).toEqual([])
  await context.close()
})

test('a plan is cancelled only after it was confirmed, with the reason on record', async () => {
  const { page, context, complaints } = await signedIn(lab, '/p/values')
  await page.getByRole('button', { name: 'Cancel plan…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel this plan?' })
  await expectAccessible(page, 'it cannot be resumed')
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Cancel plan…' }).click()
  await dialog.getByLabel('Reason (optional)').fill('we have enough values')
  await dialog.getByRole('button', { name: 'Cancel plan' }).click()
  await page.getByText('values is cancelled').waitFor()
  await expect.poll(() => JSON.stringify(lab.activity())).toContain('we have enough values')
  expect(complaints.all).toEqual([])
  await context.close()
})
