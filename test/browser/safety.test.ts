/** Another page on the same machine, in the same browser, against the page: real attacks in a real browser. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Lab } from '../delivery/lab.ts'
import { signedIn } from './browser.ts'

let lab: Lab
let hostile: Server
/** What the hostile page's own server was asked for. */
const asked: string[] = []
let context: BrowserContext
let page: Page
/** The page's session, as if it had been stolen. */
let session: string

beforeAll(async () => {
  lab = new Lab({ 'README.md': '# Safe\n' })
  hostile = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Hostile</title><p>Hello')
  })
  await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve))
  const opened = await signedIn(lab)
  ;({ context, page } = opened)
  session = await page.evaluate<string>('sessionStorage.getItem("bosun.session")')
  expect(session).toMatch(/^[0-9a-f]{64}$/)
  expect(opened.complaints.all).toEqual([])
})
afterAll(async () => {
  hostile.close()
  await lab.dispose()
})

const hostileUrl = (): string => `http://127.0.0.1:${(hostile.address() as AddressInfo).port}/`

async function hostilePage(): Promise<Page> {
  const tab = await context.newPage()
  await tab.goto(hostileUrl())
  return tab
}

/** Each is an expression that resolves to what the hostile page got; `U` is the daemon's address, `S` the session. */
const ATTACKS: readonly (readonly [string, string, string])[] = [
  [
    'reads with a stolen session',
    'fetch(U + "/api/status", { headers: { Authorization: "Bearer " + S } })',
    'failed',
  ],
  ['reads the page', 'fetch(U + "/")', 'failed'],
  [
    'reads without CORS',
    'fetch(U + "/api/status", { mode: "no-cors" }).then((r) => r.text())',
    'empty or failed',
  ],
  [
    'stops the daemon by a request that needs no preflight',
    'fetch(U + "/api/daemon/stop", { method: "POST", mode: "no-cors", body: "{}" }).then((r) => r.text())',
    'empty or failed',
  ],
  [
    'stops the daemon as JSON',
    'fetch(U + "/api/daemon/stop", { method: "POST", body: "{}", headers: { "Content-Type": "application/json", Authorization: "Bearer " + S } })',
    'failed',
  ],
  [
    'guesses a code',
    'fetch(U + "/api/session", { method: "POST", body: JSON.stringify({ code: "0".repeat(64) }), headers: { "Content-Type": "application/json" } })',
    'failed',
  ],
  [
    'sends a beacon',
    'Promise.resolve(navigator.sendBeacon(U + "/api/daemon/stop", "{}")).then(() => "")',
    'empty or failed',
  ],
  [
    'listens to events',
    'new Promise((_, fail) => { new EventSource(U + "/api/events").onerror = fail })',
    'failed',
  ],
  [
    'opens a socket',
    'new Promise((_, fail) => { new WebSocket(U.replace("http", "ws") + "/api/events").onerror = fail })',
    'failed',
  ],
  [
    'loads an asset as its own script',
    'fetch("/").then(() => new Promise((done, fail) => { const s = document.createElement("script"); s.src = U + ASSET; s.onload = done; s.onerror = fail; document.head.append(s) }))',
    'failed',
  ],
  [
    'starts a worker from an asset',
    'new Promise((done, fail) => { const w = new Worker(U + ASSET, { type: "module" }); w.onerror = fail; w.onmessage = done })',
    'failed',
  ],
]

test('another page on this machine reads nothing and changes nothing', async () => {
  const { pid, url } = lab.daemon()
  const asset = await page.evaluate<string>('new URL(document.querySelector("script[src]").src).pathname')
  const tab = await hostilePage()
  for (const [name, attack, expected] of ATTACKS) {
    const got = await tab.evaluate<string>(
      `(async () => { const [U, S, ASSET] = ${JSON.stringify([url, session, asset])};
        try { return (await ${attack}) === "" ? "empty" : "something" } catch { return "failed" } })()`,
    )
    expect(expected, `it ${name}: ${got}`).toContain(got)
  }
  expect(lab.daemon().pid).toBe(pid)
  expect((await fetch(`${url}/api/status`, { headers: { Authorization: `Bearer ${session}` } })).status).toBe(
    200,
  )
  await tab.close()
})

test('another page can neither frame the page, nor hold it as its window, nor post a form to it', async () => {
  const { pid, url } = lab.daemon()
  const tab = await hostilePage()
  await tab.evaluate(
    `new Promise((done) => { const f = document.createElement("iframe"); f.src = ${JSON.stringify(url)}; f.onload = done; document.body.append(f) })`,
  )
  const texts = await Promise.all(
    tab.frames().map((frame) => frame.evaluate<string>('document.body.innerText')),
  )
  expect(texts.join('\n')).not.toContain('Needs you')

  const [popup] = await Promise.all([
    tab.waitForEvent('popup'),
    tab.evaluate(`void (window.held = window.open(${JSON.stringify(url)}))`),
  ])
  await popup.getByRole('heading', { name: 'Needs you' }).waitFor()
  expect(await popup.evaluate('window.opener')).toBe(null)
  await expect.poll(() => tab.evaluate('window.held.closed')).toBe(true)
  await popup.close()

  await tab.evaluate(
    `(() => { const f = document.createElement("form"); f.method = "post"; f.enctype = "text/plain"; f.action = ${JSON.stringify(`${url}/api/daemon/stop`)}; document.body.append(f); f.submit() })()`,
  )
  await tab.getByText('cross-origin requests are not allowed').waitFor()
  expect(lab.daemon().pid).toBe(pid)
  await tab.close()
})

test('a link on another page leads to the page, also to its deep addresses', async () => {
  const tab = await hostilePage()
  await tab.evaluate(
    `void (document.body.innerHTML = '<a href="${lab.daemon().url}/metrics">see the metrics</a>')`,
  )
  await tab.getByText('see the metrics').click()
  await tab.getByRole('heading', { level: 1, name: 'Metrics' }).waitFor()
  await tab.close()
})

test('the page itself runs no inline script and sends nothing to another server', async () => {
  asked.length = 0
  const ran = await page.evaluate<unknown>(
    `(async () => {
      const script = document.createElement('script')
      script.textContent = 'window.ran = true'
      const image = new Image()
      image.src = ${JSON.stringify(hostileUrl())} + 'image'
      document.body.append(script, image)
      const sent = await fetch(${JSON.stringify(hostileUrl())} + 'fetch', { mode: 'no-cors' }).then(() => true, () => false)
      return { inline: window.ran === true, sent }
    })()`,
  )
  expect(ran).toEqual({ inline: false, sent: false })
  expect(asked).toEqual([])
})

test('bosun open --revoke signs an open page out at once', async () => {
  await page.getByRole('heading', { name: 'Needs you' }).waitFor()
  expect((await lab.bosun('open', '--revoke')).stdout).toMatch(/^ended \d+ page session/)
  await page.getByText('Your session has ended').waitFor()
  expect(await page.evaluate('sessionStorage.getItem("bosun.session")')).toBe(null)
})
