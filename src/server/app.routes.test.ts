/** The table of routes against the routes that the daemon has, and their answers against its schemas. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openapiDocument } from '../../scripts/openapi-document.ts'
import { InterviewWorld, SPEC } from '../../test/helpers/interview-world.ts'
import { low } from '../../test/helpers/plan-builder.ts'
import { doorOf, requestApp } from '../../test/helpers/request-app.ts'
import { schemaIn } from '../../test/helpers/openapi-structure.ts'
import { TestHost } from '../../test/helpers/test-host.ts'
import { errorAnswer } from '../protocol/error-answer.ts'
import { ROUTES, type RouteDocument } from '../protocol/routes.ts'
import { takesKey } from './keyed-answers.ts'
import { decisionsIn } from '../core/state/decision-log.ts'
import { createApp, type App } from './app.ts'

const TOKEN = 'cd'.repeat(32)
const ORIGIN = 'http://127.0.0.1:20000'
const PLAN_TEXT = 'plan: shop\ntasks:\n  - { id: a, title: Do a }\n'
const world = new InterviewWorld()
let testing: TestHost
let app: App

beforeAll(async () => {
  testing = new TestHost({
    // The first plan is at work for ever; the second one fails, and waits for a person.
    worker: ({ worker }) => (worker.startsWith('w-shop-') ? { workMs: null } : {}),
    gates: { outcome: (gate) => (gate === 'unit' ? 'failed' : 'passed') },
  })
  testing.openInterviews = (host) => world.openIn(host.parts)
  const entry = { at: 0, call: null, outcome: null, detail: null }
  testing.transcripts = async () => ({
    protocol: 'acp',
    entries: [{ ...entry, kind: 'message', text: 'hello' }],
    next: '1',
    hasMore: false,
    isOver: false,
  })
  await testing.open()
  app = createApp(doorOf(testing, { token: TOKEN, port: 20_000 }))
  const traced = { source: 'shop.yaml', text: PLAN_TEXT }
  const { plan: shop } = await testing.register([low('a', { requirements: ['R-001'] })], traced)
  const { plan: blog } = await testing.register([low('b')], { id: 'blog' })
  await testing.until(shop, ({ state }) => state.tasks.get('a')?.step === 'working')
  await testing.until(blog, ({ state }) => state.inbox.size > 0)
})
afterAll(async () => {
  await testing.dispose()
  world.dispose()
})

async function ask(path: string, body?: unknown, more: Record<string, string> = {}): Promise<Response> {
  const headers = { Authorization: `Bearer ${TOKEN}`, ...more }
  if (body === undefined) return requestApp(app, `${ORIGIN}${path}`, { headers })
  const text = JSON.stringify(body)
  const json = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(text)) }
  return requestApp(app, `${ORIGIN}${path}`, { method: 'POST', headers: { ...headers, ...json }, body: text })
}

test('the table has every route of the daemon, and no other', () => {
  expect(Object.keys(app.handlers).toSorted()).toEqual(Object.keys(ROUTES).toSorted())
})

test('every request that changes something has a schema of its body', () => {
  const without = Object.entries<RouteDocument>(ROUTES).filter(
    ([name, { body }]) => name.startsWith('POST ') !== (body !== undefined),
  )
  expect(without).toEqual([])
})

/** Where each segment of any value leads to something. */
const EXAMPLES: Readonly<Record<string, () => string>> = {
  '/api/plans/{id}': () => '/api/plans/shop',
  '/api/tasks/{id}': () => '/api/tasks/a',
  '/api/workers/{id}': () => '/api/workers/w-shop-a-1',
  '/api/inbox/{id}': () => '/api/inbox/E-1',
}
const QUERIES: Readonly<Record<string, () => string>> = {
  'GET /api/trace': () => '?plan=shop',
  'GET /api/pm/chat': () => `?repo=${world.project}`,
  'GET /api/pm/preview/spec': () => `?repo=${world.project}`,
  'GET /api/pm/preview/outline': () => `?repo=${world.project}`,
  'GET /api/pm/status': () => `?repo=${world.project}`,
}
/** Not JSON, or for workers alone; app.test.ts is about them. */
const OTHER: ReadonlySet<string> = new Set([
  'GET /metrics',
  'GET /mcp',
  'GET /openapi.json',
  'GET /api/events',
  'GET /api/workers/{id}/instructions',
])

function exampleOf(name: string): string {
  const path = name.slice('GET '.length)
  const [prefix] = Object.keys(EXAMPLES).filter((known) => path.startsWith(known))
  const whole = prefix === undefined ? path : (EXAMPLES[prefix]?.() ?? '') + path.slice(prefix.length)
  return whole + (QUERIES[name]?.() ?? '')
}

const OPENAPI = openapiDocument('1')

interface Documented {
  readonly '200'?: { readonly content: { readonly 'application/json'?: { readonly schema: object } } }
}

/** What OpenAPI says about the answer of a route. */
function documented(name: string): object {
  const [method = '', path = ''] = name.split(' ')
  const responses = OPENAPI.paths[path]?.[method.toLowerCase()]?.['responses'] as Documented | undefined
  const schema = responses?.['200']?.content['application/json']?.schema
  if (schema === undefined) throw new Error(`OpenAPI has no answer of ${name}`)
  return schema
}

test('what every route answers that reads is as its schema and OpenAPI say', async () => {
  expect((await ask('/api/pm/upload', { repo: world.project, markdown: SPEC })).status).toBe(200)
  for (const [name, { answer }] of Object.entries<RouteDocument>(ROUTES)) {
    const isThere = Object.hasOwn(app.handlers, name)
    if (!name.startsWith('GET ') || OTHER.has(name) || !isThere) continue
    const response = await ask(exampleOf(name))
    const text = await response.text()
    expect(response.status, `${name}: ${text}`).toBe(200)
    const { error } = answer.safeParse(JSON.parse(text))
    expect(error?.issues ?? [], name).toEqual([])
    const found = schemaIn(OPENAPI, documented(name)).safeParse(JSON.parse(text))
    expect(found.error?.issues ?? [], `${name} by OpenAPI`).toEqual([])
  }
})

test.each(['plans', 'tasks', 'workers', 'inbox'])(
  '%s are answered whole, or a page at a time',
  async (what) => {
    const read = async (query: string): Promise<Record<string, unknown>> =>
      (await (await ask(`/api/${what}${query}`)).json()) as Record<string, unknown>
    const rowsOf = (answer: Record<string, unknown>) =>
      (answer[what] as readonly { readonly id: string; readonly plan?: string }[]).map(
        ({ id, plan = '' }) => `${plan} ${id}`,
      )
    const whole = await read('')
    expect(Object.keys(whole)).toEqual(what === 'inbox' ? [what, 'interviews'] : [what])
    const all = rowsOf(whole)
    expect(all.length).toBeGreaterThan(0)
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await read(`?limit=1${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`)
      expect(page['total']).toBe(all.length)
      seen.push(...rowsOf(page))
      cursor = page['next'] as string | null
    }
    expect(seen).toEqual(all)
    for (const query of ['?limit=0', '?limit=201', '?limit=x', '?limit=1&cursor=x'])
      expect((await ask(`/api/${what}${query}`)).status, query).toBe(400)
  },
)

/** Read whole: a report in words of every open plan, and the messages that a worker takes, each once. */
const WHOLE: ReadonlySet<string> = new Set(['GET /api/progress', 'GET /api/workers/{id}/instructions'])

test('every route that answers a list takes a limit and a cursor', () => {
  const lists = Object.entries<RouteDocument>(ROUTES).flatMap(([name, { answer, query }]) => {
    const rows = answer instanceof z.ZodObject ? Object.entries(answer.shape) : []
    const own = rows.filter(([key]) => key !== 'next' && key !== 'total')
    const isList = own.length === 1 && own[0]?.[1] instanceof z.ZodArray
    return name.startsWith('GET ') && isList && !WHOLE.has(name) ? [{ name, query }] : []
  })
  expect(lists.length).toBeGreaterThan(3)
  const isPaged = (query: RouteDocument['query']): boolean =>
    query instanceof z.ZodObject && 'limit' in query.shape && 'cursor' in query.shape
  expect(lists.filter(({ query }) => !isPaged(query)).map(({ name }) => name)).toEqual([])
})

test('every change that a person makes takes an Idempotency-Key, but for those that answer secrets', () => {
  const keyed = (name: string): boolean => {
    const [method = '', path = ''] = name.split(' ')
    const target = path.replaceAll(/\{\w+\}/g, 'x')
    const headers = new Map([['idempotency-key', 'k']])
    return takesKey({ method, target, headers, text: async () => '', gone: () => AbortSignal.abort() })
  }
  const changes = Object.entries<RouteDocument>(ROUTES).filter(
    ([name, { caller }]) => name.startsWith('POST ') && caller !== 'worker',
  )
  expect(changes.map(([name]) => name).filter((name) => !keyed(name))).toEqual([
    'POST /api/session/codes',
    'POST /api/session',
    'POST /api/session/revoke',
  ])
})

test('an item that was answered answers 409 with both answers', async () => {
  const path = '/api/inbox/E-1/answer'
  const approved = { choice: 'approve', feedback: 'a known flake', by: 'ann' }
  expect((await ask(path, approved)).status).toBe(200)
  const late = await ask(path, { choice: 'reject', by: 'bob' })
  expect(late.status).toBe(409)
  expect(errorAnswer.parse(await late.json()).error).toMatchObject({
    code: 'conflict',
    details: {
      theirs: { ...approved, at: expect.any(String) },
      yours: { choice: 'reject', feedback: '', by: 'bob' },
    },
  })
})

test('a change with an Idempotency-Key counts once, and the key serves no other', async () => {
  const path = '/api/workers/w-shop-a-1/instruct'
  const key = { 'Idempotency-Key': 'mine-1' }
  const instruction = { by: 'ann', text: 'in French' }
  const [plan] = testing.host.plans()
  const messages = (): number => plan?.state.tasks.get('a')?.live?.watch.messages ?? -1
  const before = messages()
  const first = await ask(path, instruction, key)
  const again = await ask(path, instruction, key)
  expect([first.status, again.status]).toEqual([200, 200])
  expect(await again.text()).toBe(await first.text())
  expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
  expect(messages()).toBe(before + 1)
  const other = await ask(path, { ...instruction, text: 'in German' }, key)
  expect([other.status, errorAnswer.parse(await other.json()).error.code]).toEqual([409, 'conflict'])
  expect((await ask(path, instruction, { 'Idempotency-Key': 'a b' })).status).toBe(400)
  expect((await ask(path, instruction)).status).toBe(200)
  expect(messages()).toBe(before + 2)
})

test('an instruction that expands the scope changes the contract, and no other one may name files', async () => {
  const path = '/api/workers/w-shop-a-1/instruct'
  const [plan] = testing.host.plans()
  const files = ['README.md']
  const modified = () => plan?.state.tasks.get('a')?.spec.files.modify
  const said = { by: 'ann', text: 'name it there', files }
  expect((await ask(path, { ...said, type: 'revise' })).status).toBe(400)
  expect((await ask(path, { ...said, type: 'expand_scope', files: ['../x'] })).status).toBe(400)
  const words = await ask(path, {
    by: 'ann',
    text: 'also add the word shop to README.md',
    type: 'expand_scope',
  })
  expect([words.status, await words.text()]).toEqual([400, expect.stringContaining('--files')])
  const unknown = await ask(path, { by: 'ann', text: 'less', type: 'reduce_scope', criteria: ['9'] })
  expect([unknown.status, await unknown.text()]).toEqual([409, expect.stringContaining('bosun task show')])
  expect((await ask(path, { ...said, type: 'expand_scope' })).status).toBe(200)
  expect(modified()).toContain('README.md')
  expect((await ask(path, { ...said, type: 'expand_scope' })).status).toBe(409)
  expect((await ask(path, { ...said, type: 'reduce_scope' })).status).toBe(200)
  expect(modified()).not.toContain('README.md')
  const more = { by: 'ann', text: 'say how fast', type: 'expand_scope', criteria: ['it takes 1 s'] }
  expect((await ask(path, more)).status).toBe(200)
  const count = plan?.state.tasks.get('a')?.spec.acceptanceCriteria.length ?? 0
  const less = { by: 'ann', text: 'not that', type: 'reduce_scope', criteria: [String(count)] }
  expect((await ask(path, less)).status).toBe(200)
  const decisions = decisionsIn(plan?.state.tasks.get('a')?.decisions ?? null)
  expect(decisions.at(-1)?.text).toBe('ann took out of the contract criteria "it takes 1 s"')
})

test('the answers of session routes are secrets and are not kept', async () => {
  const key = { 'Idempotency-Key': 'mine-2' }
  const codes = [await ask('/api/session/codes', {}, key), await ask('/api/session/codes', {}, key)]
  const [one, two] = await Promise.all(codes.map((code) => code.text()))
  expect(codes.map(({ status }) => status)).toEqual([200, 200])
  expect(one).not.toBe(two)
})
