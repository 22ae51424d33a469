import { describe, expect, test } from 'vitest'
import { fingerprint } from '../../../lib/system/fingerprint.ts'
import {
  MOST_AN_HOUR,
  MOST_WITH_NEWS,
  NOTHING_HEARD,
  unheard,
  weighCheckin,
  type Heard,
  type Weight,
} from './weigh-checkin.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const START = Date.UTC(2026, 0, 5, 9)

/** What each of these words weighs, one after the other. */
function weigh(words: readonly (readonly [number, string])[]) {
  let heard: Heard = NOTHING_HEARD
  const weights: Weight[] = []
  let floods = 0
  for (const [at, content] of words) {
    const weighed = weighCheckin(heard, { at: START + at, content: fingerprint(content) })
    heard = weighed.heard
    weights.push(weighed.weight)
    if (weighed.isFlood) floods += 1
  }
  return { weights, floods, heard }
}

describe('check-ins', () => {
  test('that say the same within a minute count once', () => {
    const { weights } = weigh([
      [0, 'a'],
      [59 * SECOND, 'a'],
      [59 * SECOND, 'b'],
      [60 * SECOND, 'a'],
    ])
    expect(weights).toEqual(['counts', 'duplicate', 'counts', 'counts'])
  })

  test('count twenty times an hour, and it is told once an hour that there are more', () => {
    const all = weigh(Array.from({ length: 10_000 }, (_, index) => [index, `${index}`] as const))
    expect(all.weights.filter((weight) => weight === 'counts')).toHaveLength(MOST_AN_HOUR)
    expect([all.floods, all.heard.times.length]).toEqual([1, MOST_AN_HOUR])
  })

  test('that are news count beyond that, and not without end', () => {
    let { heard } = weigh(Array.from({ length: 30 }, (_, index) => [index, `${index}`] as const))
    const news = Array.from({ length: 100 }, (_, index): Weight => {
      const weighed = weighCheckin(heard, { at: START + 100 + index, content: 100 + index, isNews: true })
      heard = weighed.heard
      return weighed.weight
    })
    expect(news.indexOf('too_many')).toBe(MOST_WITH_NEWS - MOST_AN_HOUR)
    expect(heard.times).toHaveLength(MOST_WITH_NEWS)
  })

  test('that go on for hours are told once in each', () => {
    const perSecond = Array.from({ length: 3 * 3600 }, (_, index) => [index * SECOND, `${index}`] as const)
    const { weights, floods } = weigh(perSecond)
    expect(floods).toBe(3)
    expect(weights.filter((weight) => weight === 'counts')).toHaveLength(3 * MOST_AN_HOUR)
  })

  test('every three minutes and a bit are never too many', () => {
    const { weights } = weigh(Array.from({ length: 100 }, (_, index) => [index * 181 * SECOND, `${index}`]))
    expect(new Set(weights)).toEqual(new Set(['counts']))
  })

  test('of an hour that is over are late, so that nobody has room for more in the past', () => {
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

  test('that could not be kept may be said again', () => {
    const word = { at: START, content: 7 }
    const { heard } = weighCheckin(NOTHING_HEARD, word)
    expect(weighCheckin(unheard(heard, word), { ...word }).weight).toBe('counts')
  })
})
