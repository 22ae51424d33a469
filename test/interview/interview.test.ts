/** Whole interviews over HTTP with the real program: by the form, and by a scripted provider that is killed and stopped. */
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PmStatus } from '../../src/protocol/interview.ts'
import { startModelServer } from '../agents/model-server/model-server.ts'
import { always, hang, overloaded, say, type Script } from '../agents/model-server/script.ts'
import { CLEAN_ENV } from '../cli/bosun.ts'
import { GREETING_SPEC } from './greeting-spec.ts'
import { beginAll, endAll, kill, repository, root, serve, stop, until, type Served } from './served.ts'

beforeAll(beginAll)
afterAll(endAll)

test('an interview without a model goes from a sentence over HTTP to a registered plan', async () => {
  const served = await serve()
  const { daemon } = served
  const repo = repository('shop')
  const started = await daemon.post('/api/pm/start', {
    repo,
    text: 'Add a greet function that takes a name',
    expertise: 'expert',
  })
  expect(started).toMatchObject({ state: 'WORKING', messages: 1 })
  const session_id = started.session_id ?? ''
  const asked = await until(served, repo, ['AWAIT_USER', 'PREVIEW'])
  expect(asked.open_question?.questions.map(({ id }) => id)).toContain('done')
  const answers = { done: "greet('Ann') is 'hello Ann'", out: 'other languages' }
  await daemon.post('/api/pm/chat', { repo, session_id, message: '', answers })
  expect(await until(served, repo, ['PREVIEW'])).toMatchObject({ session_id })
  const { spec_sha, user_spec_md } = await daemon.get('/api/pm/preview/spec', { repo })
  expect(user_spec_md).toContain("- [ ] greet('Ann') is 'hello Ann'")
  expect(user_spec_md).toContain('Not judged: no model')
  // Two clients at once: one action counts, the same again is no conflict.
  const action = { repo, action: 'submit_to_architect', spec_sha } as const
  await Promise.all([
    daemon.post('/api/pm/preview/action', action),
    daemon.post('/api/pm/preview/action', action),
  ])
  const ended = await until(served, repo, ['WAITING', 'AWAIT_USER'])
  expect(ended).toMatchObject({ state: 'WAITING', session_id: null })
  const { plans } = await daemon.get('/api/plans')
  expect(plans.map(({ id }) => id)).toContain(ended.plan)

  // The same spec with one more requirement is an edit of its plan: shown first, made when it is submitted.
  const plan = ended.plan ?? ''
  const tasks = async (): Promise<readonly string[]> => {
    const answer = await daemon.get('/api/tasks')
    return answer.tasks.flatMap((task) => (task.plan === plan ? [task.id] : []))
  }
  const before = await tasks()
  const markdown = `${user_spec_md}\n${GREETING_SPEC.slice(GREETING_SPEC.indexOf('### R-001')).replace('R-001', 'R-900')}`
  await daemon.post('/api/pm/upload', { repo, markdown })
  const preview = await daemon.get('/api/pm/preview/spec', { repo })
  expect(preview.changes).toMatchObject({
    plan,
    requirements: { added: ['R-900'], changed: [], removed: [] },
    tasks: [],
  })
  expect(await tasks()).toEqual(before)
  await daemon.post('/api/pm/preview/action', {
    repo,
    action: 'submit_to_architect',
    spec_sha: preview.spec_sha,
  })
  expect(await until(served, repo, ['WAITING', 'AWAIT_USER'])).toMatchObject({ state: 'WAITING', plan })
  expect(await tasks()).toEqual([...before, 'S-900.1'])
  const trace = await daemon.get('/api/trace', { repo, plan, requirement: 'R-900' })
  expect(trace.requirements).toMatchObject([
    { id: 'R-900', title: 'Greet by name', tasks: [{ id: 'S-900.1' }] },
  ])
  await stop(served)
})

test('the brain has the key of the caller, which is kept for the interview and its plan only', async () => {
  const key = 'sk-caller-0123456789'
  const server = await startModelServer(always(say('{"answer":{"tool":"await_user"}}')))
  const brain = `brain: { provider: compatible, base_url: "${server.url}/v1", small: m, large: m }\n`
  const repo = repository('keys', brain)
  const path = CLEAN_ENV['PATH'] ?? ''
  const environment = { path, variables: { OPENAI_COMPATIBLE_API_KEY: key, UNRELATED: 'secret-of-mine' } }
  const filesWith = (text: string): readonly string[] =>
    globSync('**/*', { cwd: root }).filter((name) => {
      const file = join(root, name)
      return statSync(file, { throwIfNoEntry: false })?.isFile() === true && readFileSync(file).includes(text)
    })
  const kept = expect.stringMatching(/^environments\/interviews\/keys-[0-9a-f]{8}\.json$/)
  let served = await serve({})
  const text = 'greet visitors by name'
  const { session_id } = await served.daemon.post('/api/pm/start', { repo, text, environment })
  await until(served, repo, ['AWAIT_USER'])
  expect(server.asked()[0]?.headers['authorization']).toBe(`Bearer ${key}`)
  expect(filesWith(key)).toEqual([kept])
  expect(filesWith('secret-of-mine')).toEqual([])
  expect(statSync(join(root, filesWith(key)[0] ?? '')).mode & 0o777).toBe(0o600)

  // It outlives an orderly stop, as the interview does; a call without one changes nothing.
  await stop(served)
  served = await serve({})
  server.play(
    always(
      say(
        JSON.stringify({
          answer: { tool: 'spec_submit', markdown: GREETING_SPEC, bootstrap_markdown: null },
        }),
      ),
    ),
  )
  await served.daemon.post('/api/pm/chat', { repo, session_id: session_id ?? '', message: 'with a comma' })
  const { spec_sha } = await until(served, repo, ['PREVIEW'])
  expect(server.asked().at(-1)?.headers['authorization']).toBe(`Bearer ${key}`)

  // The architect's model gives no valid answer, so nobody judges the spec.
  server.play(always(say('none')))
  await served.daemon.post('/api/pm/preview/action', {
    repo,
    action: 'submit_to_architect',
    spec_sha: spec_sha ?? '',
  })
  const { plan } = await until(served, repo, ['WAITING'])
  expect(plan).not.toBeNull()
  expect(filesWith(key)).toEqual([
    expect.stringMatching(new RegExp(`^environments/keys-[0-9a-f]{8}/${plan}\\.json$`)),
  ])
  await stop(served)
  await server.close()
})

test('an interview with a model survives kill -9 and an orderly stop in every state', async () => {
  const call = (answer: unknown): Script => always(say(JSON.stringify({ answer })))
  const server = await startModelServer(always(hang()))
  const brain = `brain: { provider: compatible, base_url: "${server.url}/v1", small: m, large: m, timeout: 60s }\n`
  const repo = repository('blog', brain)
  let served = await serve()
  const restart = async (how: (served: Served) => Promise<void>): Promise<void> => {
    await how(served)
    served = await serve()
  }
  const state = async (): Promise<PmStatus> => served.daemon.get('/api/pm/status', { repo })
  const asked = (count: number) => server.until(() => server.asked().length >= count)

  const { session_id } = await served.daemon.post('/api/pm/start', { repo, text: 'greet visitors by name' })
  await asked(1)
  await restart(kill)
  expect(await state()).toMatchObject({ state: 'WORKING', session_id, messages: 1 })
  await restart(stop)
  server.play(call({ tool: 'await_user' }))
  await restart(kill)
  expect(await until(served, repo, ['AWAIT_USER'])).toMatchObject({ session_id, messages: 1 })
  await restart(kill)
  expect(await state()).toMatchObject({ state: 'AWAIT_USER', session_id, messages: 1 })
  await restart(stop)
  expect(await until(served, repo, ['AWAIT_USER'])).toMatchObject({ session_id, messages: 1 })

  // The provider is down: after the retries the interview is suspended, and goes on after a restart with a healthy one.
  server.play(always(overloaded()))
  await served.daemon.post('/api/pm/chat', { repo, session_id: session_id ?? '', message: 'with a comma' })
  expect(await until(served, repo, ['SUSPEND'])).toMatchObject({ suspended_from: 'WORKING', messages: 2 })
  await restart(kill)
  expect(await until(served, repo, ['SUSPEND'])).toMatchObject({ suspended_from: 'WORKING', session_id })
  server.play(call({ tool: 'spec_submit', markdown: GREETING_SPEC, bootstrap_markdown: null }))
  await restart(stop)
  const preview = await until(served, repo, ['PREVIEW'])
  expect(preview).toMatchObject({ session_id, messages: 2 })
  await restart(kill)
  expect(await state()).toMatchObject({ state: 'PREVIEW', spec_sha: preview.spec_sha })
  await restart(stop)
  expect(await until(served, repo, ['PREVIEW'])).toMatchObject({ spec_sha: preview.spec_sha, session_id })

  server.play(always(hang()))
  const before = server.asked().length
  const spec_sha = preview.spec_sha ?? ''
  await served.daemon.post('/api/pm/preview/action', { repo, action: 'submit_to_architect', spec_sha })
  await asked(before + 1)
  await restart(kill)
  expect(await until(served, repo, ['AWAIT_ARCHITECT'])).toMatchObject({ session_id, spec_sha })
  await restart(stop)
  expect(await until(served, repo, ['AWAIT_ARCHITECT'])).toMatchObject({ session_id, spec_sha })
  await stop(served)
  await server.close()
}, 240_000)
