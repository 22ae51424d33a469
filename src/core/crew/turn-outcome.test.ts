import { describe, expect, test } from 'vitest'
import { turnOutcome, typedError, type TurnEnd, type TurnFacts } from './turn-outcome.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const END_TURN: TurnEnd = { kind: 'stopped', reason: 'end_turn' }

const outcome = (facts: Partial<TurnFacts>) =>
  turnOutcome({
    end: END_TURN,
    tokens: 1200,
    reportsUsage: true,
    error: null,
    text: 'Done.',
    hasDoneAnything: () => true,
    now: NOW,
    offsetMs: () => 0,
    ...facts,
  })

const nothing = { hasDoneAnything: () => false }
const error = (code: number, message: string, data?: unknown): Partial<TurnFacts> => ({
  end: { kind: 'error', code, message },
  tokens: null,
  error: typedError(data),
  ...nothing,
})

describe('an end of the turn', () => {
  test('with tokens and work is finished', () => {
    expect(outcome({})).toEqual({ kind: 'finished' })
  })

  test('with work is finished where the agent never reports tokens', () => {
    expect(outcome({ tokens: null, reportsUsage: false })).toEqual({ kind: 'finished' })
  })

  test('with work is finished, whatever the agent prints', () => {
    expect(outcome({ text: 'I mapped error 429 to "rate limit exceeded".' })).toEqual({ kind: 'finished' })
  })

  test('with tokens and without work has done nothing', () => {
    expect(outcome(nothing)).toEqual({ kind: 'nothing_done' })
    expect(outcome({ ...nothing, tokens: null, reportsUsage: false })).toEqual({ kind: 'nothing_done' })
  })

  test('without tokens and without work is trouble with the provider', () => {
    expect(outcome({ ...nothing, tokens: 0 })).toMatchObject({ kind: 'limited', until: null })
    expect(outcome({ ...nothing, tokens: null })).toMatchObject({ kind: 'limited', until: null })
  })

  test('of a turn that its agent cancelled or refused has failed', () => {
    expect(outcome({ end: { kind: 'stopped', reason: 'refusal' } }).kind).toBe('failed')
    expect(outcome({ end: { kind: 'stopped', reason: 'cancelled' } }).kind).toBe('failed')
  })

  test('at a limit of the agent is finished with work and failed without', () => {
    const end = { kind: 'stopped', reason: 'max_tokens' } as const
    expect([outcome({ end }).kind, outcome({ end, ...nothing }).kind]).toEqual(['finished', 'failed'])
  })

  test('of an unknown reason is judged like any other', () => {
    expect(outcome({ end: { kind: 'stopped', reason: 'new_reason' } }).kind).toBe('finished')
  })
})

describe('what agents answer when their provider fails', () => {
  test('Claude, limited: a typed error with the reset time in its text', () => {
    const facts = error(-32_603, 'Internal error: rate limited, retry after 7200 s', {
      errorKind: 'rate_limit',
    })
    expect(outcome(facts)).toEqual({
      kind: 'limited',
      until: NOW + 7_200_000,
      why: 'rate_limit: Internal error: rate limited, retry after 7200 s',
    })
  })

  test('Claude, overloaded', () => {
    expect(outcome(error(-32_603, 'Internal error', { errorKind: 'server_error' })).kind).toBe('limited')
  })

  test('Claude, Codex and goose, not signed in', () => {
    expect(outcome(error(-32_000, 'Authentication required')).kind).toBe('sign_in')
  })

  test('Codex, limited: end_turn without usage, and the error beside it', () => {
    const meta = { _meta: { codex: { error: { message: 'limit', codexErrorInfo: 'usageLimitExceeded' } } } }
    const facts = { tokens: null, text: '', error: typedError(meta) }
    expect(outcome(facts)).toMatchObject({ kind: 'limited', why: 'usageLimitExceeded: limit' })
  })

  test('Codex, cut off: the error names what failed as a key', () => {
    const found = typedError({ codexErrorInfo: { responseStreamDisconnected: { httpStatusCode: null } } })
    expect(found).toMatchObject({ kind: 'limited' })
  })

  test('OpenCode: a status code in the data', () => {
    const facts = error(-32_603, 'Internal error', {
      name: 'APIError',
      data: { statusCode: 401, message: 'no' },
    })
    expect(outcome(facts)).toMatchObject({ kind: 'sign_in', why: 'status 401: no' })
  })

  test('Gemini: the error itself has the status', () => {
    expect(outcome(error(401, '401 Unauthorized from the Gemini API')).kind).toBe('sign_in')
  })

  test('goose, limited: end_turn, no tokens, the error as text', () => {
    const text = 'Request failed: Rate limit exceeded: 429 Too Many Requests'
    expect(outcome({ ...nothing, tokens: 0, text }).kind).toBe('limited')
  })

  test('pi, not signed in: end_turn, never any tokens, the error as text', () => {
    const text = 'Retrying…\nError: 401 invalid x-api-key (provider anthropic)'
    expect(outcome({ ...nothing, tokens: null, reportsUsage: false, text }).kind).toBe('sign_in')
  })

  test('OpenCode and goose, limited for hours: no update at all', () => {
    expect(outcome({ end: { kind: 'idle', forMs: 900_000 }, tokens: null })).toEqual({
      kind: 'limited',
      until: null,
      why: 'no update from its model for 15m',
    })
  })

  test("another error than the provider's has failed, with the reason", () => {
    expect(outcome(error(-32_603, 'Internal error: cannot read session'))).toEqual({
      kind: 'failed',
      why: 'it failed: Internal error: cannot read session',
    })
  })
})

test('typed errors are found to a bounded depth, and only in errors', () => {
  let deep: unknown = { errorKind: 'rate_limit' }
  for (let level = 0; level < 8; level++) deep = { inner: deep }
  expect([
    typedError(deep),
    typedError(null),
    typedError('rate_limit'),
    typedError({ type: 'text' }),
  ]).toEqual([null, null, null, null])
})
