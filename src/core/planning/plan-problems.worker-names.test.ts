import { describe, expect, test } from 'vitest'
import { mayClash, workerNameClash } from './plan-problems.ts'

const plan = (id: string, ...tasks: readonly string[]) => ({ plan: id, tasks })

describe('workers of two plans', () => {
  test('collide where the dashes of their ids line up', () =>
    expect(workerNameClash(plan('a-7', '2', '1'), plan('a', '7-1', '8'))).toEqual({
      worker: 'w-a-7-1-1',
      mine: '1',
      theirs: '7-1',
    }))

  test('collide where a task is named like a reviewer of the other, in either order', () => {
    const [short, long] = [plan('a', '7'), plan('a-7', '1-review')]
    const worker = 'w-a-7-1-review-1'
    expect(workerNameClash(long, short)).toEqual({ worker, mine: '1-review', theirs: '7' })
    expect(workerNameClash(short, long)).toEqual({ worker, mine: '7', theirs: '1-review' })
  })

  test('have different names otherwise', () =>
    expect(workerNameClash(plan('shop-v2', '1', '2'), plan('shop', '1', '2', 'v2'))).toBeNull())

  test('collide only where one plan id is a prefix of the other', () =>
    expect([mayClash('a', 'a-7'), mayClash('a-7', 'a'), mayClash('a', 'a7'), mayClash('a', 'b')]).toEqual([
      true,
      true,
      false,
      false,
    ]))
})

describe('workers of one plan', () => {
  test('collide where a task is named like the reviewer of another', () => {
    const own = plan('a', '7', '7-1-review')
    expect(workerNameClash(own, own)).toEqual({
      worker: 'w-a-7-1-review-1',
      mine: '7-1-review',
      theirs: '7',
    })
  })

  test('have different names otherwise', () => {
    const own = plan('a', '7', '7-1', '7-review')
    expect(workerNameClash(own, own)).toBeNull()
  })
})
