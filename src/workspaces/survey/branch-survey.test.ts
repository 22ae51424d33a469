import { expect, test } from 'vitest'
import { aheadOf, readGraphLine } from './branch-survey.ts'

const graph = new Map([
  ['merge', ['b', 'side']],
  ['b', ['a']],
  ['side', ['a']],
  ['a', ['base']],
  ['orphan', ['root']],
  ['root', []],
])

test('a branch is ahead by what it has and the start commit has not, each commit once', () => {
  expect(aheadOf(graph, 'b', true)).toEqual({ commits: ['b', 'a'], isRelated: true })
  expect(aheadOf(graph, 'merge', true).commits.toSorted()).toEqual(['a', 'b', 'merge', 'side'])
})

test('a branch that the start commit has is not ahead', () => {
  expect(aheadOf(graph, 'base', true).commits).toEqual([])
})

test('a history of its own goes on from nothing, unless what it goes on from may be cut off', () => {
  expect(aheadOf(graph, 'orphan', true).isRelated).toBe(false)
  expect(aheadOf(graph, 'orphan', false).isRelated).toBe(true)
})

test('a line of git is read with its parents, its time and its subject', () => {
  const common = { sha: 'aa', atMs: 12_000 }
  expect(readGraphLine('12 aa bb cc\tA b')).toEqual({ ...common, parents: ['bb', 'cc'], subject: 'A b' })
  expect(readGraphLine('12 aa \t')).toEqual({ ...common, parents: [], subject: '' })
  expect(readGraphLine('')).toBeNull()
})
