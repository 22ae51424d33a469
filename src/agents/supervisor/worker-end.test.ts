import { describe, expect, test } from 'vitest'
import { endingAfterWish, workerEnd } from './worker-end.ts'

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

test('a failure quotes the last line that says something, without what a terminal would obey', () => {
  const output = 'first\r\n\u001b[31mno key\u0007\u001b[0m\n  \n'
  expect(workerEnd({ kind: 'exited', code: 2 }, output)).toMatchObject({
    reason: 'it exited with code 2; its last words: [31mno key[0m',
  })
  const long = workerEnd({ kind: 'exited', code: 2 }, 'x'.repeat(5000))
  expect(long.kind === 'failed' && long.reason.length).toBeLessThan(300)
})

test('who wanted it to end decides how that is told', () => {
  expect(workerEnd({ kind: 'stop_wanted', cause: 'paused' }, '')).toEqual({
    kind: 'stopped',
    cause: 'paused',
  })
  expect(workerEnd({ kind: 'supervisor_ended', signal: 'SIGTERM' }, '').kind).toBe('interrupted')
  expect(workerEnd({ kind: 'not_started', why: 'no' }, '').kind).toBe('failed')
})

describe('of a worker that somebody wanted to end', () => {
  const wish = { kind: 'stop_wanted', cause: 'stalled' } as const
  const well = { kind: 'exited', code: 0 } as const

  test('its own end counts when nothing was left to be asked, whatever it was', () => {
    const alone = { wasAsked: false, hasReport: false }
    expect(endingAfterWish(wish, { ...alone, exit: well })).toBe(well)
    const badly = { kind: 'exited', code: 3 } as const
    expect(endingAfterWish(wish, { ...alone, exit: badly })).toBe(badly)
  })

  test('it was done if it exited well when asked, and left its report', () => {
    expect(endingAfterWish(wish, { exit: well, wasAsked: true, hasReport: true })).toBe(well)
    expect(endingAfterWish(wish, { exit: well, wasAsked: true, hasReport: false })).toBe(wish)
    const finished = { kind: 'stop_wanted', cause: 'finished' } as const
    expect(endingAfterWish(finished, { exit: well, wasAsked: true, hasReport: true })).toBe(finished)
  })

  test('it was stopped if it died of being asked, or nobody knows how it ended', () => {
    const died = { kind: 'signalled', signal: 'SIGTERM' } as const
    expect(endingAfterWish(wish, { exit: died, wasAsked: true, hasReport: true })).toBe(wish)
    expect(endingAfterWish(wish, { exit: null, wasAsked: false, hasReport: true })).toBe(wish)
  })
})
