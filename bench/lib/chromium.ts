/** Real Chromium for benches. */
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import ensureChromium, { CHROMIUM_VARIABLE, NO_CHROMIUM_VARIABLE } from '../../scripts/ensure-chromium.ts'
import type { CodeAnswer } from '../../src/protocol/machine-answer.ts'
import type { Lab } from '../../test/delivery/lab.ts'

const VIEWPORT = { width: 1280, height: 860 }

export function launchChromium(): Promise<Browser> {
  ensureChromium()
  const missing = process.env[NO_CHROMIUM_VARIABLE]
  if (missing !== undefined) throw new Error(missing)
  // Chromium's own sandbox does not run as root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath: process.env[CHROMIUM_VARIABLE] ?? '', args })
}

/** A browser that shares nothing with others but the program. */
export const aContext = (browser: Browser): Promise<BrowserContext> =>
  browser.newContext({ viewport: VIEWPORT })

/** Where this path is, with a code that lets one browser in. */
export async function linkTo(lab: Lab, path: string): Promise<string> {
  const { stdout, stderr, exit } = await lab.bosun('open', '--print', '--json')
  if (exit !== 0) throw new Error(stderr)
  const { link } = JSON.parse(stdout) as CodeAnswer
  const { hash, origin } = new URL(link)
  return new URL(`${path}${hash}`, origin).href
}

/** Keeps how long each long task of the page's main thread took, from now on. */
export async function watchLongTasks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`
    window.longest = 0
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration)
    }).observe({ type: 'longtask' })
  `)
  return () => page.evaluate<number>('window.longest')
}
