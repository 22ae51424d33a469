import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startModelServer, type ModelServer } from './model-server.ts'
import {
  act,
  always,
  call,
  hang,
  limited,
  overloaded,
  play,
  reply,
  run,
  say,
  signedOut,
  UNSCRIPTED,
  write,
  type Step,
} from './script.ts'
import { CLIENTS, eventsOf, type Question } from './test-clients.ts'

const TOOLS = [
  {
    name: 'write_file',
    schema: {
      type: 'object',
      properties: { file_path: { type: 'string' }, content: { type: 'string' } },
      required: ['file_path', 'content'],
    },
  },
  {
    name: 'bash',
    schema: {
      type: 'object',
      properties: { command: { type: 'string' }, description: { type: 'string' } },
      required: ['command', 'description'],
    },
  },
]
const TEXT = 'Grüße 🚢, which is long enough to come in several pieces when it is streamed.'
const STOPS = {
  anthropic: ['end_turn', 'tool_use'],
  responses: ['completed', 'completed'],
  chat: ['stop', 'tool_calls'],
  gemini: ['STOP', 'STOP'],
} as const
const HOURS_2 = 7_200_000

let server: ModelServer
beforeEach(async () => {
  server = await startModelServer(always(say('Hello.')))
})
afterEach(() => server.close())

for (const [name, client] of Object.entries(CLIENTS)) {
  const wire = name as keyof typeof CLIENTS
  const post = (question: Question, signal?: AbortSignal) =>
    fetch(`${server.url}${client.path(question)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer key' },
      body: JSON.stringify(client.body(question)),
      ...(signal === undefined ? {} : { signal }),
    })
  const ask = async (question: Question) => {
    const response = await post(question)
    expect(response.status, await response.clone().text()).toBe(200)
    return client.read(await response.text(), question)
  }
  const fail = async (step: Step) => {
    server.play(always(step))
    const response = await post({ prompt: 'Do it.', isStream: true })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }

  describe(wire, () => {
    for (const isStream of [true, false]) {
      const how = isStream ? 'streamed' : 'whole'

      test(`a text comes ${how} with thought and usage`, async () => {
        const usage = { input: 100, cached: 50, output: 20, reasoning: 5 }
        server.play(always(say(TEXT, { thought: 'Let me see.', usage })))
        expect(await ask({ prompt: 'Say it.', isStream })).toEqual({
          text: TEXT,
          thought: 'Let me see.',
          calls: [],
          usage: [150, 50, 20],
          stop: STOPS[wire][0],
        })
      })

      test(`tool calls come ${how}, by the names and arguments that the request offers`, async () => {
        server.play(play([{ steps: [act(write('a.txt', TEXT), run('true'))] }]))
        expect(await ask({ prompt: 'Do it.', isStream, tools: TOOLS })).toMatchObject({
          calls: [
            { name: 'write_file', input: { file_path: 'a.txt', content: TEXT } },
            { name: 'bash', input: { command: 'true', description: 'scripted' } },
          ],
          stop: STOPS[wire][1],
        })
      })

      test(`a reply that is cut off ends ${how} without its end`, async () => {
        server.play(always(say(TEXT, { ending: 'cut' })))
        const response = await post({ prompt: 'Do it.', isStream })
        await expect(response.text()).rejects.toThrow('terminated')
        expect(server.requests[0]?.outcome).toBe('cut')
      })
    }

    test('a request is recorded with what was asked', async () => {
      await ask({ prompt: 'Build the pier.', isStream: true, tools: TOOLS })
      expect(server.asked()).toMatchObject([
        {
          kind: 'model',
          lane: '',
          request: {
            wire,
            isStream: true,
            messages: [{ role: 'user', text: 'Build the pier.' }],
            tools: [
              { name: 'write_file', form: 'function' },
              { name: 'bash', form: 'function' },
            ],
          },
        },
      ])
      expect(server.requests[0]?.headers['authorization']).toBe('Bearer key')
    })

    test('a call without a matching tool becomes text and is recorded', async () => {
      server.play(always(act(call('report_to_pm'))))
      const { text, calls } = await ask({ prompt: 'Report.', isStream: true, tools: TOOLS })
      expect([calls, text]).toEqual([[], expect.stringContaining('none of the offered tools')])
      expect(server.requests[0]?.missing).toEqual([call('report_to_pm')])
    })

    test('a hanging request is read and not answered, until the client goes', async () => {
      server.play(always(hang()))
      const gone = new AbortController()
      const response = post({ prompt: 'Do it.', isStream: true }, gone.signal)
      await server.until(({ step }) => step?.kind === 'hang')
      gone.abort()
      await expect(response).rejects.toThrow('abort')
      await server.until(({ outcome }) => outcome === 'client_gone')
    })

    test('a stream that hangs has sent half of its events', async () => {
      server.play(always(say(TEXT, { ending: 'hang' })))
      const gone = new AbortController()
      const response = await post({ prompt: 'Do it.', isStream: true }, gone.signal)
      const first = await response.body?.getReader().read()
      expect(eventsOf(new TextDecoder().decode(first?.value)).length).toBeGreaterThan(0)
      gone.abort()
      await server.until(({ outcome }) => outcome === 'client_gone')
    })

    test('a stream that breaks ends with an error event', async () => {
      server.play(always(say(TEXT, { ending: 'error' })))
      const response = await post({ prompt: 'Do it.', isStream: true })
      expect(eventsOf(await response.text()).at(-1)?.data).toMatch(/overloaded/i)
    })

    test('the first token comes when the script releases it', async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      server.play(always(say('Late.', { after: promise, firstTokenMs: 1 })))
      const answer = ask({ prompt: 'Do it.', isStream: true })
      expect((await server.until(({ step }) => step !== null)).outcome).toBe('open')
      resolve()
      expect((await answer).text).toBe('Late.')
    })

    test('a wrong key is refused with 401', async () => {
      expect((await fail(signedOut())).status).toBe(401)
    })

    test('a limit names its reset', async () => {
      const { status, headers } = await fail(limited(2000))
      expect([status, headers.get('retry-after')]).toEqual([429, '2'])
      expect((await fail(limited(HOURS_2))).headers.get('retry-after')).toBe('7200')
    })

    test('a request in another format is refused and recorded as invalid', async () => {
      const response = await fetch(`${server.url}${client.path({ prompt: '', isStream: false })}`, {
        method: 'POST',
        body: '{"messages": 3}',
      })
      expect([response.status, server.requests[0]?.kind]).toEqual([400, 'invalid'])
    })
  })
}

describe('the limit messages of the providers', () => {
  const body = async (wire: keyof typeof CLIENTS, step: Step) => {
    server.play(always(step))
    const question = { prompt: 'Do it.', isStream: false }
    const response = await fetch(`${server.url}${CLIENTS[wire].path(question)}`, {
      method: 'POST',
      body: JSON.stringify(CLIENTS[wire].body(question)),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  test('Anthropic names the reset of a subscription in headers', async () => {
    const before = Math.floor(Date.now() / 1000)
    const { headers, text } = await body('anthropic', limited(HOURS_2))
    expect(headers.get('anthropic-ratelimit-unified-status')).toBe('rejected')
    expect(Number(headers.get('anthropic-ratelimit-unified-reset'))).toBeGreaterThanOrEqual(before + 7200)
    expect(text).toContain('rate_limit_error')
  })

  test('Anthropic is overloaded with 529', async () => {
    expect(await body('anthropic', overloaded())).toMatchObject({ status: 529 })
  })

  test('OpenAI names the reset of a subscription in the body, and of a rate in headers', async () => {
    const long = await body('responses', limited(HOURS_2))
    expect(JSON.parse(long.text)).toMatchObject({
      error: { type: 'usage_limit_reached', resets_in_seconds: 7200 },
    })
    const short = await body('chat', limited(90_000))
    expect(short.headers.get('x-ratelimit-reset-requests')).toBe('1m30s')
    expect(short.text).toContain('Please try again in 1m30s')
  })

  test('Gemini names the quota and the delay in the body', async () => {
    const { text } = await body('gemini', limited(HOURS_2))
    expect(JSON.parse(text)).toMatchObject({
      error: {
        status: 'RESOURCE_EXHAUSTED',
        details: [
          { violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel' }] },
          { retryDelay: '7200s' },
        ],
      },
    })
  })
})

describe('other routes', () => {
  const get = async (path: string) => {
    const response = await fetch(`${server.url}${path}`)
    return { status: response.status, body: await response.json() }
  }

  test('the lists of models have the form of their provider', async () => {
    expect(await get('/v1/models')).toMatchObject({ body: { data: [{ id: 'scripted-model' }, {}] } })
    expect(await get('/v1beta/models')).toMatchObject({
      body: { models: [{ name: 'models/scripted-model' }, {}] },
    })
    expect(await get('/v1/models/some')).toMatchObject({ body: { id: 'some' } })
  })

  test('tokens are counted', async () => {
    const count = async (path: string): Promise<unknown> =>
      (await fetch(`${server.url}${path}`, { method: 'POST', body: '{}' })).json()
    expect(await count('/v1/messages/count_tokens')).toEqual({ input_tokens: 42 })
    expect(await count('/v1beta/models/m:countTokens')).toEqual({ totalTokens: 42 })
  })

  test('an unknown path is refused and recorded', async () => {
    expect((await get('/api/telemetry')).status).toBe(404)
    expect(server.requests).toMatchObject([{ path: '/api/telemetry', kind: 'unknown' }])
  })

  test('the path selects a lane', async () => {
    const question = { prompt: 'Do it.', isStream: false }
    await fetch(`${server.lane('reviewer')}/v1/messages`, {
      method: 'POST',
      body: JSON.stringify(CLIENTS.anthropic.body(question)),
    })
    expect(server.asked()[0]?.request.lane).toBe('reviewer')
  })

  test('Gemini streams an array where it is not asked for events', async () => {
    const response = await fetch(`${server.url}/v1beta/models/m:streamGenerateContent`, {
      method: 'POST',
      body: JSON.stringify(CLIENTS.gemini.body({ prompt: 'Do it.', isStream: true })),
    })
    expect(await response.json()).toMatchObject([
      { candidates: [{ content: { parts: [{ text: 'Hello.' }] } }] },
      { candidates: [{ finishReason: 'STOP' }] },
    ])
  })
})

describe('a script of rules', () => {
  const question = (prompt: string, tools = TOOLS) => ({ prompt, isStream: false, tools })
  const ask = async (prompt: string, tools = TOOLS): Promise<string> => {
    const response = await fetch(`${server.url}/v1/messages`, {
      method: 'POST',
      body: JSON.stringify(CLIENTS.anthropic.body(question(prompt, tools))),
    })
    return CLIENTS.anthropic.read(await response.text(), question(prompt, tools)).text
  }

  test('each request takes the next step of the first rule about it that has one left', async () => {
    server.play(
      play([
        { about: /review/, steps: [say('r1')] },
        { about: /build/, steps: [say('b1'), (request) => say(`b2 on ${request.wire}`)] },
        { steps: [say('x')], repeats: true },
      ]),
    )
    const said = []
    for (const prompt of ['build', 'review', 'build', 'review', 'else']) said.push(await ask(prompt))
    expect(said).toEqual(['b1', 'r1', 'b2 on anthropic', 'x', 'x'])
  })

  test('a request without tools takes no step', async () => {
    server.play(play([{ steps: [say('only')] }]))
    expect([await ask('title?', []), await ask('build')]).toEqual(['A scripted task', 'only'])
  })

  test('a request that no rule covers is recorded as unscripted', async () => {
    server.play(play([]))
    await ask('build')
    expect(server.requests[0]?.step).toBe(UNSCRIPTED)
  })

  test('a reply may have neither text nor calls', async () => {
    server.play(always(reply({})))
    expect(await ask('build')).toBe('')
  })
})
