import { expect, test } from 'vitest'
import { TokenEstimate } from './token-estimate.ts'

const turn = (): TokenEstimate => {
  const estimate = new TokenEstimate()
  estimate.beginTurn()
  estimate.reads(4000)
  estimate.writes(40)
  return estimate
}

test('an answer costs its prompt and itself, at four characters a token', () => {
  expect(turn().tokens).toEqual({ in: 1000, out: 10 })
})

test('pieces of one answer are one step', () => {
  const estimate = turn()
  estimate.writes(40)
  expect([estimate.tokens, estimate.steps]).toEqual([{ in: 1000, out: 20 }, 1])
})

test('after a tool the model reads everything again', () => {
  const estimate = turn()
  estimate.reads(400)
  estimate.writes(4)
  expect([estimate.tokens, estimate.steps]).toEqual([{ in: 1000 + 1110, out: 11 }, 2])
})

test('a further turn reads what the turns before it left, and counts for itself', () => {
  const estimate = turn()
  estimate.beginTurn()
  expect(estimate.tokens).toEqual({ in: 0, out: 0 })
  estimate.reads(40)
  estimate.writes(4)
  expect(estimate.tokens).toEqual({ in: 1020, out: 1 })
})

test('what the agent reports of its context counts for every step of the turn', () => {
  const estimate = turn()
  estimate.reads(400)
  estimate.writes(4)
  // 5,000 tokens of instructions beside the 1,111 of texts.
  estimate.contextIs(6111)
  expect(estimate.tokens).toEqual({ in: 2110 + 2 * 5000, out: 11 })
})
