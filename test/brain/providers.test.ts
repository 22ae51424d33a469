/** The model brain against a scripted provider on 127.0.0.1 that speaks the real wire formats. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { configuredBrain } from '../../src/brain/configured-brain.ts'
import { answerSchema } from '../../src/core/thinking/answer-schema.ts'
import { replan } from '../../src/core/thinking/questions/replan.ts'
import { settingsSchema } from '../../src/core/settings/settings.ts'
import { SystemClock } from '../../src/lib/system/system-clock.ts'
import { ServiceUnavailable, type ThinkCall } from '../../src/ports/brain.ts'
import { startModelServer, type ModelServer } from '../agents/model-server/model-server.ts'
import {
  act,
  always,
  broken,
  call,
  hang,
  limited,
  overloaded,
  play,
  say,
  signedOut,
  type FailStep,
  type Script,
  type Step,
} from '../agents/model-server/script.ts'
import { aThinkCall } from '../conformance/brain.conformance.ts'
import { aTask } from '../helpers/plan-builder.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const KEY = 'sk-secret-0123456789abcdef'
const DROP = JSON.stringify({ recommend: 'drop', note: 'nothing is left' })
const input = { spec: aTask('1'), feedback: 'only the header' }
/** It names no moment. */
const limitedForever: FailStep = { kind: 'fail', why: 'limited', resetMs: null, limit: 'rate' }

/** Waits a hundredth of the time, so that retries take no seconds. */
class FastClock extends SystemClock {
  override wake(delayMs: number, call: () => void): () => void {
    return super.wake(delayMs / 100, call)
  }
}

let server: ModelServer
let folder: string
beforeEach(async () => {
  server = await startModelServer(always(say(DROP)))
  folder = tempFolder('brain')
})
afterEach(async () => {
  await server.close()
})

const PROVIDERS = {
  anthropic: { path: '/v1', model: 'claude-sonnet-4-5', variable: 'ANTHROPIC_API_KEY', header: 'x-api-key' },
  openai: { path: '/v1', model: 'gpt-5.5', variable: 'OPENAI_API_KEY', header: 'authorization' },
  google: {
    path: '/v1beta',
    model: 'gemini-3.8-flash',
    variable: 'GOOGLE_GENERATIVE_AI_API_KEY',
    header: 'x-goog-api-key',
  },
  compatible: {
    path: '/v1',
    model: 'qwen3:8b',
    variable: 'OPENAI_COMPATIBLE_API_KEY',
    header: 'authorization',
  },
} as const
type Provider = keyof typeof PROVIDERS

interface Fields {
  readonly brain?: Readonly<Record<string, unknown>>
  readonly env?: Readonly<Record<string, string>>
  readonly url?: string
}

function brainOf(provider: Provider, { brain = {}, env, url = server.url }: Fields = {}) {
  const { path, model, variable } = PROVIDERS[provider]
  const settings = settingsSchema.parse({
    // Long, since the clock is fast and the first request of a process takes longer.
    brain: { provider, base_url: `${url}${path}`, large: model, timeout: '30m', ...brain },
  })
  return configuredBrain({
    settings,
    env: env ?? { [variable]: KEY, PATH: process.env['PATH'] },
    folder,
    clock: new FastClock(),
    usageFile: join(folder, 'usage.jsonl'),
    agent: () => Promise.reject(new Error('no agent here')),
  })
}

const ask = (provider: Provider, call: Partial<ThinkCall> = {}, fields: Fields = {}) =>
  brainOf(provider, fields).think(replan, input, aThinkCall(call))

describe.each(Object.keys(PROVIDERS) as Provider[])('%s', (provider) => {
  const { model, header, variable } = PROVIDERS[provider]

  test('answers a question as its schema says, with its tokens and without a price', async () => {
    expect(await ask(provider)).toMatchObject({
      answer: { recommend: 'drop', note: 'nothing is left' },
      by: `${provider}/${model}`,
      usage: { tokensIn: 160, tokensOut: 30, tokensCached: 40, usd: null, requests: 1 },
      fallback: null,
    })
    const [asked] = server.asked()
    expect(String(asked?.headers[header])).toContain(KEY)
    expect(asked?.request.answerSchema).toMatchObject(answerSchema(replan.answer).strict)
    expect(JSON.stringify(asked?.request.messages)).toContain('| only the header')
  })

  test('costs what the settings say its model costs', async () => {
    const prices = { [model]: { input: 10, output: 100, cached: 1 } }
    const { usage } = await ask(provider, {}, { brain: { prices } })
    expect(usage?.usd).toBeCloseTo((120 * 10 + 40 + 30 * 100) / 1_000_000, 9)
  })

  test('is asked once more with what was wrong, then nobody judges', async () => {
    server.play(always(say('I think the task should be dropped.')))
    expect(await ask(provider)).toMatchObject({ by: 'nobody', usage: { requests: 2 } })
    expect(JSON.stringify(server.asked()[1]?.request.messages)).toContain(
      '| The answer was not a JSON value.',
    )
  })

  test.each([
    ['an empty reply', say('')],
    ['another schema', say('{"verdict":"drop"}')],
    [
      'another language',
      say(
        JSON.stringify({
          recommend: 'drop',
          note: '这个任务不再需要了，请把它从计划中删除，然后继续下一个任务吧',
        }),
      ),
    ],
  ])('that gives %s is asked once more, and its second answer counts', async (_, wrong) => {
    server.play(inOrder(wrong, say(DROP)))
    expect(await ask(provider)).toMatchObject({ by: `${provider}/${model}`, usage: { requests: 2 } })
  })

  test('that refuses the key is not asked again: nobody judges, and no word of the key is repeated', async () => {
    server.play(always(signedOut()))
    const thought = await ask(provider, { outage: 'throw' })
    expect(thought).toMatchObject({ by: 'nobody', usage: { requests: 1 } })
    expect(thought.fallback).toMatch(new RegExp(`^${provider} refused the key \\(40[013]\\)`))
    expect(JSON.stringify(thought)).not.toContain(KEY.slice(0, 8))
  })

  test.each<readonly [string, Step]>([
    ['is limited without a reset', limitedForever],
    ['is overloaded', overloaded()],
    ['is broken', broken()],
    ['cuts its reply', say(DROP, { ending: 'cut' })],
    ['takes for ever', hang()],
  ])('that %s is given up after three requests', async (_, step) => {
    server.play(always(step))
    const brain = { timeout: '20s' }
    const thrown = await ask(provider, { outage: 'throw' }, { brain }).catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(ServiceUnavailable)
    expect(thrown).toMatchObject({ service: provider, retryAt: null })
    expect(server.requests).toHaveLength(3)
    expect(await ask(provider, { outage: 'unjudged' }, { brain })).toMatchObject({ by: 'nobody' })
    expect(JSON.stringify([thrown, String(thrown)])).not.toContain(KEY.slice(0, 8))
  })

  test('that names its reset is not asked before', async () => {
    server.play(always(limited(7_200_000)))
    const before = Date.now()
    const thrown = await ask(provider, { outage: 'throw' }).catch((error: unknown) => error)
    const retryAt = thrown instanceof ServiceUnavailable ? (thrown.retryAt ?? 0) : 0
    expect(retryAt).toBeGreaterThanOrEqual(before + 7_100_000)
    expect(retryAt).toBeLessThanOrEqual(Date.now() + 7_300_000)
    expect(server.requests).toHaveLength(1)
  })

  test('is healthy while it answers, and not where it is overloaded, refuses the key or is gone', async () => {
    const { signal } = new AbortController()
    const health = async (url?: string) => {
      const [found] = await brainOf(provider, url === undefined ? {} : { url }).check(signal)
      return [found?.ok, found?.why?.split(':')[0]]
    }
    expect(await health()).toEqual([true, undefined])
    server.play(always(overloaded()))
    expect((await health())[1]).toMatch(new RegExp(`^${provider} is unavailable \\(5\\d\\d\\)$`))
    server.play(always(signedOut()))
    expect((await health())[1]).toMatch(new RegExp(`^${provider} refused the key`))
    expect(await health(await closedUrl())).toEqual([false, `${provider} cannot be reached (ECONNREFUSED)`])
  })

  test('that cannot be reached is given up after three requests', async () => {
    const url = await closedUrl()
    const thought = await ask(provider, {}, { url })
    expect(thought.fallback).toBe(`${provider} cannot be reached (ECONNREFUSED)`)
    expect(thought.usage?.requests).toBe(3)
  })

  test('gets its key from a command, of which nothing is repeated', async () => {
    const env = { PATH: process.env['PATH'] ?? '' }
    await ask(provider, {}, { env, brain: { key_command: `echo ${KEY}` } })
    expect(String(server.asked()[0]?.headers[header])).toContain(KEY)
    for (const command of [`echo ${KEY}; exit 3`, `echo ${KEY}; echo more`, 'true', ['/no/such/program']]) {
      const thought = await ask(provider, {}, { env, brain: { key_command: command } })
      expect(thought.fallback).toMatch(/^brain\.key_command /)
      expect(JSON.stringify(thought)).not.toContain(KEY.slice(0, 8))
    }
  })

  test('without a key is not asked, unless it may need none', async () => {
    const { by, fallback } = await ask(provider, {}, { env: {} })
    if (provider === 'compatible') expect(by).toBe(`compatible/${model}`)
    else expect(fallback).toBe(`there is no key for ${provider} (set ${variable} or brain.key_command)`)
  })
})

test('a Claude model without structured output answers by a tool', async () => {
  server.play(always(act(call('json', JSON.parse(DROP) as Record<string, unknown>))))
  const brain = { large: 'claude-3-5-haiku-20241022' }
  expect(await ask('anthropic', {}, { brain })).toMatchObject({
    answer: { recommend: 'drop' },
    by: 'anthropic/claude-3-5-haiku-20241022',
  })
})

test('a compatible server that knows no schemas is asked for JSON, and one that knows no JSON for text', async () => {
  const refused: string[] = []
  const picky = await startPicky((format) => {
    if (format === 'none') return true
    refused.push(format)
    return false
  })
  try {
    const brain = brainOf('compatible', { url: picky.url })
    expect(await brain.think(replan, input, aThinkCall())).toMatchObject({ by: 'compatible/qwen3:8b' })
    expect(refused).toEqual(['json_schema', 'json_object'])
    // It is remembered.
    await brain.think(replan, { ...input, feedback: 'the footer' }, aThinkCall())
    expect(refused).toHaveLength(2)
  } finally {
    await picky.close()
  }
})

function inOrder(...steps: readonly Step[]): Script {
  return play(
    [],
    (() => {
      let next = 0
      return () => steps[Math.min(next++, steps.length - 1)] ?? say('')
    })(),
  )
}

/** An address at which nothing listens. */
async function closedUrl(): Promise<string> {
  const gone = await startModelServer(always(hang()))
  await gone.close()
  return gone.url
}

/** A server of Chat Completions that refuses some response formats. */
async function startPicky(takes: (format: string) => boolean) {
  const http = createServer((incoming, outgoing) => {
    const parts: Buffer[] = []
    incoming.on('data', (part: Buffer) => parts.push(part))
    incoming.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString()) as { response_format?: { type: string } }
      const isTaken = takes(body.response_format?.type ?? 'none')
      outgoing.writeHead(isTaken ? 200 : 400, { 'content-type': 'application/json' })
      const message = { role: 'assistant', content: DROP }
      const answer = {
        id: '1',
        model: 'qwen3:8b',
        choices: [{ index: 0, message, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1, completion_tokens: 1 },
      }
      outgoing.end(JSON.stringify(isTaken ? answer : { error: { message: 'unknown response_format' } }))
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    close: () => new Promise<void>((resolve) => http.close(() => resolve())),
  }
}
