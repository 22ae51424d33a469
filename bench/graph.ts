/**
 * The graph of a plan of 1,000 tasks in a real browser: how long its layout takes off the main thread, until its nodes are on the
 * screen, and the longest time that the page did not answer meanwhile.
 */
import { setTimeout } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { z } from 'zod'
import setup, { CHROMIUM_VARIABLE } from '../scripts/ensure-chromium.ts'
import type { CodeAnswer } from '../src/protocol/machine-answer.ts'
import { answerLargePlan } from '../test/browser/large-plan.ts'
import { Lab } from '../test/delivery/lab.ts'
import { median, report, round } from './lib/measure.ts'

const TASKS = 1000
const ROUNDS = 5
/** Milliseconds. */
const MARKS = { layout_ms: 4000, longest_block_ms: 200 }

const measured = z.object({ layouts: z.array(z.number()), blocks: z.array(z.number()) })

setup()
const lab = new Lab({ 'README.md': '# Bench\n' })
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
const executablePath = process.env[CHROMIUM_VARIABLE]
if (executablePath === undefined) throw new Error('Chromium is absent')
const browser = await chromium.launch({ executablePath, args })
const rounds: { layout: number; shown: number; block: number }[] = []
try {
  const { stdout, stderr, exit } = await lab.bosun('open', '--print', '--json')
  if (exit !== 0) throw new Error(stderr)
  const { link } = JSON.parse(stdout) as CodeAnswer
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await answerLargePlan(context, 'large', TASKS)
  const page = await context.newPage()
  await page.goto(link)
  await page.getByRole('heading', { level: 1 }).waitFor()
  for (let turn = 0; turn <= ROUNDS; turn++) {
    await page.goto(new URL('/p/large', link).href)
    await page.getByRole('heading', { level: 1, name: 'A large shop' }).waitFor()
    await page
      .getByRole('link', { name: /T-1000/ })
      .or(page.getByText('Done'))
      .first()
      .waitFor({ state: 'attached' })
    // What loading the board took is not part of it.
    await setTimeout(500)
    await page.evaluate(
      'globalThis.blocks = []; new PerformanceObserver((list) => { for (const one of list.getEntries()) blocks.push(one.duration) }).observe({ type: "longtask" })',
    )
    const start = performance.now()
    await page.getByRole('radio', { name: 'Graph' }).click()
    await page.locator('.react-flow__node').first().waitFor()
    const shown = performance.now() - start
    await setTimeout(300)
    // What is done is folded; a task of it, chosen in the list, unfolds all: then every task is laid out.
    const list = page.getByRole('navigation', { name: 'Tasks of the graph' })
    if (!(await list.innerText()).includes(String(TASKS))) throw new Error('the graph lacks tasks')
    await list.getByRole('button').first().click()
    await page.keyboard.press('End')
    await setTimeout(200)
    await list.getByRole('button').last().click()
    for (let count = 0; count < 2;) {
      await setTimeout(100)
      count = Number(await page.evaluate('performance.getEntriesByName("layout of the graph").length'))
    }
    await setTimeout(300)
    const { layouts, blocks } = measured.parse(
      await page.evaluate(
        '({ layouts: performance.getEntriesByName("layout of the graph").map((one) => one.duration), blocks })',
      ),
    )
    const layout = Math.max(...layouts)
    // The first turn loads the code.
    if (turn > 0) rounds.push({ layout, shown, block: Math.max(0, ...blocks) })
  }
} finally {
  await browser.close()
  await lab.bosun('stop')
  await lab.dispose()
}

const of = (key: 'layout' | 'shown' | 'block') => rounds.map((one) => one[key])
const figures = {
  layout_ms: round(median(of('layout')), 0),
  until_shown_ms: round(median(of('shown')), 0),
  longest_block_ms: round(Math.max(...of('block')), 0),
}
const ok = figures.layout_ms <= MARKS.layout_ms && figures.longest_block_ms <= MARKS.longest_block_ms
report(
  'graph',
  Object.entries(figures).map(([what, ms]) => ({ what, ms })),
  { ...figures, ok },
)
console.log(`${TASKS} tasks; marks: layout ${MARKS.layout_ms} ms, longest block ${MARKS.longest_block_ms} ms`)
if (!ok) process.exitCode = 1
