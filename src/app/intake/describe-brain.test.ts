import { expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '../../config/default-settings.ts'
import type { Settings } from '../../core/settings/settings.ts'
import { describeBrain } from './describe-brain.ts'

const described = (brain: Partial<Settings['brain']>) =>
  describeBrain({ ...DEFAULT_SETTINGS, brain: { ...DEFAULT_SETTINGS.brain, ...brain } })

test('the agent that is asked by default is called an agent, which takes longer than a model', () => {
  expect(described({})).toBe(described({ provider: 'agent' }))
  expect(described({})).toContain('the coding agent, which reads the code')
})

test('a model by API is named with its cost, and nobody where there is none', () => {
  const model = { provider: 'openai', large: 'gpt-5.5' } as const
  expect(described(model)).toMatch(/^asking openai\/gpt-5\.5: about \d+k tokens, usually under a minute$/)
  const prices = { 'gpt-5.5': { input: 10, output: 50, cached: 1 } }
  expect(described({ ...model, prices })).toMatch(/tokens \(about \$0\.\d\d\)/)
  expect(described({ provider: 'none' })).toBeNull()
})
