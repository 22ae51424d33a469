import { expect, test } from 'vitest'
import type { PackedTree } from '../core/languages/packed-tree.ts'
import { PackedTrees } from './packed-trees.ts'

const tree = (bytes: number): PackedTree => ({ kinds: [], fields: [], nodes: new Int32Array(bytes / 4) })

test('trees are kept as long as they fit, and those that were asked for last stay', () => {
  const trees = new PackedTrees(100)
  trees.keep('a', tree(40))
  trees.keep('b', tree(40))
  trees.get('a')
  trees.keep('c', tree(40))
  expect(['a', 'b', 'c'].map((name) => trees.get(name) !== undefined)).toEqual([true, false, true])
})

test('a tree that replaces another of its name counts once', () => {
  const trees = new PackedTrees(100)
  for (let times = 0; times < 10; times++) trees.keep('a', tree(40))
  trees.keep('b', tree(40))
  expect(trees.get('a')).toBeDefined()
})

test('a tree that is too large for all of them is not kept', () => {
  const trees = new PackedTrees(100)
  trees.keep('a', tree(400))
  expect(trees.get('a')).toBeUndefined()
})
