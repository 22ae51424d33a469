import { expect, test } from 'vitest'
import { promptResponseSchema } from './updates.ts'
import { UsageMeter } from './usage-meter.ts'

const response = (fields: object) => promptResponseSchema.parse({ stopReason: 'end_turn', ...fields })

test('the tokens of turns add up, with those from a cache', () => {
  const meter = new UsageMeter('sum')
  const usage = { inputTokens: 100, outputTokens: 20, cachedReadTokens: 50, totalTokens: 170 }
  expect([meter.turn(response({ usage })), meter.turn(response({ usage }))]).toEqual([170, 170])
  expect(meter.total).toMatchObject({ tokensIn: 300, tokensOut: 40, tokensCached: 100, of: 'turns' })
})

test('cached tokens are not counted twice where the input has them already', () => {
  const meter = new UsageMeter('sum')
  meter.turn(
    response({ usage: { inputTokens: 100, outputTokens: 20, cachedReadTokens: 50, totalTokens: 120 } }),
  )
  expect(meter.total).toMatchObject({ tokensIn: 100, tokensOut: 20, tokensCached: 50 })
})

test('a quota is read as usage, with its model', () => {
  const meter = new UsageMeter('quota')
  const quota = { token_count: { input_tokens: 7, output_tokens: 3 }, model_usage: [{ model: 'flash' }] }
  expect(meter.turn(response({ _meta: { quota } }))).toBe(10)
  expect(meter.total).toMatchObject({ tokensIn: 7, tokensOut: 3, model: 'flash' })
})

test('an agent that counts only its last step is marked as reporting less', () => {
  expect(new UsageMeter('last_step').total.of).toBe('last_steps')
})

test('invalid usage of an agent counts as none', () => {
  const meter = new UsageMeter('sum')
  expect(meter.turn(response({ usage: 'much', _meta: 7 }))).toBeNull()
  expect(meter.turn(response({ usage: { inputTokens: -4, outputTokens: 'x' } }))).toBeNull()
  expect(meter.isKnown).toBe(false)
})

test('the cost of earlier workers in the same session is not its own', () => {
  const meter = new UsageMeter('sum')
  meter.cost(2, { isBefore: true })
  expect([meter.cost(2.5, { isBefore: false }), meter.cost(2.5, { isBefore: false })]).toEqual([true, false])
  expect(meter.total.usd).toBe(0.5)
})
