import { expect, test } from 'vitest'
import { estimateWords, roughTime } from './estimate-text.ts'

test('an estimate promises no more than is known', () => {
  const tasks = { least: 1, most: 1 }
  const minutes = (least: number, most: number) => ({ least: least * 60_000, most: most * 60_000 })
  const guess = { tasks, workers: tasks, time_ms: minutes(5, 10), tokens: null, basis: 'guess' } as const
  expect(estimateWords(guess)).toEqual({
    tasks: '1 task',
    time: '5 to 10 minutes',
    workers: null,
    tokens: null,
    basis: 'a guess by scope',
  })
  expect(roughTime(minutes(20, 90))).toBe('20 minutes to 1.5 hours')
  expect(roughTime(minutes(0, 0))).toBe('less than a minute')
})
