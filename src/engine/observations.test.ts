import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE, START } from '../../test/helpers/plan-builder.ts'
import type { ClaimUpdate, Signs } from '../core/watch/observed.ts'
import { Observations } from './observations.ts'

const claimAt = (at: number, percent = 40): ClaimUpdate => ({
  at,
  status: 'in_progress',
  percent,
  step: null,
  nextStep: null,
  timeRemaining: null,
  issues: [],
  failure: null,
})

function observed(): Observations {
  const observations = new Observations(START, 5 * MINUTE)
  observations.note({ kind: 'sign', worker: 'w', of: ['cpu'] }, START + MINUTE)
  observations.toolStarted('w', { id: 'b', name: 'build', at: START + 2 * MINUTE })
  observations.claim('w', claimAt(START + 3 * MINUTE))
  return observations
}

const signs = (observations: Observations): Signs | undefined => observations.now.workers.get('w')

describe.each([-3 * HOUR, 5 * HOUR])('a jump of the clock by %d ms', (byMs) => {
  const now = START + 4 * MINUTE + byMs

  test('moves observations, running tool calls and claims along', () => {
    const observations = observed()
    observations.rearm(now, byMs)
    expect(observations.now.since).toBe(now)
    expect(signs(observations)).toMatchObject({
      seen: { cpu: START + MINUTE + byMs },
      claim: { at: START + 3 * MINUTE + byMs, percentSince: START + 3 * MINUTE + byMs },
    })
    expect(signs(observations)?.tools.get('b')?.since).toBe(START + 2 * MINUTE + byMs)
  })
})

test('a pause of the PM keeps earlier observations', () => {
  const observations = observed()
  observations.rearm(START + HOUR)
  expect(observations.now.since).toBe(START + HOUR)
  expect(signs(observations)?.seen).toEqual({ cpu: START + MINUTE })
})

describe('a worker whose supervisor was paused', () => {
  test('keeps the age of its tool calls and claims', () => {
    const observations = observed()
    observations.claim('w', claimAt(START + 4 * MINUTE))
    const isNews = observations.note({ kind: 'paused', worker: 'w', totalMs: HOUR }, START + 2 * HOUR)
    expect(isNews).toBe(true)
    const known = signs(observations)
    expect(known?.tools.get('b')?.since).toBe(START + 2 * MINUTE + HOUR)
    expect(known?.claim).toMatchObject({ at: START + 4 * MINUTE, percentSince: START + 4 * MINUTE })
    expect(known).toMatchObject({ pausedMs: HOUR, resumedAt: START + 2 * HOUR })
  })

  test('was paused once, however often that is reported', () => {
    const observations = observed()
    const paused = { kind: 'paused', worker: 'w', totalMs: HOUR } as const
    observations.note(paused, START + 2 * HOUR)
    observations.note(paused, START + 3 * HOUR)
    expect(signs(observations)).toMatchObject({ pausedMs: HOUR, resumedAt: START + 2 * HOUR })
  })
})

test('many pauses of the PM all count, and few are stored', () => {
  const observations = new Observations(START, 5 * MINUTE)
  for (let nth = 1; nth <= 200; nth++) observations.paused(START + nth * HOUR, MINUTE)
  const { pauses = [] } = observations.now
  expect(pauses.length).toBe(50)
  expect(pauses.reduce((sum, { forMs }) => sum + forMs, 0)).toBe(200 * MINUTE)
})

test('only a sign of life after a silence triggers a turn', () => {
  const observations = observed()
  const sign = { kind: 'sign', worker: 'w' } as const
  expect(observations.note(sign, START + 7 * MINUTE)).toBe(false)
  expect(observations.note(sign, START + 12 * MINUTE)).toBe(true)
  expect(observations.note(sign, START + 13 * MINUTE)).toBe(false)
})

test('a claim from before the clock went back is not in the future', () => {
  const observations = new Observations(START, 5 * MINUTE)
  const later = START + HOUR
  const claim = { ...claimAt(later), statusSince: later, percentSince: later, count: 1 }
  observations.recall('w', claim, START)
  expect(signs(observations)?.claim).toMatchObject({ at: START, statusSince: START, percentSince: START })
})
