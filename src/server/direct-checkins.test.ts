/** The short way answers as the long one does: the same requests are put to a door with it and to one without. */
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { low } from '../../test/helpers/plan-builder.ts'
import { SECRET, TestHost } from '../../test/helpers/test-host.ts'
import { workerToken } from '../app/checkins/worker-token.ts'
import type { Door } from './app.ts'
import { directCheckins } from './direct-checkins.ts'
import { listen, type Listening, type Respond } from './listen.ts'
import { webDoor } from './web-door.ts'

const WORKER = 'w-shop-a-1'
const PATH = `/api/workers/${WORKER}/checkins`
let testing: TestHost
const open: Listening[] = []
/** How many calls the short way took. */
let taken = 0

async function openDoor(way: 'short' | 'long'): Promise<Listening> {
  let respond: Respond = (_, outgoing) => outgoing.destroy()
  const listening = await listen({
    port: 0,
    respond: (...call) => respond(...call),
    isOwner: () => false,
  })
  const { port, url } = listening
  const facts = { pid: 1, port, url, version: '1.2.3', build: 'b', started_at: new Date(0).toISOString() }
  const door: Door = {
    host: testing.host,
    token: 'cd'.repeat(32),
    facts,
    stop: () => undefined,
    ending: new AbortController().signal,
    onError: (what, error) => testing.troubles.push(`${what}: ${String(error)}`),
  }
  const [short, long] = [directCheckins(door), webDoor(door)]
  respond = (...call) => {
    if (way === 'short' && short(...call)) taken += 1
    else long(...call)
  }
  open.push(listening)
  return listening
}

let short: Listening
let long: Listening
beforeAll(async () => {
  testing = await new TestHost({ worker: () => ({ workMs: null }) }).open()
  const { plan } = await testing.register([low('a')])
  await testing.until(plan, ({ state }) => state.tasks.get('a')?.step === 'working')
  ;[short, long] = [await openDoor('short'), await openDoor('long')]
})
afterAll(async () => {
  for (const listening of open) await listening.close()
  await testing.dispose()
})

interface Asked {
  readonly body?: string
  readonly path?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

const own = (): string => workerToken(SECRET, testing.host.plans()[0]?.home.stream ?? '', WORKER)

function ask({ port }: Listening, asked: Asked) {
  const { body = '', path = PATH, method = 'POST', headers = {} } = asked
  const all = {
    Authorization: `Bearer ${own()}`,
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    ...headers,
  }
  return new Promise<{ status: number; body: unknown; headers: Record<string, unknown> }>(
    (resolve, reject) => {
      const call = request(
        { host: '127.0.0.1', port, path, method, headers: all, agent: false },
        (answer) => {
          let text = ''
          answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
          answer.on('end', () => {
            const {
              date: _,
              connection: __,
              'transfer-encoding': ___,
              'keep-alive': ____,
              ...rest
            } = answer.headers
            resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text), headers: rest })
          })
        },
      )
      call.on('error', reject)
      call.end(body)
    },
  )
}

let step = 0
const checkin = (more: object = {}): string =>
  JSON.stringify({ status: 'in_progress', progress_pct: 40, current_step: `step ${++step}`, ...more })

describe('the direct route of a check-in', () => {
  test('answers as the web route does', async () => {
    const before = taken
    const [one, other] = [await ask(short, { body: checkin() }), await ask(long, { body: checkin() })]
    expect(one).toEqual({ ...other, headers: { ...other.headers, 'content-length': expect.any(String) } })
    expect([one.status, taken - before]).toEqual([202, 1])
    expect((await testing.checkins.tail(0, 10)).map(({ body: text }) => JSON.parse(text) as unknown)).toEqual(
      [
        { status: 'in_progress', progress_pct: 40, current_step: 'step 1' },
        { status: 'in_progress', progress_pct: 40, current_step: 'step 2' },
      ],
    )
  })

  test.each<[string, () => Asked]>([
    ['no JSON', () => ({ body: '{' })],
    ['no check-in', () => ({ body: checkin({ progress_pct: -1 }) })],
    ["another worker's", () => ({ body: checkin({ worker_id: 'w-shop-b-1' }) })],
    ['nothing', () => ({ body: '' })],
    ['too much', () => ({ body: checkin({ current_step: 'x'.repeat(300_000) }) })],
    ['no token', () => ({ body: checkin(), headers: { Authorization: '' } })],
    ['a wrong token', () => ({ body: checkin(), headers: { Authorization: `Bearer ${'0'.repeat(64)}` } })],
    ['another host', () => ({ body: checkin(), headers: { Host: 'evil.test' } })],
    ['another origin', () => ({ body: checkin(), headers: { Origin: 'http://evil.test' } })],
    ['plain text', () => ({ body: checkin(), headers: { 'Content-Type': 'text/plain' } })],
    ['another path', () => ({ body: checkin(), path: '/api/workers/w-shop-b-1/checkins' })],
    ['a path with more to it', () => ({ body: checkin(), path: `${PATH}/../../x` })],
  ])('refuses %s as the long way does', async (_, asked) => {
    const kept = (await testing.checkins.tail(0, 100)).length
    const one = asked()
    const [here, there] = [await ask(short, one), await ask(long, one)]
    expect(here.status).toBe(there.status)
    expect(here.status).toBeGreaterThanOrEqual(400)
    expect(here.body).toEqual(there.body)
    expect(here.headers['content-security-policy']).toBe(there.headers['content-security-policy'])
    expect(await testing.checkins.tail(0, 100)).toHaveLength(kept)
  })

  test('survives a call that is cut short', async () => {
    const { port } = short
    const socket = connect(port, '127.0.0.1')
    const head = [
      `POST ${PATH} HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      `Authorization: Bearer ${own()}`,
      'Content-Type: application/json',
      'Content-Length: 500',
    ]
    const before = taken
    await new Promise<void>((resolve) =>
      socket.write(`${head.join('\r\n')}\r\n\r\n{"status":`, () => resolve()),
    )
    await vi.waitUntil(() => taken > before)
    socket.destroy()
    expect((await ask(short, { body: checkin() })).status).toBe(202)
    expect(testing.troubles).toEqual([])
  })
})
