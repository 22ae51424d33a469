import { describe, expect, test } from 'vitest'
import { fingerprint } from '../../../lib/system/fingerprint.ts'
import {
  MOST_AN_HOUR,
  MOST_WITH_NEWS,
  NO_CHECKINS,
  withoutCheckin,
  weighCheckin,
  type RecentCheckins,
  type Weight,
} from './weigh-checkin.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const START = Date.UTC(2026, 0, 5, 9)

/** Weighs check-ins one after the other. */
function weigh(checkins: readonly (readonly [number, string])[]) {
  let recent: RecentCheckins = NO_CHECKINS
  const weights: Weight[] = []
  let floods = 0
  for (const [at, content] of checkins) {
    const weighed = weighCheckin(recent, { at: START + at, content: fingerprint(content) })
    recent = weighed.recent
    weights.push(weighed.weight)
    if (weighed.isFlood) floods += 1
  }
  return { weights, floods, recent }
}

describe('check-ins', () => {
  test('with the same content within a minute count once', () => {
    const { weights } = weigh([
      [0, 'a'],
      [59 * SECOND, 'a'],
      [59 * SECOND, 'b'],
      [60 * SECOND, 'a'],
    ])
    expect(weights).toEqual(['counts', 'duplicate', 'counts', 'counts'])
  })

  test('count twenty times an hour, and a flood is reported once an hour', () => {
    const all = weigh(Array.from({ length: 10_000 }, (_, index) => [index, `${index}`] as const))
    expect(all.weights.filter((weight) => weight === 'counts')).toHaveLength(MOST_AN_HOUR)
    expect([all.floods, all.recent.times.length]).toEqual([1, MOST_AN_HOUR])
  })

  test('with news count beyond that, up to a limit', () => {
    let { recent } = weigh(Array.from({ length: 30 }, (_, index) => [index, `${index}`] as const))
    const news = Array.from({ length: 100 }, (_, index): Weight => {
      const weighed = weighCheckin(recent, { at: START + 100 + index, content: 100 + index, isNews: true })
      recent = weighed.recent
      return weighed.weight
    })
    expect(news.indexOf('too_many')).toBe(MOST_WITH_NEWS - MOST_AN_HOUR)
    expect(recent.times).toHaveLength(MOST_WITH_NEWS)
  })

  test('that flood for hours are reported once an hour', () => {
    const perSecond = Array.from({ length: 3 * 3600 }, (_, index) => [index * SECOND, `${index}`] as const)
    const { weights, floods } = weigh(perSecond)
    expect(floods).toBe(3)
    expect(weights.filter((weight) => weight === 'counts')).toHaveLength(3 * MOST_AN_HOUR)
  })

  test('every three minutes and a bit are never too many', () => {
    const { weights } = weigh(Array.from({ length: 100 }, (_, index) => [index * 181 * SECOND, `${index}`]))
    expect(new Set(weights)).toEqual(new Set(['counts']))
  })

  test('an hour older than the newest are late, so backdating gives no room for more', () => {
    const old = Array.from({ length: 100 }, (_, index) => [-index * MINUTE, `old ${index}`] as const)
    const { weights } = weigh([[0, 'new'], ...old])
    expect(weights.filter((weight) => weight === 'counts')).toHaveLength(MOST_AN_HOUR)
    expect(
      weigh([
        [2 * HOUR, 'new'],
        [HOUR, 'old'],
      ]).weights,
    ).toEqual(['counts', 'late'])
  })

  test('that could not be stored may be sent again', () => {
    const digest = { at: START, content: 7 }
    const { recent } = weighCheckin(NO_CHECKINS, digest)
    expect(weighCheckin(withoutCheckin(recent, digest), { ...digest }).weight).toBe('counts')
  })
})
