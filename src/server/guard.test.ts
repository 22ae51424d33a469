/** A table of requests that must get nowhere, against every route. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  HOSTILE_REQUESTS,
  hostileRequest,
  validRequest,
  type HostileTarget,
  type Secrets,
} from '../../test/helpers/hostile-requests.ts'
import { low } from '../../test/helpers/plan-builder.ts'
import { sendRaw } from '../../test/helpers/raw-http.ts'
import { doorOf, requestApp } from '../../test/helpers/request-app.ts'
import { SECRET, TestHost } from '../../test/helpers/test-host.ts'
import { workerToken } from '../app/workers/live-workers.ts'
import { ROUTES, type Caller, type RouteDocument } from '../protocol/routes.ts'
import { createApp, throughApp, type App } from './app.ts'
import { hasToken, headersOf } from './guard.ts'
import { listen, refuseWiderAddress } from './listen.ts'
import { PageSessions, SESSION_LIFE_MS } from './page/page-sessions.ts'
import { jsonAnswer, type Answer, type HttpRequest } from './routing.ts'

const PORT = 20_000
const TOKEN = 'cd'.repeat(32)
let testing: TestHost

beforeAll(async () => {
  testing = await new TestHost({ worker: () => ({ workMs: null }) }).open()
  const { plan } = await testing.register([low('a')])
  await testing.until(plan, ({ state }) => state.tasks.get('a')?.step === 'working')
})
afterAll(() => testing.dispose())

/** Every route that the daemon has, and addresses of the page. */
const targetsOf = (app: App): HostileTarget[] => [
  ...Object.keys(app.handlers).map((name): HostileTarget => {
    const [method, path = ''] = name.split(' ')
    return { method: method === 'POST' ? method : 'GET', path: exampleOf(path), caller: callerOf(name) }
  }),
  { method: 'GET', path: '/', caller: 'anybody' },
  { method: 'GET', path: '/p/shop/t/7', caller: 'anybody' },
  { method: 'GET', path: '/assets/main-4f2a.js', caller: 'anybody' },
]

const exampleOf = (path: string): string =>
  path.replace('/workers/{id}', '/workers/w-shop-a-1').replace('{id}', 'shop')
function callerOf(name: string): Caller {
  const found = Object.entries<RouteDocument>(ROUTES).find(([known]) => known === name)
  if (found === undefined) throw new Error(`${name} is not in the table of routes`)
  return found[1].caller ?? 'user'
}

/** The app, with a count in place of every handler, and secrets of every kind. */
async function watchedApp(port: number): Promise<{ app: App; secrets: Secrets; reached: string[] }> {
  const reached: string[] = []
  let now = Date.now()
  const { root } = testing.host.parts
  const onError = (): void => undefined
  const sessions = new PageSessions({ root, token: TOKEN, now: () => now, onError })
  const app = createApp({ ...doorOf(testing, { token: TOKEN, port }), sessions })
  const expired = await sessions.start()
  now += SESSION_LIFE_MS
  const [revoked, session] = [await sessions.start(), await sessions.start()]
  await sessions.revoke(revoked.session)
  const [hashedSession = ''] = /[0-9a-f]{64}/.exec(readFileSync(join(root, 'sessions.json'), 'utf8')) ?? []
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const text = JSON.stringify(body)
    const answer = await requestApp(app, `http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      body: text,
      headers: {
        Authorization: `Bearer ${TOKEN}`,
        'Content-Type': 'application/json',
        'Content-Length': String(Buffer.byteLength(text)),
      },
    })
    return (await answer.json()) as Record<string, unknown>
  }
  const codes = [await post('/api/session/codes', {}), await post('/api/session/codes', {})]
  const [code = '', usedCode = ''] = codes.map((one) => String(one['code']))
  await post('/api/session', { code: usedCode })
  for (const name of Object.keys(app.handlers)) {
    const handler = async (): Promise<Answer> => {
      reached.push(name)
      return jsonAnswer({ reached: true })
    }
    Object.assign(app.handlers, { [name]: handler })
  }
  const [plan] = testing.host.plans()
  const secrets = {
    port,
    token: TOKEN,
    session: session.session,
    worker: workerToken(SECRET, plan?.home.stream ?? '', 'w-shop-a-1'),
    revokedSession: revoked.session,
    expiredSession: expired.session,
    hashedSession,
    code,
    usedCode,
  }
  return { app, secrets, reached }
}

/** As Node's parser would read it. */
function parsed(bytes: string): HttpRequest {
  const [head = '', body = ''] = bytes.split('\r\n\r\n')
  const [line = '', ...lines] = head.split('\r\n')
  const [method = '', target = ''] = line.split(' ')
  const raw = lines.flatMap((one) => [one.slice(0, one.indexOf(':')), one.slice(one.indexOf(':') + 1).trim()])
  const gone = new AbortController().signal
  return { method, target, headers: headersOf(raw), text: async () => body, gone: () => gone }
}

/** Only the guard and Node's parser answer like this. */
const REFUSED = new Set([400, 401, 403, 405, 411, 413, 415, 417, 421, 431])

describe('hostile requests', () => {
  test('are many, of many kinds', () => {
    expect(HOSTILE_REQUESTS.length).toBeGreaterThanOrEqual(100)
    expect(new Set(HOSTILE_REQUESTS.map(({ name }) => name)).size).toBe(HOSTILE_REQUESTS.length)
  })

  test('reach no handler of any route, while a valid one does', async () => {
    const { app, secrets, reached } = await watchedApp(PORT)
    const targets = targetsOf(app)
    expect(targets.length).toBeGreaterThan(45)
    let sent = 0
    for (const to of targets) {
      const valid = await app.answer(parsed(validRequest(to, secrets)))
      expect(REFUSED.has(valid.status), `a valid ${to.method} ${to.path}`).toBe(false)
      for (const one of HOSTILE_REQUESTS.filter(({ isMalformed, suits }) => !isMalformed && suits(to))) {
        const before = reached.length
        const answer = await app.answer(parsed(hostileRequest(one, to, secrets)))
        const what = `${one.name} at ${to.method} ${to.path}: ${answer.status}`
        expect(REFUSED.has(answer.status), what).toBe(true)
        expect(reached.length, what).toBe(before)
        expect(Object.keys(answer.headers).join().toLowerCase(), what).not.toContain('access-control')
        sent++
      }
    }
    expect(reached).toHaveLength(Object.keys(app.handlers).length)
    expect(sent).toBeGreaterThan(4000)
  })

  test('reach no handler where they are no HTTP', async () => {
    const watched = Promise.withResolvers<Awaited<ReturnType<typeof watchedApp>>>()
    const listening = await listen({
      port: 0,
      isOwner: ({ headers }) => hasToken(headers.authorization, TOKEN),
      respond: throughApp(
        { answer: async (request) => (await watched.promise).app.answer(request) },
        () => undefined,
      ),
    })
    onTestFinished(() => listening.close())
    watched.resolve(watchedApp(listening.port))
    const { app, secrets, reached } = await watched.promise
    const some = [
      '/api/plans',
      '/api/plans/shop/pause',
      '/api/workers/w-shop-a-1/checkins',
      '/api/session',
      '/',
    ]
    for (const to of targetsOf(app).filter(({ path }) => some.includes(path))) {
      const valid = await sendRaw(listening.port, validRequest(to, secrets), 'open')
      expect(valid.status, `a valid ${to.method} ${to.path}`).toBe(200)
      const before = reached.length
      const hostile = HOSTILE_REQUESTS.filter(({ isMalformed, suits }) => isMalformed && suits(to))
      const answers = hostile.map((one) => sendRaw(listening.port, hostileRequest(one, to, secrets), 'open'))
      for (const [at, { status }] of (await Promise.all(answers)).entries())
        if (status !== null)
          expect(REFUSED, `${hostile[at]?.name ?? ''} at ${to.method} ${to.path}`).toContain(status)
      expect(reached.length).toBe(before)
    }
  })
})

describe('the listening socket', () => {
  test('is of this machine alone: asked for more, it refuses and prints the line for ssh', () => {
    for (const address of ['0.0.0.0', '::', '::1', '192.168.1.4', 'example.com', ''])
      expect(() => refuseWiderAddress(address, 8080)).toThrow(
        expect.objectContaining({
          code: 'usage',
          message: expect.stringContaining('127.0.0.1 only'),
          remedy: expect.stringContaining('ssh -L 8080:127.0.0.1:8080 '),
        }),
      )
    for (const address of ['localhost', '127.0.0.1'])
      expect(() => refuseWiderAddress(address, 8080)).not.toThrow()
  })

  test('refuses a port that is taken as a conflict', async () => {
    const nothing = { respond: () => undefined, isOwner: () => false }
    const listening = await listen({ port: 0, ...nothing })
    onTestFinished(() => listening.close())
    await expect(listen({ port: listening.port, ...nothing })).rejects.toMatchObject({ code: 'conflict' })
  })
})
