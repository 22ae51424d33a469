/** A browser whose scrollbars take room: none appears where there is nothing to scroll, and none moves the page. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lab } from '../delivery/lab.ts'
import { smallProject } from '../delivery/small-project.ts'
import { aBrowser, signedIn, type SignedIn } from './browser.ts'

let lab: Lab
let person: SignedIn

beforeAll(async () => {
  lab = smallProject({
    tasks: 2,
    sideBySide: true,
    agent: 'if [ "$id" = 2 ]; then sleep 600; fi; work; report',
    settings: 'approval: each_task\nscheduling: { parallel_tiers: [low] }\n',
  })
  lab.spawn('run', 'plan.yaml', '--no-input', '--json')
  person = await signedIn(lab, '/', await aBrowser({}, 'shown'))
  await person.page.getByRole('article').waitFor()
})
afterAll(async () => {
  expect(person.complaints.all).toEqual([])
  await lab.dispose()
})

/** Parts that scroll by a few pixels only, so that their scrollbar is all there is to see. */
const NEEDLESS = `[...document.querySelectorAll('body *')].flatMap((one) => {
  const { overflowX, overflowY } = getComputedStyle(one)
  const scrolls = (overflow) => overflow === 'auto' || overflow === 'scroll'
  const [across, down] = [one.scrollWidth - one.clientWidth, one.scrollHeight - one.clientHeight]
  const isNeedless = (scrolls(overflowX) && across > 0 && across < 12) || (scrolls(overflowY) && down > 0 && down < 12)
  return isNeedless ? [one.className + ': ' + across + ' across, ' + down + ' down'] : []
})`

const needless = (page: Page) => page.evaluate<readonly string[]>(NEEDLESS)

test('tabs and axes have no scrollbar where all of them is shown', async () => {
  const { page } = person
  const { origin } = new URL(page.url())
  await page.goto(`${origin}/workers/w-small-2-1`)
  await page.getByRole('tab', { name: 'Journal' }).waitFor()
  expect(await needless(page)).toEqual([])
  await page.goto(`${origin}/p/small?view=timeline`)
  await page.getByText('Waits for a person').waitFor()
  // Its last tick may stand at the very right.
  await page.evaluate(
    `document.querySelectorAll('main span[title][style*="left"]').forEach((tick) => (tick.style.left = '99.5%'))`,
  )
  expect(await needless(page)).toEqual([])
})

test('what opens over the page moves nothing of it', async () => {
  const { page } = person
  await page.goto(new URL('/settings', page.url()).href)
  await page.getByText('Settings in effect').waitFor()
  const places = async () => [
    await page.locator('header').getByText('Ctrl K').boundingBox(),
    await page.getByText('Check this machine').boundingBox(),
  ]
  const before = await places()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Search and commands' }).waitFor()
  expect(await places()).toEqual(before)
})
