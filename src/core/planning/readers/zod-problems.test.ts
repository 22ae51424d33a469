import { expect, test } from 'vitest'
import { nearest } from './zod-problems.ts'

test('the key that was meant is at most two changes away', () => {
  const keys = ['title', 'tier', 'tasks', 'depends_on']
  expect(['titel', 'TITLE', 'depend_on', 'taks', 'colour', 'x'].map((word) => nearest(word, keys))).toEqual([
    'title',
    'title',
    'depends_on',
    'tasks',
    null,
    null,
  ])
})
