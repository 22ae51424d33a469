/** By keys alone: from the list to an interview, and through Start, without losing the place on the page. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lab } from '../delivery/lab.ts'
import { smallProject } from '../delivery/small-project.ts'
import { signedIn } from './browser.ts'

let lab: Lab

beforeAll(async () => {
  lab = smallProject({ agent: 'work; report', settings: 'approval: each_task\n' })
  const { exit, stderr } = await lab.deliver()
  expect(exit, stderr).toBe(10)
  const wish = 'Let users upload a picture and see it in their profile and in comments'
  await lab.bosun('interview', '--text', wish, '--no-input', '--json')
})
afterAll(() => lab.dispose())

const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent')

test('j and k reach an interview too, and Enter opens it', async () => {
  const { page, context, complaints } = await signedIn(lab)
  await page.getByRole('article').waitFor()
  await page.getByText('Let users upload').waitFor()
  await page.keyboard.press('j')
  await expect.poll(() => focused(page)).toBe('Answer')
  // There is none after it.
  await page.keyboard.press('j')
  expect(await focused(page)).toBe('Answer')
  await page.keyboard.press('k')
  await expect.poll(() => focused(page)).not.toBe('Answer')
  await page.getByRole('article').waitFor()
  await page.keyboard.press('j')
  await expect.poll(() => focused(page)).toBe('Answer')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/interview\//)
  expect(complaints.all).toEqual([])
  await context.close()
})

test('a button that was pressed keeps the focus while it works and after', async () => {
  const { page, context, complaints } = await signedIn(lab, '/start')
  await page.getByLabel('What should be done?').fill('Add a page that lists the values')
  const answered = Promise.withResolvers<void>()
  await page.route('**/api/intake', async (route) => {
    await answered.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Continue' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Reading it…', disabled: true }).waitFor()
  expect(await focused(page)).toMatch(/^Reading it/)
  // It works on the first press alone.
  await page.keyboard.press('Enter')
  answered.resolve()
  await page.getByText('Understood from a sentence').waitFor()
  expect(await focused(page)).toMatch(/^Continue/)
  expect(complaints.all).toEqual([])
  await context.close()
})
