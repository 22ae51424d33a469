/** What a person is about to click stays where it is: an action belongs to the item on which it was shown. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lab } from '../delivery/lab.ts'
import { smallProject, valuesPlan } from '../delivery/small-project.ts'
import { approveIn, expectAccessible, middleOf, shoot, signedIn, type SignedIn } from './browser.ts'

let lab: Lab
let person: SignedIn

/** What comes in the second and third task's place waits for a file, and then blocks the last one. */
const TITLES = ['Add the first value', 'Add the second value', 'Add the third value', 'Add the last value']
const PLAN = valuesPlan(
  TITLES.map((title, at) => ({ id: String(at + 1), title, after: at === 3 ? ['2', '3'] : [] })),
)
const AGENT = `if [ "$id" != 1 ]; then until test -e "$repo/../go-$id"; do sleep 0.1; done; fi; work; report`

beforeAll(async () => {
  lab = smallProject({
    agent: AGENT,
    files: { 'plan.yaml': PLAN },
    settings: 'approval: each_task\nreview: { low: checks }\npm: { max_parallel_agents: 3 }\n',
  })
  lab.spawn('run', 'plan.yaml', '--no-input', '--json')
  person = await signedIn(lab)
  await needOf(person.page, 0).getByRole('article').waitFor()
})
afterAll(async () => {
  expect(person.complaints.all).toEqual([])
  await lab.dispose()
})

const needOf = (page: Page, at: number) => page.locator('[data-need]').filter({ hasText: TITLES[at] ?? '' })
const decided = () => lab.activity().filter(({ event }) => event === 'approval_answered')
const letGo = (id: number): void => writeFileSync(join(lab.folder, `go-${id}`), '')

test('a click on an open card hits what it was meant for, though a more urgent item arrived under the pointer', async () => {
  const { page } = person
  const card = needOf(page, 0).getByRole('article')
  const back = await middleOf(card.getByRole('button', { name: /^Send back/ }))
  await page.mouse.move(back.x, back.y)
  letGo(2)
  await expect.poll(() => page.title(), { timeout: 60_000 }).toBe('(2) Needs you · Bosun')
  const sort = page.getByRole('button', { name: '1 more urgent item' })
  await sort.waitFor()
  await shoot(page, 'needs-you-more-urgent-light')
  expect(await middleOf(card.getByRole('button', { name: /^Send back/ }))).toEqual(back)
  await page.mouse.click(back.x, back.y)
  await card.getByLabel('What should change').waitFor()
  expect(decided()).toEqual([])
  await card.getByRole('button', { name: 'Not now' }).click()

  // In order of urgency only when the person says so.
  expect(await page.locator('[data-need]').first().innerText()).toContain(TITLES[0])
  await sort.click()
  await expect.poll(() => page.locator('[data-need]').first().innerText()).toContain(TITLES[1])
  await card.waitFor()
})

test('work is approved only after its diff and what nothing confirmed were shown', async () => {
  const { page } = person
  const card = needOf(page, 0).getByRole('article')
  const approve = await middleOf(card.getByRole('button', { name: /^Approve/ }))
  await page.mouse.click(approve.x, approve.y)
  await page.mouse.click(approve.x, approve.y)
  const open = card.getByRole('region', { name: 'Criteria that nothing confirmed' })
  await open.getByText('1 of 1 criterion is confirmed by nothing but your approval').waitFor()
  await open.getByText('value 1 is there').waitFor()
  await card.getByRole('region', { name: 'Changed lines' }).getByText('test -e src/m1/value').waitFor()
  await expectAccessible(page, 'value 1 is there')
  await shoot(page, 'needs-you-approve-light')
  expect(decided()).toEqual([])
  await card.getByRole('button', { name: 'Not now' }).click()
})

test('nothing opens in the place of an item that was answered elsewhere, and an own answer opens the next', async () => {
  const { page } = person
  const card = needOf(page, 0).getByRole('article')
  const back = await middleOf(card.getByRole('button', { name: /^Send back/ }))
  await page.mouse.move(back.x, back.y)
  const asked = lab.activity().find((line) => line.event === 'approval_opened' && line.task_id === '1')
  expect((await lab.bosun('answer', String(asked?.data['id']), 'approve')).exit).toBe(0)
  await page.getByText('Done', { exact: true }).waitFor()
  await page.mouse.click(back.x, back.y)
  expect(await page.getByRole('article').count()).toBe(0)

  await needOf(page, 1).getByRole('button').click()
  letGo(3)
  await needOf(page, 2).waitFor()
  await approveIn(needOf(page, 1).getByRole('article'))
  await page.getByText('Approved: task 2').waitFor()
  await needOf(page, 2).getByRole('article').waitFor()
  expect(decided().map(({ data }) => data['choice'])).toEqual(['approve', 'approve'])
})
