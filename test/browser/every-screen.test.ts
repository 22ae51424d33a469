/**
 * Every screen in every state, with one daemon and one browser: empty, loading, refused, with a plan of three tasks, and without
 * its daemon. Each is seen empty and with the plan in light and dark, on a desktop and on a phone; what all screens share
 * (outline, refusal, notice of the lost daemon) in one of these, by turns. `npm run screens` takes every look.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { daemonAt } from '../../src/client/daemon.ts'
import type { Lab } from '../delivery/lab.ts'
import { smallProject, THREE_VALUES, valuesPlan } from '../delivery/small-project.ts'
import { aBrowser, look, lookOnce, signedIn, type Complaints } from './browser.ts'
import { screens, type Places, type Screen, type View } from './screens.ts'

const PLAN = valuesPlan(THREE_VALUES, 'values', 'Values for the shop')

/** A busy machine takes long for the axe of ninety screens. */
const PATIENCE_MS = 900_000

let lab: Lab
let context: BrowserContext
let page: Page
let complaints: Complaints
let places: Places = { repo: '', interview: '' }

beforeAll(async () => {
  lab = smallProject({
    agent: 'if [ "$id" = 3 ]; then work; echo "looks at the tests"; sleep 3600; fi; work; report',
    files: { 'plan.yaml': PLAN },
    settings: 'approval: each_task\nscheduling: { parallel_tiers: [low] }\n',
  })
  context = await aBrowser()
  // Requests of a SharedWorker cannot be held back by a test.
  await context.addInitScript('delete globalThis.SharedWorker')
  ;({ page, complaints } = await signedIn(lab, '/', context))
})
afterAll(async () => {
  await lab.dispose()
})

const goTo = (path: string): Promise<unknown> => page.goto(new URL(path, page.url()).href)

/** As a link would: what was fetched before is still known. */
async function follow(path: string): Promise<void> {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`)
  await page.waitForURL((url) => `${url.pathname}${url.search}` === path)
}

async function arrive({ act, shown }: View): Promise<void> {
  await act?.(page)
  await page.getByText(shown).first().waitFor()
}

/** All screens that fail are listed, not only the first. */
async function onEach(show: (screen: Screen, nth: number) => Promise<void>): Promise<void> {
  const failed: string[] = []
  for (const [nth, screen] of screens(places).entries()) {
    try {
      await show(screen, nth)
    } catch (error) {
      failed.push(`${screen.name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  expect(failed).toEqual([])
}

test(
  'every screen without a plan says in a sentence what to do',
  async () => {
    await onEach(async ({ name, empty }) => {
      await follow(empty.path)
      await arrive(empty)
      await look(page, `${name}-empty`, empty.shown)
    })
    expect(complaints.all).toEqual([])
  },
  PATIENCE_MS,
)

test(
  'the action of every page without content works',
  async () => {
    await onEach(async ({ empty: { action, ...view } }) => {
      if (action === undefined) return
      await page.evaluate(WITHOUT_DRAFTS)
      await goTo(view.path)
      await arrive(view)
      await action.before?.(page)
      const { role, name, works } = action
      // The navigation beside it has links of the same names.
      const target = page.getByRole('main').getByRole(role, { name, exact: true })
      await Promise.all([works(page), target.click()])
    })
    await page.evaluate(WITHOUT_DRAFTS)
    expect(complaints.all).toEqual([])
  },
  PATIENCE_MS,
)

test(
  'every screen shows its outline while it loads, what failed with Retry in its place, and then what was asked for',
  async () => {
    lab.spawn('run', 'plan.yaml', '--no-input', '--json')
    places = { repo: lab.repo, interview: await beginInterview() }
    await goTo('/')
    await page.getByText('waits for your approval').nth(1).waitFor()
    await onEach(async (screen, nth) => {
      try {
        await loadAndFail(screen, nth)
      } finally {
        await page.unroute(screen.request)
      }
    })
    expect(complaints.all).toEqual([])
  },
  PATIENCE_MS,
)

const WITHOUT_DRAFTS = `for (const key of Object.keys(localStorage)) if (key.startsWith('bosun.draft.')) localStorage.removeItem(key)`

/** From the outline over the refusal to the content, in one visit. */
async function loadAndFail(
  { name, few, request, error, loading, again = 'Retry', isAskedAgain = false }: Screen,
  nth: number,
): Promise<void> {
  const held: Route[] = []
  let isRefused = false
  const refuse = (route: Route): Promise<void> => route.fulfill({ status: 422, json: REFUSAL })
  await page.route(request, async (route) => {
    if (isRefused) await refuse(route)
    else held.push(route)
  })
  await goTo(few.path)
  await few.act?.(page)
  await expect.poll(() => held.length, { timeout: PATIENCE_MS }).toBeGreaterThan(0)
  if (loading === undefined) await page.locator('[aria-label=Loading] > .bg-hover').first().waitFor()
  await lookOnce(page, `${name}-loading`, loading ?? '', nth)
  isRefused = true
  await Promise.all(held.map(refuse))
  await page.getByText(error).first().waitFor()
  await lookOnce(page, `${name}-error`, error, nth)
  const button = page.getByRole('button', { name: again, exact: again === 'Retry' }).first()
  await button.waitFor()
  await page.unroute(request)
  if (!isAskedAgain) await button.click()
  await page.getByText(few.shown).first().waitFor()
  await page.getByText(error).first().waitFor({ state: 'detached' })
  await page.getByText('live', { exact: true }).waitFor()
  await page.locator('[aria-label=Loading]').first().waitFor({ state: 'detached' })
  await look(page, `${name}-few`, few.shown)
}

const REFUSAL = {
  schema: 'bosun.error/v1',
  error: { code: 'failed', message: 'the database is locked', remedy: 'Run: bosun doctor' },
}

async function beginInterview(): Promise<string> {
  const { session_id } = await daemon().post('/api/pm/start', {
    repo: lab.repo,
    text: 'Let users upload a picture',
  })
  if (session_id === null) throw new Error('no interview was begun')
  return session_id
}

/** The daemon, as another door. */
function daemon() {
  const token = readFileSync(join(lab.home, 'token'), 'utf8').trim()
  return daemonAt({ facts: lab.daemon(), token }, () => Promise.reject(new Error('the daemon is gone')))
}

test(
  'every screen that was read stays readable when the daemon is gone, and says since when',
  async () => {
    await onEach(async ({ few }) => {
      await follow(few.path)
      await arrive(few)
    })
    await lab.stop()
    await page.getByText(/^Not live since/).waitFor()
    await onEach(async ({ name, few, offline = few.shown }, nth) => {
      await follow(few.path)
      await page.getByText(/^Not live since/).waitFor()
      await lookOnce(page, `${name}-offline`, few.act === undefined ? offline : 'Not live since', nth)
    })
    expect(complaints.all).toEqual([])
  },
  PATIENCE_MS,
)
