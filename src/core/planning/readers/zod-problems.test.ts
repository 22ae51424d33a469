import { expect, test } from 'vitest'
import { nearest } from './zod-problems.ts'

test('a suggested key is within two edits', () => {
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
