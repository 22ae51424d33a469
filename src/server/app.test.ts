/** The door with a host behind it, and no socket before it unless the test is about sockets. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Hono } from 'hono'
import { low } from '../../test/helpers/plan-builder.ts'
import { sendRaw } from '../../test/helpers/raw-http.ts'
import { SECRET, TestHost } from '../../test/helpers/test-host.ts'
import { workerToken } from '../app/host/worker-token.ts'
import * as answers from '../protocol/answers.ts'
import { createApp, type Door, type DoorEnv } from './app.ts'
import { isPublic } from './guard.ts'
import { listen, refuseWiderAddress, type Listening } from './listen.ts'

const PORT = 20_000
const TOKEN = 'cd'.repeat(32)
const ORIGIN = `http://127.0.0.1:${PORT}`
const bearer = { Authorization: `Bearer ${TOKEN}` }
const ending = new AbortController()

let testing: TestHost
let app: Hono<DoorEnv>
let stopped = 0

const doorAt = (port: number): Door => ({
  host: testing.host,
  token: TOKEN,
  facts: { pid: 1, port, url: ORIGIN, version: '1.2.3', started_at: new Date(0).toISOString() },
  stop: () => stopped++,
  ending: ending.signal,
  onTrouble: (what, error) => testing.troubles.push(`${what}: ${String(error)}`),
})

beforeAll(async () => {
  testing = await new TestHost({ worker: () => ({ workMs: null }) }).open()
  app = createApp(doorAt(PORT))
  const { plan } = await testing.register([low('a')])
  await testing.until(plan, ({ state }) => state.tasks.get('a')?.step === 'working')
})
afterAll(() => testing.dispose())

const get = async (path: string, headers: Record<string, string> = bearer): Promise<Response> =>
  app.request(`${ORIGIN}${path}`, { headers })
const post = async (
  path: string,
  body: unknown,
  headers: Record<string, string> = bearer,
): Promise<Response> => {
  const text = JSON.stringify(body)
  return app.request(`${ORIGIN}${path}`, {
    method: 'POST',
    body: text,
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(text)),
      ...headers,
    },
  })
}

describe('every route', () => {
  const routes = (): { method: string; path: string }[] =>
    app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => ({ method, path }))

  test('is behind the guard, which comes first', () => {
    expect(app.routes[0]).toMatchObject({ path: '/*', method: 'ALL' })
    expect(app.routes.filter(({ method }) => method === 'ALL')).toHaveLength(1)
    expect(routes().length).toBeGreaterThan(15)
  })

  test.each([
    [401, {}],
    [401, { Authorization: `Bearer ${'0'.repeat(64)}` }],
    [421, { ...bearer, Host: `evil.test:${PORT}` }],
    [403, { ...bearer, Origin: 'http://evil.test' }],
    [403, { ...bearer, 'Sec-Fetch-Site': 'cross-site' }],
  ])('answers %d to %j', async (status, headers) => {
    for (const { method, path } of routes()) {
      const target = path.replace(':id', 'w-shop-a-1')
      if (status === 401 && isPublic(target)) continue
      const answer = method === 'GET' ? await get(target, headers) : await post(target, {}, headers)
      expect(answer.status, `${method} ${path}`).toBe(status)
    }
  })

  test('says nothing of other origins, and everything of its own limits', async () => {
    for (const path of ['/', '/api/plans', '/nowhere']) {
      const { headers } = await get(path, { ...bearer, Origin: ORIGIN })
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })
})

describe('the door', () => {
  test('answers with what the schemas say', async () => {
    expect(answers.statusAnswer.parse(await (await get('/api/status')).json())).toMatchObject({
      plans: [{ id: 'shop', state: 'running' }],
      workers: [{ id: 'w-shop-a-1', pid: 4242 }],
    })
    expect(answers.planAnswer.parse(await (await get('/api/plans/shop')).json()).outcome).toBe('moving')
    answers.activityAnswer.parse(await (await get('/api/activity')).json())
    answers.workerAnswer.parse(await (await get('/api/workers/w-shop-a-1')).json())
    answers.releaseAnswer.parse(await (await get('/api/plans/shop/release')).json())
    expect(await (await get('/api/metrics')).json()).toMatchObject({
      tasks: { in_progress: 1 },
      repositories: 1,
    })
  })

  test('a change is durable when it is answered', async () => {
    const before = await testing.log.head()
    const answer = await post('/api/plans/shop/pause', { by: 'ann' })
    expect(await answer.json()).toEqual({ plan: 'shop', changed: true })
    const written = await testing.log.tail(before, 10)
    expect(written.map(({ event }) => event.type)).toContain('plan.paused')
    await post('/api/plans/shop/resume', { by: 'ann' })
  })

  test.each([
    ['/api/plans/nothing/pause', {}, 404, 'not_found'],
    ['/api/inbox/E-99/answer', { choice: 'approve' }, 404, 'not_found'],
    ['/api/plans/shop/pause', { nwo: true }, 400, 'usage'],
    ['/api/plans/shop/pause', [], 400, 'usage'],
    ['/api/inbox/E-1/answer', { choice: 7 }, 400, 'usage'],
    ['/api/plans', { cwd: '/nowhere', path: 'plan.md', text: 'no plan at all' }, 422, 'failed'],
  ])('refuses %s %j with %d', async (path, body, status, code) => {
    const answer = await post(path, body)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ schema: 'bosun.error/v1', error: { code } })
  })

  test('is asked to end by the user', async () => {
    expect((await post('/api/daemon/stop', {})).status).toBe(200)
    expect(stopped).toBe(1)
  })
})

describe('the stream of events', () => {
  test('reads on from where the listener was, without a gap', async () => {
    const head = await testing.log.head()
    const messages = async (headers: Record<string, string>, upTo: number) => {
      const answer = await get('/api/events', { ...bearer, ...headers })
      expect(answer.headers.get('content-type')).toBe('text/event-stream')
      const ids: number[] = []
      let text = ''
      for await (const chunk of answer.body ?? []) {
        text += Buffer.from(chunk).toString()
        ids.splice(0, ids.length, ...[...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id)))
        if ((ids.at(-1) ?? 0) >= upTo) break
      }
      const data = [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json ?? '') as unknown)
      return { ids, data }
    }
    const all = await messages({ 'Last-Event-ID': '0' }, head)
    expect(all.ids).toEqual(Array.from({ length: head }, (_, place) => place + 1))
    for (const message of all.data) answers.eventMessage.parse(message)
    expect((await messages({ 'Last-Event-ID': String(head - 2) }, head)).ids).toEqual([head - 1, head])
  })

  test('a place that is no number is refused', async () => {
    expect((await get('/api/events', { ...bearer, 'Last-Event-ID': 'x' })).status).toBe(400)
  })
})

describe('a worker', () => {
  const own = (): Record<string, string> => {
    const [plan] = testing.host.plans()
    const token = workerToken(SECRET, plan?.home.stream ?? '', 'w-shop-a-1')
    return { Authorization: `Bearer ${token}` }
  }
  const checkin = { status: 'in_progress', progress_pct: 40, current_step: 'tests' }

  test('checks in with its own token, and it is in the activity log', async () => {
    expect((await post('/api/workers/w-shop-a-1/checkins', checkin, own())).status).toBe(202)
    const { activity } = (await (
      await get('/api/activity?event=checkin_received')
    ).json()) as answers.ActivityAnswer
    expect(activity).toMatchObject([
      { worker_id: 'w-shop-a-1', task_id: 'a', plan_id: 'shop', data: checkin },
    ])
  })

  test.each([
    ['POST', '/api/workers/w-shop-b-1/checkins'],
    ['POST', '/api/workers/w-shop-a-2/checkins'],
    ['POST', '/api/workers/w-shop-a-1/kill'],
    ['POST', '/api/plans/shop/cancel'],
    ['POST', '/api/inbox/E-1/answer'],
    ['POST', '/api/daemon/stop'],
    ['GET', '/api/plans'],
    ['GET', '/api/events'],
    ['GET', '/api/workers/w-shop-a-1'],
  ])('may not %s %s with it', async (method, path) => {
    const answer = method === 'GET' ? await get(path, own()) : await post(path, checkin, own())
    expect(answer.status).toBe(401)
  })

  test('is not the user, and the user is not the worker', async () => {
    expect((await post('/api/workers/w-shop-a-1/checkins', checkin)).status).toBe(401)
    expect((await get('/api/workers/w-shop-a-1/instructions', own())).status).toBe(200)
  })

  test('is refused what is no check-in', async () => {
    for (const body of [{}, { ...checkin, progress_pct: 101 }, { ...checkin, status: 'asleep' }])
      expect((await post('/api/workers/w-shop-a-1/checkins', body, own())).status).toBe(400)
  })
})

describe('hostile requests', () => {
  let listening: Listening
  let handled = 0
  beforeAll(async () => {
    const passed = [200, 202, 404, 409, 422, 500]
    let real: Hono<DoorEnv> | null = null
    listening = await listen({
      port: 0,
      answer: async (request, env) => {
        real ??= createApp(doorAt(listening.port))
        const answer = await real.fetch(request, env)
        // Only a route, or the search for one, answers like this: the guard never does.
        if (passed.includes(answer.status)) handled++
        return answer
      },
    })
  })
  afterAll(() => listening.close())

  const json = (body: string): string =>
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  const H = 'Host: 127.0.0.1:$PORT\r\n'
  const A = `Authorization: Bearer ${TOKEN}\r\n`
  const GET = 'GET /api/plans HTTP/1.1\r\n'
  const POST = 'POST /api/plans/shop/cancel HTTP/1.1\r\n'

  const HOSTILE: readonly (readonly [string, string])[] = [
    ['no token', `${GET}${H}\r\n`],
    ['an empty token', `${GET}${H}Authorization: Bearer \r\n\r\n`],
    ['a wrong token', `${GET}${H}Authorization: Bearer ${'0'.repeat(64)}\r\n\r\n`],
    ['a token that is too short', `${GET}${H}Authorization: Bearer ${TOKEN.slice(1)}\r\n\r\n`],
    ['a token that is too long', `${GET}${H}Authorization: Bearer ${TOKEN}0\r\n\r\n`],
    ['a token in capitals', `${GET}${H}Authorization: Bearer ${TOKEN.toUpperCase()}\r\n\r\n`],
    ['the token as Basic', `${GET}${H}Authorization: Basic ${TOKEN}\r\n\r\n`],
    ['the bare token', `${GET}${H}Authorization: ${TOKEN}\r\n\r\n`],
    ['the token in the query', `GET /api/plans?token=${TOKEN} HTTP/1.1\r\n${H}\r\n`],
    ['the token in a cookie', `${GET}${H}Cookie: token=${TOKEN}\r\n\r\n`],
    ['the token in another header', `${GET}${H}X-Token: ${TOKEN}\r\n\r\n`],
    ['two tokens, one of them right', `${GET}${H}Authorization: Bearer ${'0'.repeat(64)}\r\n${A}\r\n`],
    ['the right token twice', `${GET}${H}${A}${A}\r\n`],
    ['no host', `${GET}${A}\r\n`],
    ['an empty host', `${GET}Host:\r\n${A}\r\n`],
    ['a host of its own', `${GET}Host: evil.test:$PORT\r\n${A}\r\n`],
    ['a host without the port', `${GET}Host: 127.0.0.1\r\n${A}\r\n`],
    ['a host with another port', `${GET}Host: 127.0.0.1:1\r\n${A}\r\n`],
    ['a host that begins like ours', `${GET}Host: 127.0.0.1:$PORT.evil.test\r\n${A}\r\n`],
    ['a host with a user in it', `${GET}Host: 127.0.0.1:$PORT@evil.test\r\n${A}\r\n`],
    ['a host in another notation', `${GET}Host: 127.1:$PORT\r\n${A}\r\n`],
    ['a host as a number', `${GET}Host: 2130706433:$PORT\r\n${A}\r\n`],
    ['a host in IPv6', `${GET}Host: [::1]:$PORT\r\n${A}\r\n`],
    ['the any-address as host', `${GET}Host: 0.0.0.0:$PORT\r\n${A}\r\n`],
    ['a name that points here', `${GET}Host: localhost.evil.test:$PORT\r\n${A}\r\n`],
    ['two hosts, ours first', `${GET}${H}Host: evil.test\r\n${A}\r\n`],
    ['two hosts, ours last', `${GET}Host: evil.test\r\n${H}${A}\r\n`],
    ['an absolute target', `GET http://127.0.0.1:$PORT/api/plans HTTP/1.1\r\n${H}${A}\r\n`],
    ['an absolute target elsewhere', `GET http://evil.test/api/plans HTTP/1.1\r\n${H}${A}\r\n`],
    ['a target of two slashes', `GET //api/plans HTTP/1.1\r\n${H}${A}\r\n`],
    ['a way around through dots', `GET /assets/../api/plans HTTP/1.1\r\n${H}\r\n`],
    ['a way around through encoded dots', `GET /assets/%2e%2e/api/plans HTTP/1.1\r\n${H}\r\n`],
    ['a way around through an encoded slash', `GET /assets/..%2fapi/plans HTTP/1.1\r\n${H}\r\n`],
    ['a way around through a backslash', `GET /assets\\..\\api/plans HTTP/1.1\r\n${H}\r\n`],
    ['a zero byte in the path', `GET /api/plans%00 HTTP/1.1\r\n${H}${A}\r\n`],
    ['a fragment in the target', `GET /api/plans#x HTTP/1.1\r\n${H}${A}\r\n`],
    ['an origin of its own', `${GET}${H}${A}Origin: http://evil.test\r\n\r\n`],
    ['another port of this machine', `${GET}${H}${A}Origin: http://127.0.0.1:3000\r\n\r\n`],
    ['this machine without a port', `${GET}${H}${A}Origin: http://localhost\r\n\r\n`],
    ['the same origin by https', `${GET}${H}${A}Origin: https://127.0.0.1:$PORT\r\n\r\n`],
    ['the null origin', `${GET}${H}${A}Origin: null\r\n\r\n`],
    ['two origins', `${GET}${H}${A}Origin: http://127.0.0.1:$PORT\r\nOrigin: http://evil.test\r\n\r\n`],
    ['a cross-site fetch', `${GET}${H}${A}Sec-Fetch-Site: cross-site\r\n\r\n`],
    ['a same-site fetch', `${GET}${H}${A}Sec-Fetch-Site: same-site\r\n\r\n`],
    ['a cross-site visit of the page', `GET / HTTP/1.1\r\n${H}Sec-Fetch-Site: cross-site\r\n\r\n`],
    ['a preflight', `OPTIONS /api/plans HTTP/1.1\r\n${H}Origin: http://127.0.0.1:$PORT\r\n\r\n`],
    ['PUT', `PUT /api/plans HTTP/1.1\r\n${H}${A}${json('{}')}`],
    ['DELETE', `DELETE /api/plans/shop HTTP/1.1\r\n${H}${A}\r\n`],
    ['TRACE', `TRACE /api/plans HTTP/1.1\r\n${H}${A}\r\n`],
    ['CONNECT', `CONNECT 127.0.0.1:22 HTTP/1.1\r\n${H}${A}\r\n`],
    ['a WebSocket', `${GET}${H}${A}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`],
    ['plain text that is JSON', `${POST}${H}${A}Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}`],
    [
      'a form',
      `${POST}${H}${A}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\na=b`,
    ],
    [
      'multipart',
      `${POST}${H}${A}Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 2\r\n\r\n{}`,
    ],
    ['no content type', `${POST}${H}${A}Content-Length: 2\r\n\r\n{}`],
    ['two content types', `${POST}${H}${A}Content-Type: text/plain\r\n${json('{}')}`],
    [
      'JSON of another charset',
      `${POST}${H}${A}Content-Type: application/json; charset=utf-16\r\nContent-Length: 2\r\n\r\n{}`,
    ],
    ['a compressed body', `${POST}${H}${A}Content-Encoding: gzip\r\n${json('{}')}`],
    [
      'a body without a length',
      `${POST}${H}${A}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    ],
    ['a length and chunks', `${POST}${H}${A}Transfer-Encoding: chunked\r\n${json('{}')}`],
    ['two lengths', `${POST}${H}${A}Content-Length: 99\r\n${json('{}')}`],
    [
      'a body that is too long',
      `${POST}${H}${A}Content-Type: application/json\r\nContent-Length: 999999999\r\n\r\n`,
    ],
    ['an expectation', `${POST}${H}${A}Expect: 200-ok\r\n${json('{}')}`],
    ['a GET with a body', `${GET}${H}${A}${json('{}')}`],
    ['headers that are too long', `${GET}${H}${A}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['a target that is too long', `GET /api/plans?x=${'x'.repeat(9000)} HTTP/1.1\r\n${H}${A}\r\n`],
    ['a folded header', `${GET}${H}Authorization: Bearer\r\n ${TOKEN}\r\n\r\n`],
    ['a header with a space before its colon', `${GET}${H}Authorization : Bearer ${TOKEN}\r\n\r\n`],
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ]

  test('there are many of them', () => {
    expect(HOSTILE.length).toBeGreaterThanOrEqual(45)
  })

  test.each(HOSTILE)('%s gets nowhere', async (_name, bytes) => {
    handled = 0
    const before = await testing.log.head()
    const answer = await sendRaw(listening.port, bytes.replaceAll('$PORT', String(listening.port)))
    if (answer.status !== null) expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.head.toLowerCase()).not.toContain('access-control')
    expect(answer.body).not.toContain('shop')
    expect(handled).toBe(0)
    expect(await testing.log.head()).toBe(before)
  })

  test('an honest one passes', async () => {
    const port = String(listening.port)
    const answer = await sendRaw(
      listening.port,
      `${GET}${H}${A}Connection: close\r\n\r\n`.replaceAll('$PORT', port),
    )
    expect(answer.status).toBe(200)
    expect(answer.body).toContain('shop')
    const change = `POST /api/plans/shop/resume HTTP/1.1\r\n${H}${A}Connection: close\r\n${json('{}')}`
    expect((await sendRaw(listening.port, change.replaceAll('$PORT', port))).status).toBe(200)
  })

  test('only this machine can be listened to', () => {
    for (const address of ['0.0.0.0', '::', '192.168.1.4', 'example.com'])
      expect(() => refuseWiderAddress(address, 8080)).toThrow(/127\.0\.0\.1 only/)
    expect(() => refuseWiderAddress('localhost', 8080)).not.toThrow()
  })

  test('a port that is taken is a conflict', async () => {
    const answer = () => Promise.resolve(new Response())
    await expect(listen({ port: listening.port, answer })).rejects.toMatchObject({ code: 'conflict' })
  })
})
