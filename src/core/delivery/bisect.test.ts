import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MOST_PROBES, nextProbe, type BisectStep, type Sighting } from './bisect.ts'

/** Plays a whole search on a line of points, and counts its looks. */
function search(line: readonly Sighting[]): { readonly end: BisectStep; readonly looks: number } {
  const seen = new Map<number, Sighting>()
  for (;;) {
    const step = nextProbe(line.length - 1, seen)
    if (step.kind !== 'probe') return { end: step, looks: seen.size }
    if (seen.has(step.at)) throw new Error(`looked at ${step.at} twice`)
    seen.set(step.at, line[step.at] ?? 'unknown')
  }
}

const LETTERS: Readonly<Record<string, Sighting>> = { g: 'good', o: 'off', b: 'broken' }
const line = (text: string): Sighting[] => text.split('').map((letter) => LETTERS[letter] ?? 'unknown')

describe('the commit that made a test fail', () => {
  test.each([
    ['ggggo', { kind: 'found', first: 4 }],
    ['goooo', { kind: 'found', first: 1 }],
    ['bbggoo', { kind: 'found', first: 4 }],
    ['bbggbb', { kind: 'found', first: 4 }],
    ['bgb', { kind: 'found', first: 2 }],
    ['go', { kind: 'found', first: 1 }],
  ])('%s is found', (text, end) => {
    expect(search(line(text)).end).toEqual(end)
  })

  test('a test that passes on a second look has no culprit', () => {
    expect(search(line('gggg')).end).toEqual({ kind: 'passes_now' })
  })

  test('a test that cannot be run where it failed gives no result', () => {
    expect(search(line('gggu')).end).toEqual({ kind: 'cannot_tell' })
  })

  test('a test that passed nowhere is reported with the first point where a value was out of tolerance', () => {
    expect(search(line('bbbooo')).end).toEqual({ kind: 'never_good', first: 3 })
    expect(search(line('bbbb')).end).toEqual({ kind: 'never_good', first: null })
    expect(search(line('oooo')).end).toEqual({ kind: 'never_good', first: 0 })
  })

  test('a value that was off before it was right is still found', () => {
    expect(search(line('boogoo')).end).toEqual({ kind: 'found', first: 4 })
  })

  test('points that cannot be run are skipped; if that does not help, the range is reported', () => {
    expect(search(line('gguoo')).end).toEqual({ kind: 'between', after: 1, first: 3 })
    expect(search(line('gugoo')).end).toEqual({ kind: 'found', first: 3 })
  })

  test('a plan without commits has nothing to search', () => {
    expect(search(line('b')).end).toEqual({ kind: 'never_good', first: null })
  })
})

const monotone = fc
  .record({ before: fc.nat(40), good: fc.integer({ min: 1, max: 40 }), off: fc.integer({ min: 1, max: 40 }) })
  .map(({ before, good, off }) => [
    ...Array.from({ length: before }, (): Sighting => 'broken'),
    ...Array.from({ length: good }, (): Sighting => 'good'),
    ...Array.from({ length: off }, (): Sighting => 'off'),
  ])

test('a test that passed once and went off once is located with few probes', () => {
  fc.assert(
    fc.property(monotone, (points) => {
      const { end, looks } = search(points)
      expect(end).toEqual({ kind: 'found', first: points.indexOf('off') })
      expect(looks).toBeLessThanOrEqual(Math.ceil(Math.log2(points.length)) * 2 + 2)
    }),
  )
})

test('a search always ends within its limit of probes', () => {
  const points = fc.array(fc.constantFrom<Sighting>('good', 'off', 'broken', 'unknown'), {
    minLength: 1,
    maxLength: 60,
  })
  fc.assert(
    fc.property(points, (some) => {
      const { end, looks } = search(some)
      expect(looks).toBeLessThanOrEqual(MOST_PROBES)
      if (end.kind !== 'found') return
      expect(some[end.first - 1]).toBe('good')
      expect(['off', 'broken']).toContain(some[end.first])
    }),
  )
})
