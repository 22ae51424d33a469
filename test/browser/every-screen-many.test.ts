/**
 * Every screen with a thousand of what it shows: the daemon's own server on a store that was filled before, and documents of
 * the protocol where a store cannot be filled. All of them are looked at in one look each; `npm run screens` takes every look.
 */
import { mkdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CodeAnswer, SnapshotAnswer } from '../../src/protocol/machine-answer.ts'
import type { Serving } from '../../src/server/serve.ts'
import { aBrowser, lookOnce, Complaints, DESKTOP, PHONE } from './browser.ts'
import { fillStore } from './many/fill-store.ts'
import { answerDocuments, INTERVIEW } from './many/many-documents.ts'
import { fleetPlan, releasedPlan, shopPlan, waitingPlan } from './many/many-plans.ts'
import { fleetClaims, largeDiffs, longTranscripts } from './many/many-ports.ts'
import { serveStore } from './many/serve-store.ts'
import { screens } from './screens.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

/** Rows that a screen draws at most, whatever it shows. */
const MOST_ROWS = 250
const FLEET = 1000
/** With those of the shop there are a thousand and some. */
const WAITING = 850

const folder = realpathSync(tempFolder('many'))
const root = join(folder, 'state')
const repositories = ['shop', 'app', 'docs', 'site', 'infra'].map((name) => join(folder, name))
const [repo = ''] = repositories
const troubles: string[] = []
let serving: Serving
let context: BrowserContext
let page: Page
let complaints: Complaints

beforeAll(async () => {
  const now = Date.now()
  for (const path of repositories) mkdirSync(path)
  await fillStore({
    root,
    repositories,
    plans: [shopPlan(now), fleetPlan(now), waitingPlan(now, WAITING), releasedPlan(now)],
    claims: fleetClaims(FLEET, now),
  })
  serving = await serveStore({
    root,
    transcripts: longTranscripts(now),
    diffs: largeDiffs,
    onError: (what, error) => troubles.push(`${what}: ${String(error)}`),
  })
  context = await aBrowser()
  // Requests of a SharedWorker cannot be answered by a test.
  await context.addInitScript('delete globalThis.SharedWorker')
  await answerDocuments(context, repo)
  page = await context.newPage()
  complaints = new Complaints(page)
  await page.goto(await link())
  await page.getByRole('heading', { level: 1 }).waitFor()
})
afterAll(async () => {
  // An answer that is being changed would not find the server any more.
  await context.unrouteAll({ behavior: 'wait' })
  await page.close()
  await serving.close()
})

/** As another door would send them. */
const headers = () => ({
  Authorization: `Bearer ${readFileSync(join(root, 'token'), 'utf8').trim()}`,
  'Content-Type': 'application/json',
})

/** The item of this plan that was opened last. */
async function lastItem(plan: string): Promise<string> {
  const answer = await fetch(`${serving.facts.url}/api/snapshot`, { headers: headers() })
  const { inbox } = (await answer.json()) as SnapshotAnswer
  const own = inbox.filter((item) => item.plan === plan).toSorted((a, b) => (a.since < b.since ? -1 : 1))
  return own.at(-1)?.id ?? ''
}

async function link(): Promise<string> {
  const answer = await fetch(`${serving.facts.url}/api/session/codes`, {
    method: 'POST',
    headers: headers(),
    body: '{}',
  })
  return ((await answer.json()) as CodeAnswer).link
}

/** As a link would: what was fetched before is still known. */
async function follow(path: string): Promise<void> {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`)
  await page.waitForURL((url) => `${url.pathname}${url.search}` === path)
}

const rowsDrawn = (): Promise<number> =>
  page.evaluate<number>(
    `document.querySelectorAll('main li, main tr, main [data-index], main .react-flow__node').length`,
  )

test('every screen with a thousand items draws a part of them, says how many there are, and fits a phone', async () => {
  const failed: string[] = []
  for (const [nth, { name, many }] of screens({ repo, interview: INTERVIEW }).entries()) {
    try {
      await follow(many.path)
      await many.act?.(page)
      await page.getByText(many.shown).first().waitFor()
      expect.soft(await rowsDrawn(), `${name}: rows`).toBeLessThanOrEqual(MOST_ROWS)
      await lookOnce(page, `${name}-many`, many.shown, nth)
    } catch (error) {
      failed.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  expect(failed).toEqual([])
  expect(complaints.all).toEqual([])
})

test('the rest of what needs a person is reached by a button and by keys, and every count is the same', async () => {
  await follow('/')
  const items = page.locator('[data-need]')
  await expect.poll(() => items.count()).toBe(50)
  await page.getByRole('button', { name: 'Show 50 more' }).click()
  await expect.poll(() => items.count()).toBe(100)
  // The link of a notice opens an item behind those that are drawn, and keys go on from there.
  const far = await lastItem('shop')
  await follow(`/?item=${encodeURIComponent(far)}&plan=shop`)
  const opened = page.locator('[data-need]', { has: page.getByRole('article') })
  const ofFar = new RegExp(`:${far}$`)
  await expect.poll(() => opened.getAttribute('data-need')).toMatch(ofFar)
  await page.keyboard.press('j')
  await expect.poll(() => opened.getAttribute('data-need')).not.toMatch(ofFar)
  const count = /\d+/.exec(await page.getByRole('heading', { level: 1 }).innerText())?.[0]
  expect(Number(count)).toBeGreaterThan(1000)
  await expect.poll(() => page.title()).toBe(`(${count}) Needs you · Bosun`)
  expect(await page.getByRole('link', { name: /^Needs you/ }).innerText()).toContain(count)
})

test('the count of a health leaves its workers alone, in the address too', async () => {
  await follow('/workers')
  const strip = page.getByTestId('strip')
  await strip.getByRole('button', { name: /^25 / }).click()
  await page.waitForURL(/health=zombie/)
  const rows = page.getByRole('main').getByRole('listitem')
  await expect.poll(() => rows.count()).toBe(25)
  await strip.getByRole('button', { name: /^25 / }).click()
  await expect.poll(() => rows.count()).toBe(50)
  expect(complaints.all).toEqual([])
})

test('on a phone the timeline opens at the present', async () => {
  // Once it was read before, in another width, it comes at once.
  await follow('/p/shop?view=timeline')
  await page.getByRole('region', { name: 'Timeline' }).waitFor()
  await follow('/workers')
  await page.setViewportSize(PHONE)
  await follow('/p/shop?view=timeline')
  await expect.poll(() => page.evaluate<boolean>(IS_AT_PRESENT)).toBe(true)
  await page.setViewportSize(DESKTOP)
})

const IS_AT_PRESENT = `(() => {
  const strip = document.querySelector('[role=region][aria-label=Timeline]')
  return strip !== null && strip.scrollLeft > 0 && strip.scrollLeft + strip.clientWidth >= strip.scrollWidth - 1
})()`

test('a long transcript opens at its end, and stays where a person scrolls', async () => {
  await follow('/workers/w-fleet-20-1')
  const log = page.getByRole('log', { name: 'Transcript' })
  await log.getByText('Step 1250').waitFor()
  await log.hover()
  await page.mouse.wheel(0, -2000)
  await page.getByRole('button', { name: 'To the end' }).click()
  await log.getByText('Step 1250').waitFor()
  expect(complaints.all).toEqual([])
  expect(troubles).toEqual([])
})
