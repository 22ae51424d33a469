/** Where the page goes while its daemon is gone: it stays a page, whatever was loaded before. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lab } from '../delivery/lab.ts'
import { smallProject } from '../delivery/small-project.ts'
import { endProcessesOf } from '../helpers/end-processes.ts'
import { aBrowser, linkOf, signedIn } from './browser.ts'

let lab: Lab

beforeAll(() => {
  lab = smallProject({ agent: 'sleep 600' })
  lab.spawn('run', 'plan.yaml', '--no-input', '--json')
})
afterAll(() => lab.dispose())

/** Keeps these files from the page until they are let go, and then they are gone with the daemon. */
async function holdBack(page: Page, files: RegExp): Promise<() => void> {
  const gone = Promise.withResolvers<void>()
  await page.route(files, async (route) => {
    await gone.promise
    await route.abort().catch(() => undefined)
  })
  return gone.resolve
}

const offline = (page: Page) => page.getByText(/^Not live since/)

test('a part that was not loaded before the daemon was gone leaves the page as it is, and comes with the daemon', async () => {
  const context = await aBrowser()
  const tab = await context.newPage()
  const letGo = await holdBack(tab, /\/assets\/(crew-page|palette)-/)
  const { page, complaints } = await signedIn(lab, '/start', context, tab)
  await page.getByLabel('What should be done?').fill('half a sent')
  endProcessesOf(lab.home)
  await offline(page).waitFor()
  letGo()
  await page.keyboard.press('Control+k')
  await page.getByLabel('What should be done?').pressSequentially('ence')
  await page.getByRole('link', { name: 'Crew' }).click()
  await page.waitForURL('**/crew')
  await page.getByText('This page comes once Bosun answers again').waitFor()
  await page.goBack()
  expect(await page.getByLabel('What should be done?').inputValue()).toBe('half a sentence')
  await page.goForward()

  await page.unrouteAll({ behavior: 'wait' })
  await linkOf(lab)
  // The dialog hides the page behind it, whichever comes first.
  const palette = page.getByRole('dialog', { name: 'Search and commands' })
  await palette.waitFor()
  await page.keyboard.press('Escape')
  await palette.waitFor({ state: 'detached' })
  await page.getByRole('heading', { level: 1, name: 'Crew' }).waitFor()
  expect(complaints.all).toEqual([])
  await context.close()
})

test('a page that was not opened before shows what is known without the daemon', async () => {
  const { page, context, complaints } = await signedIn(lab)
  const isHere = () =>
    page.evaluate<boolean>(
      `performance.getEntriesByType('resource').some(({ name, responseEnd }) => name.includes('/workers-page-') && responseEnd > 0)`,
    )
  await expect.poll(isHere, { timeout: 60_000 }).toBe(true)
  // The test before has killed its worker; another one takes its place.
  await page.getByRole('complementary', { name: 'At work' }).getByText('Add value 1').waitFor()
  endProcessesOf(lab.home)
  await offline(page).waitFor()
  await page.getByRole('link', { name: /^Workers/ }).click()
  await page.getByRole('link', { name: 'Add value 1' }).waitFor()
  expect(complaints.all).toEqual([])
  await linkOf(lab)
  await context.close()
})

test('a page of an earlier build, whose files are gone, is loaded again', async () => {
  const { page, context, complaints } = await signedIn(lab)
  await page.route(/\/assets\/crew-page-/, (route) => route.fulfill({ status: 404 }), { times: 1 })
  await page.evaluate('void (globalThis.isOld = true)')
  await page.getByRole('link', { name: 'Crew' }).click()
  await page.getByRole('heading', { level: 1, name: 'Crew' }).waitFor()
  expect(await page.evaluate('globalThis.isOld')).toBeUndefined()
  expect(complaints.all).toEqual([])
  await context.close()
})
