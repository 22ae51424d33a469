import { expect, test } from 'vitest'
import { keyLines } from './key-lines.ts'

test('what tells of a failure is quoted, and how it ended', () => {
  const talk = Array.from({ length: 1000 }, (_, n) => `step ${n}`)
  const text = [...talk, 'TypeError: x is undefined', ...talk, 'done', 'exit 1', ''].join('\n')
  expect(keyLines(text)).toEqual([
    'TypeError: x is undefined',
    'step 997',
    'step 998',
    'step 999',
    'done',
    'exit 1',
  ])
})

test('it is never more than twenty lines, none of them endless', () => {
  const lines = keyLines(`error ${'x'.repeat(5_000)}\n`.repeat(5_000))
  expect(lines.length).toBe(20)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(250)
})
