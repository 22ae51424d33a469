/** Real Chromium for tests: signed-in pages of a real daemon, which must say nothing on the console. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type ConsoleMessage,
  type Locator,
  type Page,
  type Response,
} from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { z } from 'zod'
import { CHROMIUM_VARIABLE, NO_CHROMIUM_VARIABLE } from '../../scripts/ensure-chromium.ts'
import { ROUTES, type RouteDocument } from '../../src/protocol/routes.ts'
import type { CodeAnswer } from '../../src/protocol/session.ts'
import type { Lab } from '../delivery/lab.ts'

const ROOT = join(import.meta.dirname, '../..')
export const SCREENS = join(ROOT, 'docs/screens')
/** Set it to write the screenshots of docs/screens again: `npm run screens`. */
export const WRITE_SCREENS = process.env['BOSUN_SCREENS'] === '1'
export const DESKTOP = { width: 1280, height: 860 }
export const PHONE = { width: 390, height: 844 }

/** Waits of a page: a machine that runs other tests beside is slow. */
const WAIT_MS = 60_000

/** `shown`: scrollbars take their room, as most browsers of a desktop draw them. */
type Scrollbars = 'hidden' | 'shown'

const browsers = new Map<Scrollbars, Promise<Browser>>()

afterAll(async () => {
  for (const browser of browsers.values()) await (await browser).close()
  browsers.clear()
})

function launched(scrollbars: Scrollbars): Promise<Browser> {
  const missing = process.env[NO_CHROMIUM_VARIABLE]
  if (missing !== undefined) throw new Error(missing)
  const executablePath = process.env[CHROMIUM_VARIABLE]
  if (executablePath === undefined) throw new Error('run it with: npx vitest run --project browser')
  // Chromium's own sandbox does not run as root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const ignoreDefaultArgs = scrollbars === 'shown' ? ['--hide-scrollbars'] : []
  const browser = browsers.get(scrollbars) ?? chromium.launch({ executablePath, args, ignoreDefaultArgs })
  browsers.set(scrollbars, browser)
  return browser
}

/** A browser of its own: nothing is shared with others but the program. */
export async function aBrowser(
  options: BrowserContextOptions = {},
  scrollbars: Scrollbars = 'hidden',
): Promise<BrowserContext> {
  const context = await (
    await launched(scrollbars)
  ).newContext({
    viewport: DESKTOP,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    ...options,
  })
  context.setDefaultTimeout(WAIT_MS)
  return context
}

/** A link that works once. Starts the daemon where none runs. */
export async function linkOf(lab: Lab): Promise<string> {
  const { stdout, stderr, exit } = await lab.bosun('open', '--print', '--json')
  if (exit !== 0) throw new Error(stderr)
  return (JSON.parse(stdout) as CodeAnswer).link
}

/** What is wrong with a page: errors on its console, every word of the CSP, and answers that are not as the API's table says. */
export class Complaints {
  readonly #said: string[] = []

  constructor(page: Page) {
    page.on('console', (message) => {
      if (isComplaint(message)) this.#said.push(`${message.type()}: ${message.text()}`)
    })
    page.on('pageerror', (error) => this.#said.push(error.stack ?? error.message))
    page.on('response', (response) => {
      void answerProblem(response).then((problem) => problem !== null && this.#said.push(problem))
    })
  }

  get all(): readonly string[] {
    return this.#said
  }
}

const ANSWERS = Object.entries<RouteDocument>(ROUTES).map(([name, { answer }]) => ({
  name,
  pattern: new RegExp(`^${name.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  answer,
}))

/** Why an answer is not what the table of routes says of it; null where it is. */
async function answerProblem(response: Response): Promise<string | null> {
  const asked = `${response.request().method()} ${new URL(response.url()).pathname}`
  const route = ANSWERS.find(({ pattern }) => pattern.test(asked))
  const isJson = response.headers()['content-type']?.startsWith('application/json') === true
  if (route === undefined || !isJson || !response.ok()) return null
  // A page that is left takes its answers with it.
  const body: unknown = await response.json().catch(() => null)
  if (body === null) return null
  const { error } = route.answer.safeParse(body)
  return error === undefined ? null : `${asked} is not as ${route.name} says: ${z.prettifyError(error)}`
}

/** The browser notes every refusal and every lost connection of its own accord; those are the page's to show. */
function isComplaint(message: ConsoleMessage): boolean {
  const text = message.text()
  if (/content security policy|csp/i.test(text)) return true
  if (message.type() !== 'error' && message.type() !== 'warning') return false
  return !/^Failed to load resource: (the server responded with a status of (4\d\d|503)|net::ERR_)/.test(text)
}

export interface SignedIn {
  readonly page: Page
  readonly context: BrowserContext
  readonly complaints: Complaints
}

/** Opens a path in a new tab, or in the given one, signed in by a link of the daemon. */
export async function signedIn(
  lab: Lab,
  path = '/',
  context?: BrowserContext,
  tab?: Page,
): Promise<SignedIn> {
  const own = context ?? (await aBrowser())
  const page = tab ?? (await own.newPage())
  const complaints = new Complaints(page)
  const link = new URL(await linkOf(lab))
  await page.goto(new URL(`${path}${link.hash}`, link.origin).href)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return { page, context: own, complaints }
}

/** Holds what is on the page to WCAG 2.2 AA, once the given text is really there. */
export async function expectAccessible(page: Page, shown: string): Promise<void> {
  await page.getByText(shown).first().waitFor()
  await settled(page)
  // Legacy: without a second page for the results, into which all of axe would be loaded again. There are no frames.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze()
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${target.join(' ')}: ${failureSummary ?? ''}`),
  )
  expect(found).toEqual([])
}

/** No part of the page is wider than the screen, once its layout is at rest. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await settled(page)
  expect(
    await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
  ).toBeLessThanOrEqual(0)
}

/**
 * A notice of the page stands beside everything that can be clicked, as soon as it has found its place. `show` brings one, also
 * where the last one has gone again.
 */
export async function expectNothingCovered(page: Page, show: () => Promise<void>): Promise<void> {
  const covered = async (): Promise<readonly string[] | null> => {
    if ((await page.locator('[data-sonner-toast]').count()) === 0) await show()
    return page.evaluate<readonly string[] | null>(COVERED)
  }
  await expect.poll(covered, { timeout: WAIT_MS }).toEqual([])
}

const COVERED = `(() => {
  const notices = [...document.querySelectorAll('[data-sonner-toast]')]
  if (notices.length === 0) return null
  const inside = (one) => one.closest('[data-sonner-toaster]') !== null
  const actions = [...document.querySelectorAll('a[href], button, input, textarea, select')].filter((one) => !inside(one))
  return actions.flatMap((one) => {
    const action = one.getBoundingClientRect()
    const isCovered = action.width > 0 && action.height > 0 && notices.some((notice) => {
      const box = notice.getBoundingClientRect()
      return box.left < action.right && box.right > action.left && box.top < action.bottom && box.bottom > action.top
    })
    return isCovered ? [one.getAttribute('aria-label') ?? one.textContent] : []
  })
})()`

/** Writes docs/screens/NAME.png where the screenshots are to be made again. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (!WRITE_SCREENS) return
  mkdirSync(SCREENS, { recursive: true })
  await page.screenshot({ path: join(SCREENS, `${name}.png`), animations: 'disabled' })
}

/** Gives the test a hand on the connection of the stream, in a browser without SharedWorkers. */
export const CUTTABLE = `
  delete globalThis.SharedWorker
  const real = fetch
  let cut = new AbortController()
  globalThis.cutStream = () => cut.abort()
  globalThis.mendStream = () => { cut = new AbortController() }
  globalThis.fetch = (path, init = {}) =>
    String(path).startsWith('/api/events')
      ? real(path, { ...init, signal: AbortSignal.any([init.signal, cut.signal]) })
      : real(path, init)
`

/** Shows the page in this scheme, and waits until it is: colours change a frame or two later. */
export async function paintIn(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme })
  await expect.poll(() => settled(page), { interval: 20 }).toBe(scheme)
}

/** Resolves with the colour scheme once it is painted and no transition is on its way: half-way colours have no contrast. */
const settled = (page: Page): Promise<string> => page.evaluate<string>(SETTLED)

/** Not waitForFunction: it evaluates the text in the page again, which the CSP forbids. What never ends is not waited for. */
const SETTLED = `(async () => {
  const frame = () => new Promise(requestAnimationFrame)
  await frame()
  await frame()
  const ends = ({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity
  await Promise.allSettled(document.getAnimations().filter(ends).map(({ finished }) => finished))
  return getComputedStyle(document.documentElement).colorScheme
})()`

/** Approves the work of an item: what lands is shown first, and only the second button sends it. */
export async function approveIn(place: Page | Locator): Promise<void> {
  const buttons = place.getByRole('button', { name: /^Approve/ })
  await buttons.first().click()
  await buttons.nth(1).click()
}

/** Where its middle is. */
export async function middleOf(place: Locator): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await place.boundingBox()) ?? { x: NaN, y: NaN, width: 0, height: 0 }
  return { x: x + width / 2, y: y + height / 2 }
}

/** Presses a text that copies itself: it says so, and the text is in the clipboard. */
export async function expectCopies(button: Locator, text: string): Promise<void> {
  const page = button.page()
  await page.evaluate("navigator.clipboard.writeText('nothing yet')")
  // It says so for a moment only.
  await Promise.all([button.getByLabel('Copied').waitFor(), button.click()])
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(text)
}
