/** What a person decides about work is recorded as they made it: with the diff opened or not, sent back, rejected, overridden, paused. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lab } from '../delivery/lab.ts'
import { smallProject, valuesPlan } from '../delivery/small-project.ts'
import { endProcessesOf } from '../helpers/end-processes.ts'
import {
  approveIn,
  Complaints,
  DESKTOP,
  expectAccessible,
  linkOf,
  signedIn,
  type SignedIn,
} from './browser.ts'

let lab: Lab
let person: SignedIn

const TITLES: Readonly<Record<string, string>> = {
  1: 'Add the key of the safe',
  2: 'Add the lock of the safe',
  3: 'Add a value that is not wanted',
  4: 'Add a value whose test fails',
}

const PLAN = valuesPlan(
  Object.entries(TITLES).map(([id, title]) => ({ id, title, tier: Number(id) < 3 ? 'critical' : 'low' })),
)

/** Keeps what it is asked for. The test of the fourth task fails, however often it is tried. */
const AGENT = `cat >> "$repo/../briefs"; work; if [ "$id" = 4 ]; then echo 'test -e src/nowhere' > test/m4.t; fi; report`

beforeAll(async () => {
  lab = smallProject({
    agent: AGENT,
    files: { 'plan.yaml': PLAN },
    settings: `approval: each_task\nscheduling: { parallel_tiers: [low] }\nnotify: { desktop: false, command: 'cat >> ../notices' }\n`,
  })
  lab.spawn('run', 'plan.yaml', '--no-input', '--json')
  person = await signedIn(lab)
})
afterAll(async () => {
  expect(person.complaints.all).toEqual([])
  await lab.dispose()
})

const decisions = (event = 'approval_answered') => lab.activity().filter((line) => line.event === event)
const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 60_000, interval: 100 })

/** The item about a task, opened on home: there may be others. */
async function openItem(id: string): Promise<Locator> {
  await go('/')
  const need = person.page.locator('[data-need]').filter({ hasText: TITLES[id] ?? id })
  await need.waitFor()
  const item = need.getByRole('article')
  if ((await item.count()) === 0) await need.getByRole('button').click()
  await item.waitFor()
  return item
}
const go = (path: string) => person.page.goto(new URL(path, person.page.url()).href)

test('critical work is sent back from home with words that the next worker gets', async () => {
  const { page } = person
  const item = await openItem('1')
  await item.getByRole('button', { name: /^Send back/ }).click()
  await item.getByLabel('What should change').fill('write the key in capitals')
  await item.getByRole('button', { name: 'Send back', exact: false }).last().click()
  await page.getByText('Sent back: task 1').waitFor()
  await eventually(() => decisions().length).toBe(1)
  expect(decisions()[0]?.data).toMatchObject({
    choice: 'revise',
    feedback: 'write the key in capitals',
  })
  await eventually(() => readFileSync(join(lab.folder, 'briefs'), 'utf8')).toContain(
    'write the key in capitals',
  )
})

test('an approval of critical work says whether the diff of this very attempt was opened', async () => {
  const { page } = person
  await go('/p/values/t/1')
  await page.getByTestId('verdict').getByText('Waits for your approval').waitFor()
  await page.getByRole('region', { name: 'Changed lines' }).getByText('test -e src/m1/value').waitFor()
  await page.getByText('You have not looked at the diff yet').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Send back/ }).click()
  await page.getByLabel('What should change').fill('once more')
  await page.getByRole('button', { name: 'Send back', exact: false }).last().click()
  await eventually(() => decisions().length).toBe(2)

  // The diff of the third attempt stays out of sight, though that of the second was seen.
  await page.setViewportSize({ width: 390, height: 500 })
  await page.getByText('attempt 3').first().waitFor()
  await page.getByText('You have not looked at the diff yet').waitFor()
  await approveIn(page.getByRole('region', { name: 'Decision' }))
  await page.getByText('Approved: task 1').waitFor()
  expect(decisions().at(-1)?.data).toMatchObject({ choice: 'approve', diff_opened: false })
  await page.setViewportSize(DESKTOP)

  await go('/p/values/t/2')
  await page.getByTestId('verdict').getByText('Waits for your approval').waitFor()
  await page.getByRole('region', { name: 'Changed lines' }).getByText('test -e src/m2/value').waitFor()
  await approveIn(page)
  await page.getByText('Approved: task 2').waitFor()
  expect(decisions().at(-1)?.data).toMatchObject({ choice: 'approve', diff_opened: true })
})

test('work is rejected only when that is confirmed', async () => {
  const { page } = person
  const item = await openItem('3')
  const before = decisions().length
  await item.getByRole('button', { name: /^Reject/ }).click()
  await item.getByLabel('Note (optional)').fill('not wanted any more')
  expect(decisions()).toHaveLength(before)
  await expectAccessible(page, 'Note (optional)')
  await item.getByRole('button', { name: 'Not now' }).click()
  await item.getByRole('button', { name: /^Reject/ }).click()
  await item.getByRole('button', { name: 'Reject', exact: false }).last().click()
  await page.getByText('Rejected: task 3').waitFor()
  await eventually(() => decisions().at(-1)?.data).toMatchObject({
    choice: 'reject',
    feedback: 'not wanted any more',
  })
})

test('failing gates are overridden only with a name and a reason, which are on record', async () => {
  const { page } = person
  const item = await openItem('4')
  await item.getByRole('button', { name: 'Show all the evidence' }).click()
  await item.getByText('1 of', { exact: false }).first().waitFor()
  await item.getByRole('button', { name: /^Override/ }).click()
  const override = item.getByRole('button', { name: 'Override', exact: false }).last()
  await override.click()
  await item.getByText('A reason is required.').waitFor()
  await item.getByLabel('Reason').fill('the test is wrong, not the value')
  await override.click()
  await item.getByText('This option is recorded in your name.').waitFor()
  expect(decisions('escalation_answered')).toEqual([])
  await item.getByLabel('Your name').fill('Ann Lee')
  await override.click()
  await page.getByText('Overridden: task 4').waitFor()
  expect(decisions('escalation_answered').at(-1)?.data).toMatchObject({
    choice: 'approve',
    by: 'Ann Lee',
    feedback: 'the test is wrong, not the value',
  })
})

test('a plan is paused on one page and resumed on another', async () => {
  const { page } = person
  await go('/p/values')
  await page.getByRole('button', { name: 'Pause', exact: true }).first().click()
  await page.getByRole('button', { name: 'Resume', exact: true }).first().waitFor()
  await go('/activity')
  await page.getByRole('button', { name: 'Resume', exact: true }).first().click()
  await page.getByRole('button', { name: 'Pause', exact: true }).first().waitFor()
  const steered = lab.activity().map(({ event }) => event)
  expect(steered.filter((event) => /paused|resumed/.test(event))).toEqual(['plan_paused', 'plan_resumed'])
})

test('a notice by command carries the link of its item, which opens it in the page', async () => {
  const { page } = person
  const file = join(lab.folder, 'notices')
  await eventually(() => existsSync(file)).toBe(true)
  const text = readFileSync(file, 'utf8')
  const link = /http:[^"]*\/\?item=[^"\s]+/.exec(text)?.[0] ?? ''
  expect(new URL(link).origin).toBe(new URL(page.url()).origin)
  await page.goto(link)
  await page.getByRole('heading', { level: 1, name: 'Needs you' }).waitFor()
})

const EVERY_PAGE = [
  '/',
  '/start',
  '/p/values',
  '/p/values?view=list',
  '/p/values?view=graph',
  '/p/values?view=timeline',
  '/p/values/t/3',
  '/p/values/release',
  '/workers',
  '/workers/w-values-3-1',
  '/activity',
  '/crew',
  '/metrics',
  '/settings',
]

test('a daemon that is killed and started again under open pages of every kind leaves each of them live', async () => {
  const { context } = person
  const { origin } = new URL(person.page.url())
  const tabs = []
  for (const path of EVERY_PAGE) {
    const page = await context.newPage()
    const complaints = new Complaints(page)
    await page.goto(`${origin}${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByText('live', { exact: true }).waitFor()
    tabs.push({ path, page, complaints })
  }
  endProcessesOf(lab.home)
  for (const { page } of tabs) {
    await page.getByText(/^Not live since .* showing last known/).waitFor()
    // What was there is read on.
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
  }
  await linkOf(lab)
  for (const { page } of tabs) await page.getByText(/^Not live since/).waitFor({ state: 'detached' })
  expect((await lab.bosun('pause', 'values')).exit).toBe(0)
  for (const { path, page, complaints } of tabs) {
    await page.getByRole('button', { name: 'Resume', exact: true }).first().waitFor()
    expect(complaints.all, path).toEqual([])
    await page.close()
  }
})
