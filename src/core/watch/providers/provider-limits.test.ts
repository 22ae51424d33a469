import { describe, expect, test } from 'vitest'
import { zoneOffsetMs } from '../../../lib/system/local-time.ts'
import { providerTrouble } from './provider-limits.ts'

const NOW = Date.UTC(2026, 10, 15, 10)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const read = (output: string) =>
  providerTrouble(output, { now: NOW, offsetMs: (zone, at) => zoneOffsetMs(zone ?? 'Europe/Berlin', at) })
const at = (iso: string): number => Date.parse(iso)

describe('a limit whose reset is named', () => {
  test.each<[string, string, number]>([
    ['Claude Code, epoch seconds', 'Claude AI usage limit reached|1794744000', 1_794_744_000_000],
    ['epoch milliseconds', 'usage limit reached|1794744000123', 1_794_744_000_123],
    ['Claude Code, hour', "You've hit your limit · resets 3pm (Europe/Berlin)", at('2026-11-15T14:00:00Z')],
    ['hour that is over today', '5-hour limit reached ∙ resets 9am (UTC)', at('2026-11-16T09:00:00Z')],
    [
      'at, with minutes',
      'Usage limit reached, resets at 3:30pm (America/New_York)',
      at('2026-11-15T20:30:00Z'),
    ],
    ['a day', 'Weekly limit reached ∙ resets Nov 18, 5pm (UTC)', at('2026-11-18T17:00:00Z')],
    ['24 hours, no zone', 'Usage limit reached. Try again at 15:00', at('2026-11-15T14:00:00Z')],
    [
      'Codex',
      "■ You've hit your usage limit. Upgrade to Pro or try again in 2 hours 15 minutes.",
      NOW + 135 * MINUTE,
    ],
    [
      'Codex, days',
      "You've hit your usage limit. Try again in 3 days 4 hours 12 minutes.",
      NOW + 76 * HOUR + 12 * MINUTE,
    ],
    [
      'Codex, a date',
      "You've hit your usage limit. Try again at Nov 18th, 2026 3:05 PM.",
      at('2026-11-18T14:05:00Z'),
    ],
    ['Codex, JSON', '{"type":"usage_limit_reached","plan_type":"plus","resets_in_seconds":3600}', NOW + HOUR],
    [
      'Codex, JSON with a moment',
      '{"error":{"type":"usage_limit_reached","resets_at":1794744000}}',
      1_794_744_000_000,
    ],
    [
      'OpenAI API',
      'Rate limit reached for gpt-5 in organization org-x on tokens per min (TPM). Please try again in 1.2s.',
      NOW + 1200,
    ],
    ['short form', 'rate limited, try again in 2h 15m', NOW + 135 * MINUTE],
    ['Anthropic API', 'API Error: 429 rate_limit_error\nretry-after: 120', NOW + 120_000],
    ['a header before', 'Retry-After: 60\nHTTP 429 Too Many Requests', NOW + 60_000],
    [
      'an HTTP date',
      '429 Too Many Requests, Retry-After: Sun, 15 Nov 2026 14:00:00 GMT',
      at('2026-11-15T14:00:00Z'),
    ],
    [
      'Gemini',
      'You have exhausted your capacity on this model. Your quota will reset after 3h12m5s.',
      NOW + 3 * HOUR + 12 * MINUTE + 5000,
    ],
    ['Gemini API', '"status": "RESOURCE_EXHAUSTED", "retryDelay": "34.5s"', NOW + 34_500],
    [
      'OpenCode',
      'Error: Too Many Requests: quota exceeded, resets at 2026-11-15T12:30:00Z',
      at('2026-11-15T12:30:00Z'),
    ],
    [
      'offset',
      'rate limit exceeded, available again at 2026-11-15 13:30:00+02:00',
      at('2026-11-15T11:30:00Z'),
    ],
  ])('%s', (_name, output, until) => {
    expect(read(output)).toMatchObject({ kind: 'limited', until })
  })
})

describe('a limit or an outage without a known end', () => {
  test.each<[string, string]>([
    ['Claude Code', 'API Error: 429 {"type":"error","error":{"type":"rate_limit_error","message":"slow"}}'],
    ['Anthropic, overloaded', 'API Error: 529 {"type":"error","error":{"type":"overloaded_error"}}'],
    ['Anthropic, words', 'API Error (Overloaded) · Retrying in 5 seconds…\nOverloaded'],
    [
      'Claude Code, 500',
      'API Error: 500 {"type":"error","error":{"type":"api_error","message":"Internal server error"}}',
    ],
    ['Codex', 'ERROR: exceeded retry limit, last status: 429 Too Many Requests'],
    ['Codex, 503', 'unexpected status 503 Service Unavailable: chatgpt.com/backend-api/codex'],
    ['OpenCode', 'AI_APICallError: Too Many Requests'],
    [
      'Gemini',
      '[API Error: {"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}]',
    ],
    ['OpenAI, money', 'You exceeded your current quota, please check your plan and billing details.'],
    ['no name', 'API Error: getaddrinfo ENOTFOUND api.anthropic.com'],
    ['refused', 'fetch failed: connect ECONNREFUSED 160.79.104.10:443 (api.anthropic.com)'],
    ['no connection', 'API Error (Connection error.)'],
    ['a reset that is over', 'Claude AI usage limit reached|1763215200'],
    ['a reset too far off', "You've hit your usage limit. Try again in 9 days."],
    ['a zone that is none', 'usage limit reached, resets at 3pm (Mars/Olympus)'],
  ])('%s', (_name, output) => {
    expect(read(output)).toMatchObject({ kind: 'limited', until: null })
  })
})

describe('who is not let in does not get in by waiting', () => {
  test.each<[string, string]>([
    [
      'Anthropic',
      'API Error: 401 {"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}',
    ],
    ['Claude Code', 'Invalid API key · Please run /login'],
    ['Claude Code, token', 'OAuth token has expired. Please obtain a new token.'],
    ['Codex', 'unexpected status 401 Unauthorized: Missing bearer, url: https://api.openai.com/v1/responses'],
    ['OpenAI', 'Incorrect API key provided: sk-abc. You can find your API key at platform.openai.com.'],
    ['Gemini', 'API key not valid. Please pass a valid API key.'],
  ])('%s', (_name, output) => {
    expect(read(output)?.kind).toBe('sign_in')
  })
})

describe('what an agent prints of its work says nothing about its provider', () => {
  test.each<[string, string]>([
    ['nothing', ''],
    ['an assertion', 'AssertionError: expected 200 to equal 429'],
    ['a test by name', '✓ answers 429 Too Many Requests when the rate limit is exceeded'],
    ['a failing test', 'not ok 3 - rate limit exceeded gives 429'],
    ['a count', '429 files changed, 500 insertions(+)'],
    ['its own database', 'Error: connect ECONNREFUSED 127.0.0.1:5432'],
    ['its own server', 'request to http://localhost:3000/api failed: ECONNREFUSED'],
    ['a rule it wrote', 'I added a rate limiter to the login route.'],
    ['a stack', 'TypeError: x is undefined\n    at limit (src/rate-limit.ts:429:10)'],
    ['a change', '+ if (status === 429) throw new Error("rate limit exceeded")'],
    ['a failure of its own', 'npm error code ELIFECYCLE'],
  ])('%s', (_name, output) => {
    expect(read(output)).toBeNull()
  })

  test('only the end of the output counts', () => {
    const work = Array.from({ length: 20 }, (_, place) => `step ${place} done`).join('\n')
    expect(read(`API Error: 429 rate_limit_error\n${work}`)).toBeNull()
    expect(read(`${work}\nAPI Error: 429 rate_limit_error`)?.kind).toBe('limited')
  })
})

test('a day of the next year is one', () => {
  const now = Date.UTC(2026, 11, 31, 10)
  const found = providerTrouble('Weekly limit reached ∙ resets Jan 2, 5pm (UTC)', { now, offsetMs: () => 0 })
  expect(found).toMatchObject({ until: at('2027-01-02T17:00:00Z') })
})

test('what is quoted is short and obeyed by no terminal', () => {
  const found = read(`\u001b[31mAPI Error: 429 rate limit exceeded ${'x'.repeat(500)}\u001b[0m`)
  expect(found?.why.startsWith('API Error: 429')).toBe(true)
  expect(found?.why.length).toBeLessThan(210)
})
