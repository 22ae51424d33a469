import { expect, test } from 'vitest'
import type { PmStatus } from '../../../../src/protocol/interview.ts'
import { onArrival, situationOf, takesMessages } from './situation.ts'

const status = (given: Partial<PmStatus>): PmStatus => ({
  session_id: '1.1',
  state: 'AWAIT_USER',
  suspended_from: null,
  open_question: null,
  spec_sha: null,
  expertise: null,
  messages: 1,
  spent_usd: 0,
  why: null,
  parked_until: null,
  recoverable: null,
  kept: [],
  plan: null,
  damaged: null,
  ...given,
})
const kind = (given: Partial<PmStatus>, wasSubmitted = false) =>
  situationOf(status(given), '1.1', wasSubmitted).kind

test('every state of the interview is a situation that the page explains', () => {
  expect(kind({})).toBe('asks')
  expect(kind({ state: 'WORKING' })).toBe('thinks')
  expect(kind({ state: 'PREVIEW' })).toBe('preview')
  expect(kind({ state: 'AWAIT_ARCHITECT' })).toBe('architect')
  expect(kind({ state: 'SUSPEND', why: 'timed out' })).toBe('suspended')
  expect(kind({ state: 'WORKING', parked_until: '2026-11-16T10:00:00.000Z' })).toBe('parked')
  expect(kind({ state: 'DONE' })).toBe('stopped')
  expect(kind({ session_id: '1.2' })).toBe('other')
  expect(kind({ session_id: null, state: 'WAITING' })).toBe('none')
  expect(kind({ session_id: null, state: 'WAITING', plan: 'cart' }, true)).toBe('approved')
})

test('an interview that ended with an error can be continued, also where an earlier one became a plan', () => {
  const kept = {
    session_id: '1.1',
    title: 'A cart',
    state: 'WORKING',
    why: 'the model did not answer',
    since: '2026-11-16T10:00:00.000Z',
    messages: 3,
    spec_sha: null,
  } as const
  expect(kind({ session_id: null, state: 'WAITING', kept: [kept], plan: 'cart' })).toBe('failed')
  const newer = { ...kept, session_id: '1.2' }
  expect(kind({ session_id: null, state: 'WAITING', kept: [newer, kept] })).toBe('failed')
})

test('a message can be sent while the PM works or is suspended, and not while a draft waits for a decision', () => {
  expect(takesMessages({ kind: 'thinks' })).toBe(true)
  expect(takesMessages({ kind: 'suspended', why: '', from: null })).toBe(true)
  expect(takesMessages({ kind: 'preview' })).toBe(false)
})

test('a preview opens by itself once, and never away from something half typed', () => {
  const facts = { before: 'thinks', now: 'preview', tab: 'chat', isHalfTyped: false } as const
  expect(onArrival(facts)).toBe('open')
  expect(onArrival({ ...facts, before: null })).toBe('open')
  expect(onArrival({ ...facts, isHalfTyped: true })).toBe('notice')
  expect(onArrival({ ...facts, before: 'preview' })).toBeNull()
  expect(onArrival({ ...facts, tab: 'preview' })).toBeNull()
})
