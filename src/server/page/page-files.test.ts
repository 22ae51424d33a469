/** The page through the whole door, without a socket. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { doorOf, requestApp } from '../../../test/helpers/request-app.ts'
import { TestHost } from '../../../test/helpers/test-host.ts'
import { codeAnswer, revokeAnswer, sessionAnswer } from '../../protocol/machine-answer.ts'
import { createApp, type App } from '../app.ts'

const PORT = 20_000
const ORIGIN = `http://127.0.0.1:${PORT}`
const TOKEN = 'cd'.repeat(32)
const SCRIPT = new Uint8Array([0xff, 0xfe, 0x00, 0x80])
const testing = new TestHost()
let app: App
let folder: string

const appWith = (pageFolder: string): App =>
  createApp({ ...doorOf(testing, { token: TOKEN, port: PORT }), pageFolder })

beforeAll(async () => {
  await testing.open()
  folder = join(testing.root, 'web')
  mkdirSync(join(folder, 'assets', 'deeper'), { recursive: true })
  writeFileSync(join(folder, 'index.html'), '<!doctype html><p>the shell</p>')
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>')
  writeFileSync(join(folder, 'secret.txt'), 'secret')
  writeFileSync(join(folder, 'assets', 'main-4f2a.js'), SCRIPT)
  writeFileSync(join(folder, 'assets', 'main-4f2a.css'), 'p {}')
  writeFileSync(join(folder, 'assets', '.hidden'), 'secret')
  writeFileSync(join(folder, 'assets', 'deeper', 'x.js'), 'secret')
  symlinkSync('../secret.txt', join(folder, 'assets', 'link.txt'))
  app = appWith(folder)
})
afterAll(async () => {
  await testing.dispose()
})

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  requestApp(app, `${ORIGIN}${path}`, { headers })
const post = (path: string, body: unknown, token?: string): Promise<Response> => {
  const text = JSON.stringify(body)
  return requestApp(app, `${ORIGIN}${path}`, {
    method: 'POST',
    body: text,
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(text)),
      ...(token === undefined ? {} : bearer(token)),
    },
  })
}
const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` })
const newCode = async (): Promise<string> =>
  codeAnswer.parse(await (await post('/api/session/codes', {}, TOKEN)).json()).code
const newSession = async (): Promise<string> =>
  sessionAnswer.parse(await (await post('/api/session', { code: await newCode() })).json()).session

describe('the shell', () => {
  test.each(['/', '/p/shop/t/7', '/workers/w-1?x=1', '/start', '/apis', '/metricsx'])(
    'is served at %s without a token',
    async (path) => {
      const answer = await get(path)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(await answer.text()).toContain('the shell')
    },
  )

  test('is served where a link of another site leads to it, and to no other request of that site', async () => {
    const link = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' }
    expect((await get('/p/shop', { ...link, 'Sec-Fetch-Dest': 'document' })).status).toBe(200)
    for (const dest of ['iframe', 'embed', 'script', 'image', 'empty'])
      expect((await get('/p/shop', { ...link, 'Sec-Fetch-Dest': dest })).status).toBe(403)
    const data = await get('/api/plans', { ...link, ...bearer(TOKEN), 'Sec-Fetch-Dest': 'document' })
    expect(data.status).toBe(403)
  })

  test('shares /metrics with the metrics: a browser that goes there gets the page, a program the figures', async () => {
    const browser = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Site': 'none' }
    expect(await (await get('/metrics', browser)).text()).toContain('the shell')
    expect((await get('/metrics')).status).toBe(401)
    expect(await (await get('/metrics', bearer(TOKEN))).text()).toContain('# TYPE')
  })

  test.each(['/api', '/api/', '/api/nothing', '/mcp', '/mcp/x', '/openapi.json', '/metrics/x'])(
    'is not served at %s',
    async (path) => {
      expect((await get(path)).status).toBe(401)
    },
  )

  test('may load its own files and nothing else', async () => {
    expect((await get('/')).headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
  })

  test('is a plain page where the build has none', async () => {
    const answer = await requestApp(appWith(join(folder, 'nothing')), `${ORIGIN}/p/shop`)
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('has no page')])
  })
})

describe('a file of the page', () => {
  test('is sent byte for byte and kept by the browser, since its name changes with its content', async () => {
    const answer = await get('/assets/main-4f2a.js')
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(SCRIPT)
    expect((await get('/assets/main-4f2a.css')).headers.get('content-type')).toBe('text/css; charset=utf-8')
  })

  test('is the icon, also under the name that browsers try first', async () => {
    for (const path of ['/favicon.svg', '/favicon.ico']) {
      const answer = await get(path)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
  })

  test.each([
    '/assets',
    '/assets/',
    '/assets/none.js',
    '/assets/.hidden',
    '/assets/link.txt',
    '/assets/deeper',
    '/assets/deeper/x.js',
    '/assets/%73ecret.txt',
    '/manifest.webmanifest',
  ])('is not %s', async (path) => {
    const answer = await get(path)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store'])
    expect(await answer.text()).not.toContain('<!doctype')
  })

  test.each(['/assets/../secret.txt', '/assets/%2e%2e/secret.txt', '/assets/..%2fsecret.txt'])(
    'is never outside of its folder: %s',
    async (path) => {
      const gone = new AbortController().signal
      const headers = new Map([['host', `127.0.0.1:${PORT}`]])
      const request = { method: 'GET', target: path, headers, text: async () => '', gone: () => gone }
      expect((await app.answer(request)).status).toBe(400)
    },
  )
})

describe('a page session', () => {
  test('is given once for a code, and may do what the token may', async () => {
    const code = await newCode()
    const session = sessionAnswer.parse(await (await post('/api/session', { code })).json()).session
    expect((await get('/api/plans', bearer(session))).status).toBe(200)
    const again = await post('/api/session', { code })
    expect([again.status, await again.text()]).toEqual([401, expect.stringContaining('used already')])
  })

  test('makes no codes and is not a worker', async () => {
    const session = await newSession()
    expect((await post('/api/session/codes', {}, session)).status).toBe(401)
    expect((await post('/api/workers/w-shop-a-1/checkins', {}, session)).status).toBe(401)
    expect((await post('/mcp', {}, session)).status).toBe(401)
  })

  test('ends alone or with all others', async () => {
    const [one, two, three] = [await newSession(), await newSession(), await newSession()]
    expect(revokeAnswer.parse(await (await post('/api/session/revoke', {}, one)).json()).revoked).toBe(1)
    expect((await get('/api/plans', bearer(one))).status).toBe(401)
    expect((await get('/api/plans', bearer(two))).status).toBe(200)
    expect((await post('/api/session/revoke', {}, TOKEN)).status).toBe(400)
    const all = await post('/api/session/revoke', { all: true }, TOKEN)
    expect(revokeAnswer.parse(await all.json()).revoked).toBeGreaterThanOrEqual(2)
    expect((await get('/api/plans', bearer(three))).status).toBe(401)
  })

  test('takes its event stream with it', async () => {
    const session = await newSession()
    const stream = await get('/api/events', bearer(session))
    expect(stream.status).toBe(200)
    await post('/api/session/revoke', {}, session)
    expect(await stream.text()).toBe('retry: 1000\n\n')
  })

  test('cannot be had by guessing codes', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 25; n++)
      statuses.push((await post('/api/session', { code: String(n).padStart(64, '0') })).status)
    expect(statuses).toContain(401)
    expect(statuses.slice(-4)).toEqual([429, 429, 429, 429])
    expect((await post('/api/session', { code: 'x' })).status).toBe(400)
    expect((await post('/api/session', { code: '0'.repeat(2000) })).status).toBe(413)
  })
})

test('an interview takes bodies of a megabyte, other routes a quarter of it', async () => {
  const length = async (path: string, bytes: number): Promise<number> => {
    const headers = { ...bearer(TOKEN), 'Content-Type': 'application/json', 'Content-Length': String(bytes) }
    return (await requestApp(app, `${ORIGIN}${path}`, { method: 'POST', headers, body: '{}' })).status
  }
  expect(await length('/api/pm/message', 1024 * 1024)).not.toBe(413)
  expect(await length('/api/pm/message', 1024 * 1024 + 1)).toBe(413)
  expect(await length('/api/plans/shop/pause', 1024 * 1024)).toBe(413)
})
