/** Real Chromium for tests: signed-in pages of a real daemon, which must say nothing on the console. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  type ConsoleMessage,
  type Locator,
  type Page,
  type Response,
} from 'playwright-core'
import { expect } from 'vitest'
import { z } from 'zod'
import { CHROMIUM_VARIABLE, NO_CHROMIUM_VARIABLE } from '../../scripts/ensure-chromium.ts'
import { ROUTES, type RouteDocument } from '../../src/protocol/routes.ts'
import type { CodeAnswer } from '../../src/protocol/machine-answer.ts'
import type { Lab } from '../delivery/lab.ts'

const ROOT = join(import.meta.dirname, '../..')
const SCREENS = join(ROOT, 'docs/screens')
/** Set it to write the screenshots of docs/screens again: `npm run screens`. */
const WRITE_SCREENS = process.env['BOSUN_SCREENS'] === '1'
export const DESKTOP = { width: 1280, height: 860 }
export const PHONE = { width: 390, height: 844 }

/** Waits of a page: a machine that runs other tests beside is slow. */
const WAIT_MS = 60_000

/** `shown`: scrollbars take their room, as most browsers of a desktop draw them. */
type Scrollbars = 'hidden' | 'shown'

/** One for all files of a worker process, with which it ends; playwright closes it then. */
const browsers = new Map<Scrollbars, Promise<Browser>>()
let contexts: BrowserContext[] = []

/** Called after the last test of a file: a page that stays open would go on asking its daemon. */
export async function closeContexts(): Promise<void> {
  await Promise.all(contexts.map((context) => context.close()))
  contexts = []
}

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
  contexts.push(context)
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
  expect(await violations(page, true)).toEqual([])
}

const requireAxe = createRequire(import.meta.url)
const AXE = readFileSync(requireAxe.resolve('axe-core/axe.min.js'), 'utf8')

/** WCAG 2.2 AA. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** What another colour scheme can change. */
const COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

interface Look {
  readonly suffix: string
  readonly size: { readonly width: number; readonly height: number }
  readonly colorScheme: 'light' | 'dark'
  /** Whether docs/screens has it. */
  readonly isShot: boolean
}

const LOOKS: readonly Look[] = [
  { suffix: 'light', size: DESKTOP, colorScheme: 'light', isShot: true },
  { suffix: 'dark', size: DESKTOP, colorScheme: 'dark', isShot: true },
  { suffix: 'phone-dark', size: PHONE, colorScheme: 'dark', isShot: false },
  { suffix: 'phone', size: PHONE, colorScheme: 'light', isShot: true },
]

/**
 * Looks at a screen in light and dark, on a desktop and on a phone: accessible, within its width, and as a picture. All that is
 * wrong is listed, not only the first. `shown` is read on the screen in each look, where it is a text.
 */
export async function look(page: Page, name: string, shown: string, looks = LOOKS): Promise<void> {
  await page.evaluate(WITHOUT_MOTION)
  for (const { suffix, size, colorScheme, isShot } of looks) {
    await page.setViewportSize(size)
    await paintIn(page, colorScheme)
    if (shown !== '') await page.getByText(shown).first().waitFor({ state: 'attached' })
    const isWhole = colorScheme === 'light' || looks.length === 1
    expect.soft(await violations(page, isWhole), `${name}-${suffix}`).toEqual([])
    if (isShot) await shoot(page, `${name}-${suffix}`)
  }
  await page.setViewportSize(PHONE)
  expect.soft(await tooWidePx(page), `${name} on a phone`).toBeLessThanOrEqual(0)
  await page.setViewportSize(DESKTOP)
}

/** One look at the nth of many screens, each time another one: all of them where pictures are made. */
export const lookOnce = (page: Page, name: string, shown: string, nth: number): Promise<void> =>
  look(page, name, shown, WRITE_SCREENS ? LOOKS : LOOKS.slice(nth % LOOKS.length).slice(0, 1))

/** Colours on their way from one scheme to the other have no contrast. */
const WITHOUT_MOTION = `
  if (globalThis.withoutMotion === undefined) {
    globalThis.withoutMotion = new CSSStyleSheet()
    withoutMotion.replaceSync('*, *::before, *::after { transition: none !important; animation: none !important }')
    document.adoptedStyleSheets.push(withoutMotion)
  }`

/** In a colour scheme that is not the first, `isWhole` is false: only colours can be wrong that were not before. */
async function violations(page: Page, isWhole: boolean): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(AXE)
  const runOnly = isWhole ? { type: 'tag', values: TAGS } : COLOURS
  // Without the style sheets, which it would fetch and read anew each time: no rule of these tags reads them.
  const preload = { assets: ['media'] }
  const options = JSON.stringify({ runOnly, preload, resultTypes: ['violations'], elementRef: false })
  return page.evaluate<string[]>(
    `axe.run(document, ${options}).then(({ violations }) => violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary }) => id + ': ' + help + ': ' + target.join(' ') + ': ' + failureSummary)))`,
  )
}

/** No part of the page is wider than the screen, once its layout is at rest. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await settled(page)
  expect(await tooWidePx(page)).toBeLessThanOrEqual(0)
}

const tooWidePx = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')

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

const pictures = new WeakMap<Page, CDPSession>()

/** Writes docs/screens/NAME.webp, a third of a PNG, where the pictures are to be made again. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (!WRITE_SCREENS) return
  const session = pictures.get(page) ?? (await page.context().newCDPSession(page))
  pictures.set(page, session)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 70 })
  mkdirSync(SCREENS, { recursive: true })
  writeFileSync(join(SCREENS, `${name}.webp`), Buffer.from(data, 'base64'))
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
