import { expect, test } from 'vitest'
import { estimateWords, forecastText, roughTime } from './format-forecast.ts'

test('an estimate promises no more than is known', () => {
  const one = { least: 1, most: 1 }
  const minutes = (least: number, most: number) => ({ least: least * 60_000, most: most * 60_000 })
  const guess = { tasks: one, workers: one, time_ms: minutes(5, 10), tokens: null, basis: 'guess' } as const
  expect(estimateWords(guess)).toEqual({ known: ['1 task', '5 to 10 minutes'], basis: 'a guess by scope' })
  const tokens = { least: 30_400, most: 1_300_000 }
  expect(estimateWords({ ...guess, workers: { least: 1, most: 5 }, tokens, basis: 'history' })).toEqual({
    known: ['1 task', '5 to 10 minutes', '1 to 5 agents', '30k to 1.3M tokens'],
    basis: 'from what your agents took so far',
  })
})

test.each([
  [0, 0, 'less than a minute'],
  [1, 4, 'less than a minute'],
  [20, 200, 'up to 3 minutes'],
  [60, 61, 'about 1 minute'],
  [300, 720, '5 to 10 minutes'],
  [1200, 4800, '20 to 80 minutes'],
  [1200, 5400, '20 minutes to 1.5 hours'],
  [5400, 21_600, '1.5 to 6 hours'],
  [2400, 9600, '40 minutes to 2.5 hours'],
])('%d to %d seconds are %s', (least, most, words) => {
  expect(roughTime({ least: least * 1000, most: most * 1000 })).toBe(words)
})

const about = { branch: 'main', behind: 2, conflicts: [] as readonly string[] }

test('an unmoved base branch has no forecast line', () => {
  expect(forecastText({ ...about, kind: 'unmoved', behind: 0 }, 5)).toBeNull()
  expect(forecastText({ ...about, kind: 'clean', behind: 0 }, 5)).toBeNull()
})

test('a moved base branch is shown with the outcome of a merge', () => {
  expect(forecastText({ ...about, kind: 'clean' }, 5)).toBe(
    'main has moved by 2 commits; a merge would be clean',
  )
  const conflicts = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  expect(forecastText({ ...about, kind: 'conflicts', behind: 1, conflicts }, 5)).toBe(
    'main has moved by 1 commit; a merge would conflict in a, b, c, d, e and 2 more',
  )
  expect(forecastText({ ...about, kind: 'base_gone' }, 5)).toBe('its base branch main no longer exists')
})
