/** The guard before a real socket: a table of requests that must get nowhere. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { low } from '../../test/helpers/plan-builder.ts'
import { sendRaw } from '../../test/helpers/raw-http.ts'
import { TestHost } from '../../test/helpers/test-host.ts'
import { createApp, type App, type Door } from './app.ts'
import { hasToken } from './guard.ts'
import { listen, refuseWiderAddress, type Listening } from './listen.ts'
import { throughApp } from './web-door.ts'

const TOKEN = 'cd'.repeat(32)
let testing: TestHost

beforeAll(async () => {
  testing = await new TestHost({ worker: () => ({ workMs: null }) }).open()
  const { plan } = await testing.register([low('a')])
  await testing.until(plan, ({ state }) => state.tasks.get('a')?.step === 'working')
})
afterAll(() => testing.dispose())

const doorAt = (port: number): Door => ({
  host: testing.host,
  token: TOKEN,
  facts: { pid: 1, port, url: 'here', version: '1.2.3', build: 'b', started_at: new Date(0).toISOString() },
  stop: () => undefined,
  ending: new AbortController().signal,
  onError: (what, error) => testing.troubles.push(`${what}: ${String(error)}`),
})

describe('hostile requests', () => {
  let listening: Listening
  let handled = 0
  beforeAll(async () => {
    const passed = [200, 202, 404, 409, 422, 500]
    let real: App | null = null
    listening = await listen({
      port: 0,
      isOwner: ({ headers }) => hasToken(headers.authorization, TOKEN),
      respond: throughApp(
        {
          answer: async (request) => {
            real ??= createApp(doorAt(listening.port))
            const answer = await real.answer(request)
            // Only a route, or the search for one, answers like this: the guard never does.
            if (passed.includes(answer.status)) handled++
            return answer
          },
        },
        () => undefined,
      ),
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

  test('cover many cases', () => {
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

  test('leave room for valid ones', async () => {
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

  test('cannot come from another machine: only loopback is allowed', () => {
    for (const address of ['0.0.0.0', '::', '192.168.1.4', 'example.com'])
      expect(() => refuseWiderAddress(address, 8080)).toThrow(/127\.0\.0\.1 only/)
    expect(() => refuseWiderAddress('localhost', 8080)).not.toThrow()
  })

  test('a port that is taken is a conflict', async () => {
    await expect(
      listen({ port: listening.port, respond: () => undefined, isOwner: () => false }),
    ).rejects.toMatchObject({
      code: 'conflict',
    })
  })
})
