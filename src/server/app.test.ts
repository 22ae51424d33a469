/** The door with a host behind it, and no socket before it unless the test is about sockets. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { low } from '../../test/helpers/plan-builder.ts'
import { doorOf, requestApp } from '../../test/helpers/request-app.ts'
import { SECRET, TestHost } from '../../test/helpers/test-host.ts'
import { workerToken } from '../app/workers/live-workers.ts'
import type { AskedRequest, PlanState } from '../core/state/state.ts'
import * as answers from '../protocol/answers.ts'
import { releaseAnswer } from '../protocol/plan-views.ts'
import { snapshotAnswer } from '../protocol/machine-answer.ts'
import { createApp, type App } from './app.ts'
import { isPublic } from './guard.ts'

const PORT = 20_000
const TOKEN = 'cd'.repeat(32)
const ORIGIN = `http://127.0.0.1:${PORT}`
const bearer = { Authorization: `Bearer ${TOKEN}` }
const ending = new AbortController()

let testing: TestHost
let app: App
let stopped = 0

beforeAll(async () => {
  testing = await new TestHost({ worker: () => ({ workMs: null }) }).open()
  app = createApp({
    ...doorOf(testing, { token: TOKEN, port: PORT }),
    stop: () => stopped++,
    ending: ending.signal,
  })
  const { plan } = await testing.register([low('a')])
  await testing.until(plan, ({ state }) => state.tasks.get('a')?.step === 'working')
})
afterAll(() => testing.dispose())

const get = async (path: string, headers: Record<string, string> = bearer): Promise<Response> =>
  requestApp(app, `${ORIGIN}${path}`, { headers })
const post = async (
  path: string,
  body: unknown,
  headers: Record<string, string> = bearer,
): Promise<Response> => {
  const text = JSON.stringify(body)
  return requestApp(app, `${ORIGIN}${path}`, {
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
  test('is in the table', () => {
    expect(Object.keys(app.handlers).length).toBeGreaterThan(15)
  })

  test.each([
    [401, {}],
    [401, { Authorization: `Bearer ${'0'.repeat(64)}` }],
    [421, { ...bearer, Host: `evil.test:${PORT}` }],
    [403, { ...bearer, Origin: 'http://evil.test' }],
    [403, { ...bearer, 'Sec-Fetch-Site': 'cross-site' }],
  ])('answers %d to %j', async (status, headers) => {
    for (const name of Object.keys(app.handlers)) {
      const [method = '', path = ''] = name.split(' ')
      const target = path.replace('{id}', 'w-shop-a-1')
      if (status === 401 && isPublic({ method, target, headers: new Map() })) continue
      const answer = method === 'GET' ? await get(target, headers) : await post(target, {}, headers)
      expect(answer.status, `${method} ${path}`).toBe(status)
    }
  })

  test.each([
    [{}, 'Send `Authorization: Bearer`'],
    [{ ...bearer, Host: `evil.test:${PORT}` }, 'Call 127.0.0.1 or localhost'],
    [{ ...bearer, Origin: 'http://evil.test' }, 'Call it from the page that Bosun serves'],
    [{ ...bearer, Expect: '100-continue' }, 'Send it without Expect'],
  ])('says what to do about a refusal of %j', async (headers, remedy) => {
    const { error } = (await (await get('/api/plans', headers)).json()) as { error: { remedy: string } }
    expect(error.remedy).toContain(remedy)
  })

  test('has security headers and no CORS headers', async () => {
    for (const path of ['/', '/api/plans', '/nowhere']) {
      const { headers } = await get(path, { ...bearer, Origin: ORIGIN })
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })
})

describe('the HTTP API', () => {
  test('answers as its schemas define', async () => {
    expect(answers.statusAnswer.parse(await (await get('/api/status')).json())).toMatchObject({
      plans: [{ id: 'shop', state: 'running' }],
      workers: [{ id: 'w-shop-a-1', pid: 4242 }],
    })
    expect(snapshotAnswer.parse(await (await get('/api/snapshot')).json())).toMatchObject({
      plans: [{ id: 'shop', state: 'running' }],
      workers: [{ id: 'w-shop-a-1', issues: [], interventions: [] }],
      repositories: [expect.any(String)],
      interviews: [],
      held_back: null,
      seq: await testing.log.head(),
    })
    expect(answers.planAnswer.parse(await (await get('/api/plans/shop')).json()).outcome).toBe('moving')
    answers.activityAnswer.parse(await (await get('/api/activity')).json())
    answers.workerAnswer.parse(await (await get('/api/workers/w-shop-a-1')).json())
    releaseAnswer.parse(await (await get('/api/plans/shop/release')).json())
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

  test('a caller may hang up within its body', async () => {
    const body = (): Promise<string> => Promise.reject(new Error('aborted'))
    const headers = { ...bearer, 'Content-Type': 'application/json', 'Content-Length': '20' }
    const answer = await requestApp(app, `${ORIGIN}/api/clean`, { method: 'POST', body, headers })
    expect(await answer.json()).toMatchObject({ error: { code: 'usage', message: 'the body is incomplete' } })
    expect(testing.troubles).toEqual([])
  })

  test('lets the user stop the daemon', async () => {
    expect((await post('/api/daemon/stop', {})).status).toBe(200)
    expect(stopped).toBe(1)
  })
})

describe('the stream of events', () => {
  test('continues from the last event of a client, without a gap', async () => {
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

  test('carries the state of a plan only to clients that follow that plan', async () => {
    const [plan] = testing.host.plans()
    const first = async (query: string): Promise<Record<string, unknown>> => {
      const answer = await get(`/api/events?after=0${query}`)
      let text = ''
      for await (const chunk of answer.body ?? []) {
        text += Buffer.from(chunk).toString()
        if (text.includes('data: ')) break
      }
      return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '') as Record<string, unknown>
    }
    expect(await first(`&plan=${plan?.id ?? ''}`)).toMatchObject({ version: 1, outcome: 'moving' })
    expect(await first('')).not.toHaveProperty('outcome')
  })

  test('a client that disconnects makes room for another', async () => {
    for (let times = 0; times < 150; times++) {
      const { status, body } = await get('/api/events')
      expect(status).toBe(200)
      await body?.cancel()
    }
  })

  test('a client may disconnect while nothing happens', async () => {
    const reader = (await get('/api/events')).body?.getReader()
    await reader?.read()
    await reader?.cancel()
    expect(testing.troubles).toEqual([])
  })

  test('a Last-Event-ID that is not a number is refused', async () => {
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
  const requests = (state: PlanState): readonly AskedRequest[] =>
    state.tasks.get('a')?.live?.watch.requests ?? []

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
    ['POST', '/api/workers/w-shop-a-1/instruct'],
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

  test('has no rights of the user, nor the user those of a worker', async () => {
    expect((await post('/api/workers/w-shop-a-1/checkins', checkin)).status).toBe(401)
    expect((await get('/api/workers/w-shop-a-1/instructions', own())).status).toBe(200)
  })

  test('makes requests, which the rules answer where they apply', async () => {
    const body = { type: 'need_time', text: 'a \u001b[31mslow build', minutes: '20' }
    const answer = await post('/api/workers/w-shop-a-1/requests', body, own())
    expect([answer.status, await answer.json()]).toMatchObject([202, { accepted: true, id: 'w-shop-a-1-r1' }])
    const [plan] = testing.host.plans()
    if (plan === undefined) throw new Error('there is no plan')
    await testing.until(plan, ({ state }) => requests(state)[0]?.answer !== null)
    expect(requests(plan.state)).toMatchObject([
      { text: 'a slow build', minutes: 20, answer: { outcome: 'granted' } },
    ])
    const { activity } = (await (
      await get('/api/activity?event=request_received')
    ).json()) as answers.ActivityAnswer
    expect(activity).toMatchObject([{ worker_id: 'w-shop-a-1', data: { type: 'need_time' } }])
  })

  test('gets the reason when a repeated request is ignored', async () => {
    const body = { type: 'need_help', text: 'the parser', data: { to: 'tester' } }
    await post('/api/workers/w-shop-a-1/requests', body, own())
    const answer = await post('/api/workers/w-shop-a-1/requests', body, own())
    expect(await answer.json()).toMatchObject({ accepted: false, why: 'this request was already made' })
  })

  test.each([
    ['type', { type: 'need_coffee', text: 'now' }],
    ['minutes', { type: 'need_time', text: 'slow', minutes: -5 }],
    ['minutes', { type: 'need_time', text: 'slow', minutes: '1e9' }],
    ['priority', { type: 'need_help', text: 'help', priority: 'now' }],
    ['colour', { type: 'need_help', text: 'help', colour: 'red' }],
  ])('is refused what is no request, by its key: %s', async (key, body) => {
    const answer = await post('/api/workers/w-shop-a-1/requests', body, own())
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(key)])
  })

  test('gets instructions of a person while it works and not after', async () => {
    const files = ['docs/shop.md']
    const instruction = { by: 'ada', type: 'expand_scope', text: 'name it there', files }
    expect((await post('/api/workers/w-shop-a-1/instruct', instruction)).status).toBe(200)
    const [plan] = testing.host.plans()
    expect(plan?.state.tasks.get('a')?.live?.watch.waiting.at(-1)).toMatchObject({
      kind: 'instruction',
      text: 'expand scope: name it there\nYour contract now also names docs/shop.md.',
      instruction: 'expand_scope',
      by: 'ada',
    })
    const withId = { by: 'ada', type: 'revise', text: 'in French', id: 'mine-1' }
    const before = plan?.state.tasks.get('a')?.live?.watch.messages ?? 0
    for (let nth = 0; nth < 2; nth++)
      expect((await post('/api/workers/w-shop-a-1/instruct', withId)).status).toBe(200)
    expect(plan?.state.tasks.get('a')?.live?.watch.messages).toBe(before + 1)
    const empty = await post('/api/workers/w-shop-a-1/instruct', { by: 'ada', text: ' ' })
    expect([empty.status, await empty.text()]).toEqual([400, expect.stringContaining('needs a text')])
    expect((await post('/api/workers/w-shop-z-1/instruct', instruction)).status).toBe(404)
  })

  test('gets an error for an invalid check-in', async () => {
    for (const body of [{}, { ...checkin, progress_pct: 101 }, { ...checkin, status: 'asleep' }])
      expect((await post('/api/workers/w-shop-a-1/checkins', body, own())).status).toBe(400)
  })
})
