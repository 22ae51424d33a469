/** A provider that is down in the middle of an interview, and comes back while the same daemon runs. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startModelServer } from '../agents/model-server/model-server.ts'
import { always, overloaded, say, type Script } from '../agents/model-server/script.ts'
import { GREETING_SPEC } from './greeting-spec.ts'
import { beginAll, endAll, repository, serve, stop, until, type Served } from './served.ts'

let served: Served
beforeAll(async () => {
  beginAll()
  served = await serve()
})
afterAll(async () => {
  await stop(served)
  endAll()
})

const call = (answer: unknown): Script => always(say(JSON.stringify({ answer })))
const brainAt = (url: string): string =>
  `brain: { provider: compatible, base_url: "${url}/v1", small: m, large: m }\n`

// Both wait for the check of the services, every 30 s: side by side.
test.concurrent('an interview goes on by itself when its provider is back, and nothing that was said is lost', async () => {
  const server = await startModelServer(call({ tool: 'await_user' }))
  const repo = repository('talk', brainAt(server.url))
  const { daemon } = served
  const started = await daemon.post('/api/pm/start', { repo, text: 'greet visitors by name' })
  const session_id = started.session_id ?? ''
  await until(served, repo, ['AWAIT_USER'])

  server.play(always(overloaded()))
  await daemon.post('/api/pm/chat', { repo, session_id, message: 'with a comma' })
  const suspended = await until(served, repo, ['SUSPEND'])
  expect(suspended).toMatchObject({ session_id, suspended_from: 'WORKING', messages: 2 })
  expect(suspended.why).toMatch(/is unavailable/)
  // What the user says meanwhile is kept, and read by the next turn.
  await daemon.post('/api/pm/chat', { repo, session_id, message: 'and an exclamation mark' })
  expect(await daemon.get('/api/pm/status', { repo })).toMatchObject({ state: 'SUSPEND', messages: 3 })

  server.play(call({ tool: 'spec_submit', markdown: GREETING_SPEC, bootstrap_markdown: null }))
  expect(await until(served, repo, ['PREVIEW'])).toMatchObject({ session_id, messages: 3, why: null })
  const texts = ['greet visitors by name', 'with a comma', 'and an exclamation mark']
  const turn = JSON.stringify(server.asked().at(-1)?.request)
  for (const text of texts) expect(turn).toContain(text)
  const { messages } = await daemon.get('/api/pm/chat', { repo })
  expect(messages.map(({ text }) => text)).toEqual(texts)
  await server.close()
}, 120_000)

test.concurrent('a spec that is with the architect during an outage becomes a plan when it is over', async () => {
  const server = await startModelServer(always(overloaded()))
  const repo = repository('review', brainAt(server.url))
  const { daemon } = served
  const { spec_sha } = await daemon.post('/api/pm/upload', { repo, markdown: GREETING_SPEC })
  await daemon.post('/api/pm/preview/action', {
    repo,
    action: 'submit_to_architect',
    spec_sha: spec_sha ?? '',
  })
  const suspended = await until(served, repo, ['SUSPEND'])
  expect(suspended).toMatchObject({ suspended_from: 'AWAIT_ARCHITECT', spec_sha })

  // Healthy, but no answer to a question: only the structure of the spec is checked.
  server.play(always(say('none')))
  const ended = await until(served, repo, ['WAITING'])
  expect(ended).toMatchObject({ session_id: null, recoverable: null })
  expect(ended.plan).not.toBeNull()
  await server.close()
}, 120_000)
