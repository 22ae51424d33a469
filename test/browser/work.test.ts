/** Work in the browser: a task is approved, a worker steered, a release signed; activity, metrics, crew and settings are read. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lab } from '../delivery/lab.ts'
import { smallProject, THREE_VALUES, valuesPlan } from '../delivery/small-project.ts'
import { approveIn, expectAccessible, look, signedIn } from './browser.ts'

let lab: Lab

const PLAN = valuesPlan(THREE_VALUES)

/** The third worker says what it is given to say until it is let go. */
const AGENT = `
if [ "$id" = 3 ] && [ ! -e "$repo/../go" ]; then
  work; echo '<img src=x onerror=alert(1)> thinks'
  while [ ! -e "$repo/../go" ]; do
    if [ -e "$repo/../say" ]; then cat "$repo/../say"; rm "$repo/../say"; fi
    sleep 0.2
  done
fi
work; report`

beforeAll(() => {
  lab = smallProject({
    agent: AGENT,
    files: { 'plan.yaml': PLAN },
    settings: 'approval: each_task\nscheduling: { parallel_tiers: [low] }\n',
  })
  lab.spawn('run', 'plan.yaml', '--no-input', '--json')
})
afterAll(() => lab.dispose())

/** How much wider than its place the page is in the moment in which it becomes narrower, before charts know their new size. */
const WIDER_WHEN_NARROWED = `(() => {
  document.body.style.width = '900px'
  const { scrollWidth, clientWidth } = document.querySelector('main')
  document.body.style.width = ''
  return scrollWidth - clientWidth
})()`

const toast = (page: Page, text: string | RegExp) => page.locator('[data-sonner-toast]').getByText(text)

test('a task is approved by a click, with its diff and the evidence of its gates in view', async () => {
  const { page, context, complaints } = await signedIn(lab, '/p/values/t/1')
  await page.getByTestId('verdict').getByText('Waits for your approval').waitFor()
  await page.getByRole('region', { name: 'Changed lines' }).getByText('test -e src/m1/value').waitFor()
  const decision = page.getByRole('region', { name: 'Decision' })
  await decision.getByText('wrote 1').waitFor()
  const unit = page.locator('summary').filter({ hasText: 'Unit tests' })
  await unit.click()
  const run = page.locator('details').filter({ has: unit }).getByTestId('run').first()
  await run.getByText('sh suite.sh').waitFor()
  await run.getByText('exit 0').waitFor()
  await run.getByText('output sha256').waitFor()
  await page.getByText('value 1 is there').first().waitFor()

  const approve = page.getByRole('button', { name: /^Approve/ })
  await approve.focus()
  await page.keyboard.press('Enter')
  await approve.click()
  await approve.last().focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('Your name').fill('Ann Lee')
  expect(lab.activity().filter(({ event }) => event === 'approval_answered')).toEqual([])
  await approve.last().click()
  await page
    .getByTestId('verdict')
    .getByText(/^Committed as /)
    .waitFor()
  const [answered] = lab.activity().filter(({ event }) => event === 'approval_answered')
  expect(answered?.data).toMatchObject({ choice: 'approve', by: 'Ann Lee' })
  expect(complaints.all).toEqual([])
  await context.close()
})

test('a worker is read live, nudged, instructed, given time, and killed only when that is confirmed', async () => {
  const { page, context, complaints } = await signedIn(lab, '/workers')
  await page.getByTestId('strip').getByText('Success, 24h').waitFor()
  await page.getByText('Add the third value').first().waitFor()
  await page.getByText('w-values-3-1').first().waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/workers\/w-values-3-1/)
  const log = page.getByRole('log', { name: 'Transcript' })
  await log.getByText('<img src=x onerror=alert(1)> thinks').waitFor()
  writeFileSync(join(lab.folder, 'say'), 'looking at the tests now\n')
  await log.getByText('looking at the tests now').waitFor()

  await page.getByRole('button', { name: 'Nudge' }).click()
  await toast(page, /nudge/).waitFor()
  await page.getByRole('button', { name: 'Extend…' }).click()
  await page.getByLabel('Minutes').fill('45')
  await page.getByRole('button', { name: 'Extend by 45m' }).click()
  await toast(page, /45m more/).waitFor()
  await page.getByRole('button', { name: 'Instruct…' }).click()
  await page.getByLabel('Message').fill('Keep it small, please.')
  await page.getByLabel('Your name').fill('Ann Lee')
  await page.getByRole('button', { name: 'Send' }).click()
  await toast(page, /queued/)
    .first()
    .waitFor()
  await page.getByRole('tab', { name: 'Journal' }).click()
  await page.getByText('Keep it small, please.').first().waitFor()
  await expectAccessible(page, 'Keep it small, please.')
  await page.getByRole('tab', { name: 'Diff so far' }).click()
  await page.getByRole('region', { name: 'Changed lines' }).getByText('test -e src/m3/value').waitFor()
  await page.getByRole('button', { name: 'Take over…' }).click()
  await page.getByText('bosun worker open w-values-3-1').waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Kill…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toBe('Kill…')
  expect(lab.activity().some(({ event }) => event === 'worker_killed')).toBe(false)
  await page.getByRole('button', { name: 'Kill…' }).click()
  await expectAccessible(page, 'What it wrote is saved')
  await page.getByLabel('Reason (optional)').fill('it is on the wrong branch')
  await page.getByRole('dialog').getByRole('button', { name: 'Kill w-values-3-1' }).click()
  const end = page.getByRole('region', { name: 'How it ended' })
  await end.getByText('Killed by Ann Lee').waitFor()
  await end.getByText('it is on the wrong branch').waitFor()
  await end.getByText(/^Attempt 2 began/).waitFor()
  await end.getByRole('link', { name: 'w-values-3-2' }).waitFor()
  await look(page, 'worker-ended', 'Killed by Ann Lee')
  writeFileSync(join(lab.folder, 'go'), '')
  await expect.poll(() => lab.activity().some(({ event }) => event === 'worker_killed')).toBe(true)
  expect(complaints.all).toEqual([])
  await context.close()
})

test('a release shows what is unproven first, and is signed by typing its name, never by Enter', async () => {
  const { page, context, complaints } = await signedIn(lab, '/p/values/release')
  await page.getByText('not committed yet').first().waitFor()
  for (const id of ['2', '3']) {
    await page.goto(new URL(`/p/values/t/${id}`, page.url()).href)
    await approveIn(page)
    await page
      .getByTestId('verdict')
      .getByText(/^Committed as /)
      .waitFor()
  }
  await page.goto(new URL('/p/values/release', page.url()).href)
  await page.getByText('It waits for your signature').waitFor()
  await page.getByText('git merge --no-ff feat/values/working').waitFor()
  await look(page, 'release', 'It waits for your signature')
  await page.getByRole('button', { name: 'Sign off…' }).click()
  const dialog = page.getByRole('dialog')
  const sign = dialog.getByRole('button', { name: 'Sign off' })
  expect(await sign.isDisabled()).toBe(true)
  await dialog.getByLabel('Type values to confirm').fill('values')
  // What is missing is no error before it was asked for.
  const unnamed = dialog.getByText('A signature needs a name.')
  expect(await unnamed.count()).toBe(0)
  await sign.click()
  await unnamed.waitFor()
  await dialog.getByLabel('Your name').fill('Ann Lee')
  await dialog.getByLabel('Type values to confirm').focus()
  await page.keyboard.press('Enter')
  await expectAccessible(page, 'Type values to confirm')
  expect(lab.activity().some(({ event }) => event === 'release_answered')).toBe(false)
  // Another person is about to sign as well.
  const bea = await signedIn(lab, '/p/values/release')
  await bea.page.getByRole('button', { name: 'Sign off…' }).click()
  await bea.page.getByRole('dialog').getByLabel('Your name').fill('Bea')
  await sign.click()
  await page.getByText('Signed off. Merge it when you are ready.').waitFor()
  await page.getByText('Ann Lee').first().waitFor()
  await bea.page.getByText('Ann Lee signed it off before you.').waitFor()
  expect(await bea.page.getByRole('dialog').count()).toBe(0)
  expect(bea.complaints.all).toEqual([])
  await bea.context.close()
  expect(complaints.all).toEqual([])
  await context.close()
})

test('activity, metrics, crew and settings show what is there; filters live in the address', async () => {
  const { page, context, complaints } = await signedIn(lab, '/activity')
  await page.getByText('Signed off by Ann Lee').or(page.getByText('Ann Lee answered')).first().waitFor()
  await page.getByText('Committed').first().waitFor()
  expect(await page.getByText(/w-values-1-1 runs /i).count()).toBe(0)
  await page.getByRole('radio', { name: 'Everything' }).click()
  await page
    .getByText(/w-values-1-1 runs /i)
    .first()
    .waitFor()
  expect(page.url()).toContain('show=all')
  await page.getByLabel('Kind').selectOption('intervention')
  await page
    .getByText(/killed by a person/i)
    .first()
    .waitFor()
  await page.reload()
  await page
    .getByText(/killed by a person/i)
    .first()
    .waitFor()
  expect(await page.getByText(/^Committed/).count()).toBe(0)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export JSONL' }).click()
  expect((await download).suggestedFilename()).toBe('bosun-activity.jsonl')

  await page.goto(new URL('/metrics', page.url()).href)
  await page.getByRole('heading', { name: 'Tasks completed' }).waitFor()
  await page.locator('.uplot').first().waitFor()
  expect(await page.evaluate<number>(WIDER_WHEN_NARROWED)).toBe(0)
  await page.getByText('First pass').first().waitFor()
  await page.locator('summary').first().click()
  await page.getByRole('region', { name: 'Tasks completed as a table' }).getByRole('row').nth(1).waitFor()

  await page.goto(new URL('/crew', page.url()).href)
  await page.getByText('Results').first().waitFor()

  await page.goto(new URL('/settings', page.url()).href)
  await page.getByText('each_task').waitFor()
  await page.getByRole('button', { name: 'Check this machine' }).click()
  await page.getByRole('button', { name: 'Check again' }).waitFor()
  await page.getByRole('radio', { name: 'Dark' }).click()
  await page.reload()
  await page.getByText('each_task').waitFor()
  expect(await page.evaluate<string>('document.documentElement.dataset.theme')).toBe('dark')
  await page.getByText(/^\d+ sessions? open, .*started/).waitFor()
  await page.getByText('None. A permission that you decide').waitFor()
  await page.getByRole('button', { name: 'Revoke all…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke all' }).click()
  await page.getByText('bosun open').first().waitFor()
  expect(complaints.all).toEqual([])
  await context.close()
})
