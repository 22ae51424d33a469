import { expect, test } from 'vitest'
import { closest } from './closest.ts'

const keys = ['max_parallel_agents', 'retry_budget', 'checkpoint_tags', 'loop', 'late', 'mode']

test.each([
  ['max_paralel_agents', 'max_parallel_agents'],
  ['retry_bugdet', 'retry_budget'],
  ['checkpoints_tag', 'checkpoint_tags'],
  ['lop', 'loop'],
  ['mdoe', 'mode'],
])('%s means %s', (typed, meant) => {
  expect(closest(typed, keys)).toBe(meant)
})

test('suggests nothing when nothing is near', () => {
  expect(closest('colour', keys)).toBeNull()
  expect(closest('x', keys)).toBeNull()
  expect(closest('anything', [])).toBeNull()
})

test('prefers the nearer of two', () => {
  expect(closest('modes', ['moves', 'mode', 'nodes'])).toBe('moves')
  expect(closest('mod', ['moves', 'mode'])).toBe('mode')
})

test('takes no notice of candidates of a very different length', () => {
  expect(closest('a'.repeat(100_000), keys)).toBeNull()
})
