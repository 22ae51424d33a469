/** What a person watches: what workers claim beside what Bosun saw, what is held back, and what only the daemon can say is done. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lab } from '../delivery/lab.ts'
import { smallProject, valuesPlan } from '../delivery/small-project.ts'
import { expectAccessible, signedIn, type SignedIn } from './browser.ts'

let lab: Lab
let person: SignedIn

const PLAN = valuesPlan([{ id: '1' }, { id: '2' }, { id: '3' }])

/** The second worker says how far it is, and works until it is let go. */
const AGENT = `
if [ "$id" = 2 ] && [ ! -e "$repo/../go" ]; then
  bosun-checkin in_progress 40 --current-step 'writing the value' --next-step 'its test' --issue 'the suite is slow'
  while [ ! -e "$repo/../go" ]; do sleep 0.2; done
fi
work; report`

beforeAll(async () => {
  lab = smallProject({
    agent: AGENT,
    files: { 'plan.yaml': PLAN },
    settings:
      'approval: each_task\npm: { max_parallel_agents: 2 }\nscheduling: { parallel_tiers: [low], max_waiting_for_review: 1 }\n',
  })
  lab.spawn('run', 'plan.yaml', '--no-input', '--json')
  person = await signedIn(lab)
})
afterAll(async () => {
  expect(person.complaints.all).toEqual([])
  await lab.dispose()
})

const go = (path: string) => person.page.goto(new URL(path, person.page.url()).href)
const happened = (event: string) => lab.activity().filter((line) => line.event === event)

test('a worker is shown with what it claims, what it reports, and when Bosun itself saw it last', async () => {
  const { page } = person
  await go('/workers')
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'w-values-2-1' })
  await row.getByText('writing the value', { exact: true }).waitFor()
  await row.getByText('Next: its test').waitFor()
  await row.getByText('the suite is slow').waitFor()
  expect(await row.getByRole('progressbar', { name: 'Claimed progress' }).getAttribute('aria-valuenow')).toBe(
    '40',
  )
  await row.getByRole('progressbar', { name: 'Used of its time limit' }).waitFor()
  // Two clocks; each shows its whole moment on hover.
  const clocks = row.locator('p').filter({ hasText: 'Last activity' })
  expect(await clocks.innerText()).toMatch(/Last activity .*Last check-in (just now|\d+s ago)/s)
  expect(await clocks.locator('time').last().getAttribute('title')).toMatch(
    /^\w+day,? \d+ \w+ \d{4} at \d\d:\d\d:\d\d/,
  )
  const strip = page.getByTestId('strip')
  for (const name of ['Running', 'Health', 'Success, 24h', 'Mean time', 'Interventions in effect'])
    await strip.getByText(name, { exact: true }).waitFor()
  // Work that waits for approval has neither landed nor failed.
  await expect.poll(() => strip.innerText()).toMatch(/Success, 24h\s+none yet\s+0 landed, 0 failed/)
  await strip.getByText('1 help').waitFor()
  await expectAccessible(page, 'writing the value')
})

test('all tabs of a browser share one stream', async () => {
  const { context } = person
  const { origin } = new URL(person.page.url())
  const asked: string[] = []
  const tabs = []
  for (const path of ['/', '/activity', '/metrics']) {
    const page = await context.newPage()
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(`${origin}${path}`)
    await page.getByText('live', { exact: true }).waitFor()
    tabs.push(page)
  }
  expect(asked).not.toContain('/api/events')
  const session = await context.browser()?.newBrowserCDPSession()
  const { targetInfos = [] } = (await session?.send('Target.getTargets')) ?? {}
  expect(
    targetInfos.filter(({ type, url }) => type === 'shared_worker' && url.startsWith(origin)),
  ).toHaveLength(1)
  await session?.detach()
  for (const page of tabs) await page.close()
})

test('an approval is done when the daemon says so, and not before; what fails stays open', async () => {
  const { page } = person
  await go('/')
  const need = page.locator('[data-need]').filter({ hasText: 'Add value 1' })
  await need.waitFor()
  const item = need.getByRole('article')
  if ((await item.count()) === 0) await need.getByRole('button').click()
  await item.getByRole('button', { name: /^Approve/ }).click()
  const approve = item.getByRole('button', { name: /^Approve/ }).last()
  await page.getByText('no new task starts until one is decided').waitFor()

  const arrived = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  await page.route('**/api/inbox/*/answer', async (route) => {
    arrived.resolve()
    await release.promise
    await route.abort()
  })
  const before = await page.title()
  await approve.click()
  await arrived.promise
  expect(await page.getByText(/^Approved: /).count()).toBe(0)
  expect([await need.count(), await page.title(), await approve.isDisabled()]).toEqual([1, before, true])
  release.resolve()
  await item.getByRole('alert').waitFor()
  expect([await need.count(), happened('approval_answered').length]).toEqual([1, 0])

  await page.unroute('**/api/inbox/*/answer')
  await approve.click()
  await page.getByText('Approved: task 1').waitFor()
  expect(happened('approval_answered')).toHaveLength(1)
})

test('work that was held back goes on when a result is decided', async () => {
  const { page } = person
  await page.getByText('no new task starts until one is decided').waitFor({ state: 'detached' })
  const dispatched = () => happened('task_dispatched').map(({ task_id }) => task_id)
  await expect.poll(dispatched).toContain('3')
  writeFileSync(join(lab.folder, 'go'), '')
  await go('/workers')
  await page
    .getByTestId('strip')
    .getByText(/^1 landed, 0 failed$/)
    .waitFor()
})
