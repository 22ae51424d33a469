import { expect, test } from 'vitest'
import { promptResponseSchema } from './updates.ts'
import { UsageMeter } from './usage-meter.ts'

const response = (fields: object) => promptResponseSchema.parse({ stopReason: 'end_turn', ...fields })

test('the tokens of turns add up, with those from a cache', () => {
  const meter = new UsageMeter({ usage: 'sum' })
  const usage = { inputTokens: 100, outputTokens: 20, cachedReadTokens: 50, totalTokens: 170 }
  expect([meter.turn(response({ usage })), meter.turn(response({ usage }))]).toEqual([170, 170])
  expect(meter.total).toMatchObject({ tokensIn: 300, tokensOut: 40, tokensCached: 100 })
})

test('cached tokens are not counted twice where the input has them already', () => {
  const meter = new UsageMeter({ usage: 'sum' })
  meter.turn(
    response({ usage: { inputTokens: 100, outputTokens: 20, cachedReadTokens: 50, totalTokens: 120 } }),
  )
  expect(meter.total).toMatchObject({ tokensIn: 100, tokensOut: 20, tokensCached: 50 })
})

test('a quota is read as usage, with its model', () => {
  const meter = new UsageMeter({ usage: 'quota' })
  const quota = { token_count: { input_tokens: 7, output_tokens: 3 }, model_usage: [{ model: 'flash' }] }
  expect(meter.turn(response({ _meta: { quota } }))).toBe(10)
  expect(meter.total).toMatchObject({ tokensIn: 7, tokensOut: 3, model: 'flash' })
})

test('invalid usage of an agent counts as none', () => {
  const meter = new UsageMeter({ usage: 'sum' })
  expect(meter.turn(response({ usage: 'much', _meta: 7 }))).toBeNull()
  expect(meter.turn(response({ usage: { inputTokens: -4, outputTokens: 'x' } }))).toBeNull()
  expect(meter.isKnown).toBe(false)
})

test('the cost of earlier workers in the same session is not its own', () => {
  const told: (number | null)[] = []
  const meter = new UsageMeter({ usage: 'sum' }, ({ usd }) => told.push(usd))
  meter.reading({ used: null, usd: 2 })
  meter.begin(0)
  meter.reading({ used: null, usd: 2.5 })
  meter.reading({ used: null, usd: 2.5 })
  expect([meter.total.usd, told]).toEqual([0.5, [0.5]])
})

test('the cost of a session that does not repeat its history is known from its last worker', () => {
  const meter = new UsageMeter({ usage: 'sum', usdBefore: 2 })
  meter.begin(0)
  meter.reading({ used: null, usd: 2.5 })
  expect(meter.total.usd).toBe(0.5)
})

test('an agent that counts from nothing when a session is continued is believed', () => {
  const meter = new UsageMeter({ usage: 'sum', usdBefore: 2 })
  meter.begin(0)
  meter.reading({ used: null, usd: 0.25 })
  meter.reading({ used: null, usd: 0.5 })
  expect(meter.all).toMatchObject({ usd: 0.5, sessionUsd: 0.5 })
})

test('sub-agents count: they stand in the usage of the models only', () => {
  const meter = new UsageMeter({ usage: 'sum' })
  const usage = { inputTokens: 100, outputTokens: 20, totalTokens: 120 }
  const quota = {
    token_count: usage,
    model_usage: [
      { model: 'large', token_count: usage },
      {
        model: 'small',
        token_count: { inputTokens: 50, outputTokens: 5, cachedInputTokens: 30, totalTokens: 85 },
      },
    ],
  }
  expect(meter.turn(response({ usage, _meta: { quota } }))).toBe(205)
  expect(meter.total).toMatchObject({ tokensIn: 180, tokensOut: 25, tokensCached: 30, model: 'large' })
})

test('an agent that tells of each step is counted step by step', () => {
  const meter = new UsageMeter({ usage: 'steps' })
  const step = {
    _meta: { usage: { inputTokens: 100, outputTokens: 10, totalTokens: 110, cachedReadTokens: 40 } },
  }
  meter.begin(400)
  meter.text('', step)
  expect(meter.total).toMatchObject({ tokensIn: 100, tokensOut: 10, tokensCached: 40 })
  meter.text('', step)
  expect(meter.turn(response({}))).toBe(220)
  expect(meter.total).not.toHaveProperty('isEstimated')
})

test('an agent that reports nothing is estimated, and that is marked', () => {
  const meter = new UsageMeter({ usage: 'none' })
  meter.begin(4000)
  meter.text('x'.repeat(400), {})
  expect(meter.total).toMatchObject({ tokensIn: 1000, tokensOut: 100, isEstimated: true })
  expect(meter.turn(response({}))).toBeNull()
  expect(meter.total).toMatchObject({ tokensIn: 1000, tokensOut: 100, isEstimated: true })
})

test('the steps before the last one are estimated where an agent counts its last step only', () => {
  const meter = new UsageMeter({ usage: 'last_step' })
  meter.begin(400)
  meter.tool('began', { rawInput: 'x'.repeat(40) })
  meter.tool('ended', { content: 'x'.repeat(360) })
  meter.text('done', {})
  meter.turn(response({ usage: { inputTokens: 1200, outputTokens: 1, totalTokens: 1201 } }))
  // The last step read 1,200 tokens, 1,000 of which no text shows; so did the first, with 100 of texts.
  expect(meter.total).toMatchObject({ tokensIn: 1100 + 1200, isEstimated: true })
})

test('one step that was counted is no estimate', () => {
  const meter = new UsageMeter({ usage: 'last_step' })
  meter.begin(400)
  meter.text('done', {})
  meter.turn(response({ usage: { inputTokens: 1200, outputTokens: 1 } }))
  expect(meter.total).toMatchObject({ tokensIn: 1200, tokensOut: 1 })
  expect(meter.total).not.toHaveProperty('isEstimated')
})

test('a turn that was cut off keeps its estimate', () => {
  const meter = new UsageMeter({ usage: 'sum' })
  meter.begin(400)
  meter.text('x'.repeat(40), {})
  meter.abandon()
  expect(meter.all).toMatchObject({
    tokensIn: 100,
    tokensOut: 10,
    isEstimated: true,
    turns: [{ tokensIn: 100 }],
  })
})

test('a count replaces the estimate of a running turn', () => {
  const meter = new UsageMeter({ usage: 'sum' })
  meter.begin(400)
  meter.text('x'.repeat(40), {})
  meter.turn(response({ usage: { inputTokens: 7, outputTokens: 3 } }))
  expect(meter.total).toMatchObject({ tokensIn: 7, tokensOut: 3 })
  expect(meter.total).not.toHaveProperty('isEstimated')
})

test('a running turn is reported in steps, not with every word', () => {
  const told: (number | null)[] = []
  const meter = new UsageMeter({ usage: 'none' }, ({ tokensIn }) => told.push(tokensIn))
  meter.begin(40_000)
  for (let word = 0; word < 100; word++) meter.text('word', {})
  expect(told).toEqual([10_000])
})

test('every update is compared with a budget, significant or not, and so is the end of a turn', () => {
  const seen: number[] = []
  const meter = new UsageMeter({ usage: 'sum' }, undefined, ({ tokensIn, tokensOut }) =>
    seen.push((tokensIn ?? 0) + (tokensOut ?? 0)),
  )
  meter.begin(400)
  meter.text('four', {})
  meter.text('four', {})
  meter.turn(response({ usage: { inputTokens: 500, outputTokens: 20, totalTokens: 520 } }))
  expect(seen).toEqual([101, 102, 520])
})

test('a cancelled turn keeps its estimate where the agent counts nothing', () => {
  const meter = new UsageMeter({ usage: 'sum' })
  meter.begin(400)
  meter.text('four', {})
  const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 }
  expect(meter.turn(response({ usage, stopReason: 'cancelled' }))).toBe(0)
  expect(meter.total).toMatchObject({ tokensIn: 100, tokensOut: 1, isEstimated: true })
})
