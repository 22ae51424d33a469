/** Looks at a screen in light and dark, on a desktop and on a phone: accessible, within its width, and as a picture. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { CDPSession, Page } from 'playwright-core'
import { expect } from 'vitest'
import { DESKTOP, paintIn, PHONE, SCREENS, WRITE_SCREENS } from './browser.ts'

const requireHere = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'))
const AXE = readFileSync(requireHere.resolve('axe-core/axe.min.js'), 'utf8')

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

/** All that is wrong is listed, not only the first. `shown` is read on the screen in each look, where it is a text. */
export async function look(page: Page, name: string, shown: string, looks = LOOKS): Promise<void> {
  await page.evaluate(WITHOUT_MOTION)
  for (const { suffix, size, colorScheme, isShot } of looks) {
    await page.setViewportSize(size)
    await paintIn(page, colorScheme)
    if (shown !== '') await page.getByText(shown).first().waitFor({ state: 'attached' })
    const isWhole = colorScheme === 'light' || looks.length === 1
    expect.soft(await violations(page, isWhole), `${name}-${suffix}`).toEqual([])
    if (isShot) await picture(page, `${name}-${suffix}`)
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

const tooWidePx = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')

/** In a colour scheme that is not the first, `isWhole` is false: only colours can be wrong that were not before. */
async function violations(page: Page, isWhole: boolean): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(AXE)
  const runOnly = isWhole ? { type: 'tag', values: TAGS } : COLOURS
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'], elementRef: false })
  return page.evaluate<string[]>(
    `axe.run(document, ${options}).then(({ violations }) => violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary }) => id + ': ' + help + ': ' + target.join(' ') + ': ' + failureSummary)))`,
  )
}

const sessions = new WeakMap<Page, CDPSession>()

/** As WebP, a third of a PNG: there are many of them. */
async function picture(page: Page, name: string): Promise<void> {
  if (!WRITE_SCREENS) return
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page))
  sessions.set(page, session)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 70 })
  mkdirSync(SCREENS, { recursive: true })
  writeFileSync(join(SCREENS, `${name}.webp`), Buffer.from(data, 'base64'))
}
