/**
 * The page in real Chromium: how long a first look takes, how long after a check-in its words are on the screen while fifty
 * workers check in, what of the main thread that takes, and what fifty open tabs cost a daemon in which nothing happens.
 */
import { once } from 'node:events'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { Lab, linesOf } from '../test/delivery/lab.ts'
import { quantile } from './lib/checkin-load.ts'
import { aContext, launchChromium, linkTo, watchLongTasks } from './lib/chromium.ts'
import { median, report, round } from './lib/measure.ts'
import { cpuMs } from './lib/process-cost.ts'

const WORKERS = 50
const TABS = 50
const LOOKS = 5
/** Each worker checks in once a second, for so long. */
const SECONDS = 20
const IDLE_MS = 20_000
const SETTLE_MS = 10_000
const MARKS = { ready_ms: 1500, pixel_p95_ms: 250, long_task_ms: 200, tabs_percent: 10 } as const

const lab = new Lab({ 'README.md': '# Page\n' })
const begun = join(lab.folder, 'begun.txt')
lab.write({
  'plan.yaml': planText(),
  'tools/agent.sh': [
    '#!/bin/sh',
    `echo "$BOSUN_WORKER_ID $BOSUN_TOKEN" >> ${begun}`,
    'exec sleep 100000',
    '',
  ].join('\n'),
  'bosun.yaml': [
    'agents: { crew: { protocol: command, command: [sh, tools/agent.sh] } }',
    'roles: { reviewer: rules }',
    `pm: { max_parallel_agents: ${WORKERS} }`,
    '',
  ].join('\n'),
})
const browser = await launchChromium()
try {
  const attached = lab.spawn('run', 'plan.yaml', '--no-input', '--json')
  while (linesOf(begun).length < WORKERS) await pause(200)
  attached.kill('SIGTERM')
  await once(attached, 'exit')
  const { pid } = lab.daemon()

  const looks: number[] = []
  for (let look = 0; look < LOOKS; look++) looks.push(await firstLook())
  const live = await whileCheckingIn()
  const tabs = await idleTabs(pid)

  const figures = {
    ready_ms: round(median(looks), 0),
    pixel_p50_ms: round(quantile(live.delays, 0.5), 0),
    pixel_p95_ms: round(quantile(live.delays, 0.95), 0),
    seen: live.delays.length,
    sent: live.sent,
    long_task_ms: round(live.longest, 0),
    tabs_percent: round(tabs, 2),
  }
  const ok =
    figures.ready_ms <= MARKS.ready_ms &&
    figures.pixel_p95_ms <= MARKS.pixel_p95_ms &&
    figures.long_task_ms <= MARKS.long_task_ms &&
    figures.tabs_percent <= MARKS.tabs_percent
  const marks = Object.fromEntries(Object.entries(MARKS).map(([name, mark]) => [`mark_${name}`, mark]))
  report('page', [figures], { ...marks, ...figures, ok })
  if (!ok) process.exitCode = 1
} finally {
  await browser.close()
  await lab.bosun('cancel', 'page')
  while (lab.processes().some((line) => line.includes('supervise'))) await pause(200)
  await lab.dispose()
}

/** From the address to the rows of the workers, in a browser that has nothing of the page yet. */
async function firstLook(): Promise<number> {
  const context = await aContext(browser)
  const page = await context.newPage()
  const link = await linkTo(lab, '/workers')
  const start = performance.now()
  await page.goto(link)
  await workersOn(page)
  const took = performance.now() - start
  await context.close()
  return took
}

function workersOn(page: Page): Promise<void> {
  return page.getByText('w-page-1-1').first().waitFor()
}

/** Each check-in says when it was sent; the page notes when it shows those words. */
async function whileCheckingIn(): Promise<{
  readonly delays: readonly number[]
  readonly sent: number
  readonly longest: number
}> {
  const context = await aContext(browser)
  const page = await context.newPage()
  await page.goto(await linkTo(lab, '/workers'))
  await workersOn(page)
  await page.evaluate(`
    window.seen = new Map()
    const look = () => {
      const now = Date.now()
      for (const [words, sent] of document.body.innerText.matchAll(/sent at (\\d{13})/g))
        if (!window.seen.has(words)) window.seen.set(words, now - Number(sent))
    }
    new MutationObserver(() => requestAnimationFrame(look)).observe(document.body, { subtree: true, childList: true, characterData: true })
  `)
  const longest = await watchLongTasks(page)
  const workers = linesOf(begun).map((line) => line.split(' '))
  const { url } = lab.daemon()
  let sent = 0
  const calls: Promise<void>[] = []
  for (let second = 0; second < SECONDS; second++) {
    for (const [worker = '', token = ''] of workers) {
      calls.push(checkIn(`${url}/api/workers/${worker}/checkins`, token, (100 * second) / SECONDS))
      sent++
      await pause(1000 / WORKERS)
    }
  }
  await Promise.all(calls)
  await pause(1000)
  const delays = await page.evaluate<number[]>('[...window.seen.values()].sort((a, b) => a - b)')
  const figures = { delays, sent, longest: await longest() }
  await context.close()
  return figures
}

async function checkIn(url: string, token: string, progress: number): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      status: 'in_progress',
      progress_pct: Math.round(progress),
      current_step: `sent at ${Date.now()}`,
    }),
  })
  if (answer.status !== 202) throw new Error(await answer.text())
  await answer.text()
}

/** The daemon's share of a core. */
async function idleTabs(pid: number): Promise<number> {
  const context = await aContext(browser)
  const first = await context.newPage()
  const link = await linkTo(lab, '/')
  await first.goto(link)
  await first.getByRole('heading', { name: 'Needs you' }).waitFor()
  for (let tab = 1; tab < TABS; tab++) {
    const page = await context.newPage()
    await page.goto(new URL('/workers', link).href)
    await workersOn(page)
  }
  await pause(SETTLE_MS)
  const [cpu, start] = [cpuMs(pid), performance.now()]
  await pause(IDLE_MS)
  const share = (100 * (cpuMs(pid) - cpu)) / (performance.now() - start)
  await context.close()
  return share
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function planText(): string {
  const tasks = Array.from({ length: WORKERS }, (_, at) => at + 1).map(
    (task) =>
      `  - { id: '${task}', title: Wait ${task}, description: Wait., tier: low, acceptance_criteria: [It waits], gates: [contract], files: { create: [src/w${task}] } }`,
  )
  return ['plan: page', 'title: Page', 'tasks:', ...tasks, ''].join('\n')
}
