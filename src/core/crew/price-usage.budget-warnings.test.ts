import { expect, test } from 'vitest'
import { budgetWarnings, type UsageReports } from './price-usage.ts'

const NONE = { planUsd: null, taskUsd: null, planTokens: null, taskTokens: null }
const claude: UsageReports = { agent: 'claude', tokens: 'all', usd: true }
const codex: UsageReports = { agent: 'codex', tokens: 'all', usd: false }
const goose: UsageReports = { agent: 'goose', tokens: 'some', usd: false }
const own: UsageReports = { agent: 'own', tokens: 'none', usd: false }
const crew = [claude, codex, goose, own]
const warned = (settings: Parameters<typeof budgetWarnings>[0]) =>
  budgetWarnings(settings, crew).map(({ message }) => message.replace(/[:,].*/, ''))
const price = { input: 1, output: 2 }

test('without a budget nothing is warned of', () => {
  expect(warned({ budgets: NONE })).toEqual([])
})

test('a budget in money needs agents that report costs, or prices', () => {
  const budgets = { ...NONE, taskUsd: 5 }
  expect(warned({ budgets })).toEqual([
    'codex reports no costs',
    'goose reports no costs',
    'own reports no costs',
  ])
  expect(warned({ budgets, prices: { codex: price } })).toEqual([
    'goose reports no costs',
    'own reports no costs',
  ])
})

test('a price of a model may be of any agent', () => {
  const budgets = { ...NONE, planUsd: 5 }
  expect(warned({ budgets, prices: { 'gpt-6': price } })).toEqual([
    'goose reports only part of its tokens',
    'own reports no tokens',
  ])
})

test('a budget in tokens is approximate for agents that do not report all of them', () => {
  expect(warned({ budgets: { ...NONE, planTokens: 1000 } })).toEqual([
    'goose reports only part of its tokens',
    'own reports no tokens',
  ])
})
