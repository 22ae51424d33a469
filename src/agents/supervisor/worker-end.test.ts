import { describe, expect, test } from 'vitest'
import { endingAfterRequest, workerEnd as endOf, type Ending } from './worker-end.ts'

const NOW = Date.UTC(2026, 10, 15, 10)
const seen = { now: NOW, offsetMs: () => 0, hasDoneAnything: () => true, signIn: 'Run login.' }
const workerEnd = (ending: Ending, output: string) => endOf(ending, { ...seen, output })

test('only exit code 0 is done', () => {
  expect(workerEnd({ kind: 'exited', code: 0 }, 'error: no')).toEqual({ kind: 'done' })
  expect(workerEnd({ kind: 'exited', code: 1 }, '')).toEqual({
    kind: 'failed',
    reason: 'it exited with code 1',
  })
  expect(workerEnd({ kind: 'signalled', signal: 'SIGKILL' }, '')).toEqual({
    kind: 'failed',
    reason: 'it was killed by SIGKILL',
  })
})

test('a failure quotes the last line with text, without control sequences', () => {
  const output = 'first\r\n\u001b[31mno key\u0007\u001b[0m\n  \n'
  expect(workerEnd({ kind: 'exited', code: 2 }, output)).toMatchObject({
    reason: 'it exited with code 2; last output: no key',
  })
  const long = workerEnd({ kind: 'exited', code: 2 }, 'x'.repeat(5000))
  expect(long.kind === 'failed' && long.reason.length).toBeLessThan(300)
})

test('the source of a stop request decides the recorded end', () => {
  expect(workerEnd({ kind: 'stop_wanted', cause: 'paused' }, '')).toEqual({
    kind: 'stopped',
    cause: 'paused',
  })
  expect(workerEnd({ kind: 'supervisor_ended', signal: 'SIGTERM' }, '').kind).toBe('interrupted')
  expect(workerEnd({ kind: 'not_started', why: 'no' }, '').kind).toBe('failed')
})

test.each(['spawn setpriv EAGAIN', 'spawn node ENOMEM', 'pipe EMFILE'])(
  'a worker that the system had no process for is interrupted, which uses up none of its restarts: %s',
  (why) => expect(workerEnd({ kind: 'not_started', why }, '').kind).toBe('interrupted'),
)

describe('a worker that was asked to stop', () => {
  const wish = { kind: 'stop_wanted', cause: 'stalled' } as const
  const well = { kind: 'exited', code: 0 } as const

  test('keeps its own end when it had already exited', () => {
    const alone = { wasAsked: false, hasReport: false }
    expect(endingAfterRequest(wish, { ...alone, own: well })).toBe(well)
    const badly = { kind: 'exited', code: 3 } as const
    expect(endingAfterRequest(wish, { ...alone, own: badly })).toBe(badly)
  })

  test('is done if it exits with 0 and leaves its report', () => {
    expect(endingAfterRequest(wish, { own: well, wasAsked: true, hasReport: true })).toBe(well)
    expect(endingAfterRequest(wish, { own: well, wasAsked: true, hasReport: false })).toBe(wish)
    const finished = { kind: 'stop_wanted', cause: 'finished' } as const
    expect(endingAfterRequest(finished, { own: well, wasAsked: true, hasReport: true })).toBe(finished)
  })

  test('is stopped if the request killed it or its exit is unknown', () => {
    const died = { kind: 'signalled', signal: 'SIGTERM' } as const
    expect(endingAfterRequest(wish, { own: died, wasAsked: true, hasReport: true })).toBe(wish)
    expect(endingAfterRequest(wish, { own: null, wasAsked: false, hasReport: true })).toBe(wish)
  })
})

describe('a worker that its provider refused', () => {
  const limit = 'API Error: 429 rate_limit_error, retry-after: 120'
  const badly = { kind: 'exited', code: 1 } as const
  const well = { kind: 'exited', code: 0 } as const

  test('is limited, with the reset time if its output names one', () => {
    expect(workerEnd(badly, limit)).toEqual({ kind: 'limited', until: NOW + 120_000, why: limit })
    expect(workerEnd(badly, 'API Error: 529 overloaded_error')).toMatchObject({
      kind: 'limited',
      until: null,
    })
  })

  test('succeeds with exit code 0 only if it changed something', () => {
    const idle = { ...seen, output: limit, hasDoneAnything: () => false }
    expect(endOf(well, idle)).toMatchObject({ kind: 'limited' })
    expect(workerEnd(well, limit)).toEqual({ kind: 'done' })
    expect(endOf(well, { ...idle, output: 'all is as it should be' })).toEqual({ kind: 'done' })
  })

  test('ends as signed out, with the fix, when it has to sign in', () => {
    const end = workerEnd(badly, 'Invalid API key · Please run /login')
    expect(end).toMatchObject({ kind: 'limited', until: null, signIn: seen.signIn })
  })

  test('keeps a kill or a stop as its end', () => {
    expect(workerEnd({ kind: 'signalled', signal: 'SIGKILL' }, limit).kind).toBe('failed')
    expect(workerEnd({ kind: 'stop_wanted', cause: 'stalled' }, limit).kind).toBe('stopped')
  })
})
