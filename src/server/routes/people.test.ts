import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { InterviewWorld, post as pmPost, SPEC, submit } from '../../../test/helpers/interview-world.ts'
import { doorOf, requestApp } from '../../../test/helpers/request-app.ts'
import { TestHost } from '../../../test/helpers/test-host.ts'
import { followEvents } from '../../app/activity/follow-events.ts'
import { readActivity } from '../../app/activity/read-activity.ts'
import { conversationAnswer, pmStatus, previewAnswer, type PmStatus } from '../../protocol/interview.ts'
import { eventMessage } from '../../protocol/answers.ts'
import { errorAnswer } from '../../protocol/error-answer.ts'
import { Refusal } from '../../lib/refusal.ts'
import { createApp, type App } from '../app.ts'

const TOKEN = 'cd'.repeat(32)
const ORIGIN = 'http://127.0.0.1:20000'
const world = new InterviewWorld()
let testing: TestHost
let app: App

beforeAll(async () => {
  testing = new TestHost()
  testing.openInterviews = (host) => world.openIn(host.parts)
  await testing.open()
  app = createApp(doorOf(testing, { token: TOKEN, port: 20_000 }))
})
afterAll(async () => {
  await testing.dispose()
  world.dispose()
})

async function ask(path: string, body?: unknown): Promise<{ status: number; answer: unknown }> {
  const text = body === undefined ? '' : JSON.stringify(body)
  const json = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(text)) }
  const headers = { Authorization: `Bearer ${TOKEN}`, ...(body === undefined ? {} : json) }
  const method = body === undefined ? 'GET' : 'POST'
  const response = await requestApp(app, `${ORIGIN}${path}`, { method, headers, body: text })
  return { status: response.status, answer: await response.json() }
}

/** As the command line reaches the daemon. */
const daemon = {
  async get<T>(path: string, query: Readonly<Record<string, string | number | undefined>> = {}): Promise<T> {
    const pairs = Object.entries(query).map(([key, value]): [string, string] => [key, String(value)])
    const asked = new URLSearchParams(pairs)
    return (await ask(`${path}?${asked.toString()}`)).answer as T
  },
  async post<T>(path: string, body: Readonly<Record<string, unknown>>): Promise<T> {
    return (await ask(path, body)).answer as T
  },
}

const settled = async (state: string): Promise<void> => {
  for (;;) {
    const now = await daemon.get<PmStatus>('/api/pm/status', { repo: world.project })
    if (now.state === state) return
    await new Promise((resolve) => setImmediate(resolve))
  }
}

test('an interview goes from its start to a plan over HTTP, and every answer fits its schema', async () => {
  const repo = world.project
  expect(pmStatus.parse(await daemon.get('/api/pm/status', { repo }))).toMatchObject({
    state: 'WAITING',
    session_id: null,
  })
  expect((await ask(`/api/pm/preview/spec?repo=${repo}`)).status).toBe(404)
  world.think = () => (world.turns.length === 1 ? pmPost('Which database?') : { tool: 'await_user' })
  const { session_id } = pmStatus.parse(await daemon.post('/api/pm/start', { repo, text: 'a search page' }))
  await settled('AWAIT_USER')
  expect(await ask('/api/pm/start', { repo, text: 'a shop' })).toMatchObject({ status: 409 })
  const talk = conversationAnswer.parse(await daemon.get('/api/pm/chat', { repo }))
  expect(talk.messages.map(({ from, text }) => `${from}: ${text}`)).toEqual([
    'user: a search page',
    'pm: Which database?',
  ])
  world.think = () => submit
  await daemon.post('/api/pm/chat', { repo, session_id: session_id ?? '', message: 'sqlite' })
  await settled('PREVIEW')
  const { spec_sha } = previewAnswer.parse(await daemon.get('/api/pm/preview/spec', { repo }))
  const stale = { repo, action: 'submit_to_architect', spec_sha: 'ab'.repeat(32) }
  const late = await ask('/api/pm/preview/action', stale)
  expect(late.status).toBe(409)
  expect(errorAnswer.parse(late.answer).error.details).toEqual({
    theirs: { spec_sha },
    yours: { spec_sha: stale.spec_sha },
  })
  pmStatus.parse(
    await daemon.post('/api/pm/preview/action', { repo, action: 'submit_to_architect', spec_sha }),
  )
  await settled('WAITING')
  expect(pmStatus.parse(await daemon.get('/api/pm/status', { repo }))).toMatchObject({
    plan: 'search',
    spec_sha: null,
  })
})

test('a request that is not as it should be is refused with the key that is wrong', async () => {
  const repo = world.project
  const refused = async (path: string, body: unknown): Promise<string> => {
    const { status, answer } = await ask(path, body)
    expect(status).toBe(400)
    return JSON.stringify(answer)
  }
  expect(await refused('/api/pm/start', { text: 'x' })).toContain('repo: ')
  expect(await refused('/api/pm/start', { repo, text: '  ' })).toContain('text: is empty')
  expect(await refused('/api/pm/start', { repo, expertise: 'wizard' })).toContain('expertise: ')
  expect(await refused('/api/pm/chat', { repo, message: 'x' })).toContain('session_id: ')
  expect(await refused('/api/pm/preview/action', { repo, action: 'ship' })).toContain('action: ')
  expect((await ask('/api/pm/start', { repo: '/nowhere/at/all' })).status).toBe(404)
  expect(await refused('/api/pm/start', { repo: '../../etc' })).toContain('repo: is not an absolute path')
  const file = join(repo, 'notes.md')
  writeFileSync(file, 'text')
  expect(await refused('/api/pm/start', { repo: file })).toContain('notes.md is not a folder')
  expect(await refused('/api/pm/upload', { repo: file, markdown: SPEC })).toContain('is not a folder')
})

test('a folder that no plan can start from is refused before an interview begins there', async () => {
  world.requireCommit = async () => {
    throw new Refusal({ code: 'needs_person', message: 'no commit', remedy: 'git init' })
  }
  const repo = mkdtempSync(join(tmpdir(), 'bosun-bare-'))
  expect(await ask('/api/pm/start', { repo, text: 'a shop' })).toMatchObject({ status: 409 })
  expect(await ask('/api/pm/upload', { repo, markdown: SPEC })).toMatchObject({ status: 409 })
  expect(await daemon.get('/api/pm/status', { repo })).toMatchObject({
    state: 'WAITING',
    session_id: null,
    messages: 0,
  })
  expect((await testing.host.parts.repositories.list()).map(({ path }) => path)).not.toContain(repo)
  rmSync(repo, { recursive: true })
  world.requireCommit = async () => undefined
})

test('a spec is not submitted where no agent could work on it, and stays in preview', async () => {
  const refusal = {
    code: 'no_agent',
    message: 'no coding agent is installed',
    remedy: 'Install one.',
  } as const
  world.requireAgent = async () => {
    throw new Refusal(refusal)
  }
  const { spec_sha } = await daemon.post<PmStatus>('/api/pm/upload', { repo: world.project, markdown: SPEC })
  const submitted = await ask('/api/pm/preview/action', {
    repo: world.project,
    action: 'submit_to_architect',
    spec_sha,
  })
  expect(JSON.stringify(submitted)).toContain(refusal.message)
  expect(await daemon.get('/api/pm/status', { repo: world.project })).toMatchObject({
    state: 'PREVIEW',
    spec_sha,
  })
  world.requireAgent = async () => undefined
  await daemon.post('/api/pm/abandon', { repo: world.project })
})

test('a spec that is not in preview cannot be submitted, and the refusal says so in words', async () => {
  const { answer } = await ask('/api/pm/preview/action', {
    repo: world.project,
    action: 'submit_to_architect',
    spec_sha: 'ab'.repeat(32),
  })
  expect(JSON.stringify(answer)).toContain('no spec can be submitted now: the interview is in WAITING')
})

test('an invalid spec is refused with each of its errors', async () => {
  const { status, answer } = await ask('/api/pm/upload', { repo: world.project, markdown: 'nothing' })
  expect(status).toBe(422)
  expect(JSON.stringify(answer)).toContain('no requirements')
  const uploaded = await daemon.post('/api/pm/upload', { repo: world.project, markdown: SPEC })
  expect(uploaded).toMatchObject({ state: 'PREVIEW' })
})

test('what happens in an interview is in the activity log and in the event stream', async () => {
  const { activity } = await readActivity(testing.host, { limit: 100 })
  const events = activity.map(({ event }) => event)
  expect(events).toContain('interview_started')
  expect(events).toContain('spec_approved')
  const until = new AbortController()
  const asked = { after: 0, until: until.signal, idleMs: 60_000 }
  for await (const news of followEvents(testing.host, asked)) {
    if (news === 'nothing') continue
    const messages = news.map((message) => eventMessage.parse(message))
    expect(messages.map(({ text }) => text)).toContain('PM: Which database?')
    expect(messages[0]?.interview).toMatch(/^interview:/)
    break
  }
  until.abort()
})
