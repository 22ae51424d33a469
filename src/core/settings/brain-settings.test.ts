import { expect, test } from 'vitest'
import { brainModels, brainProblems } from './brain-settings.ts'
import { defaultSettings, settingsSchema } from './settings.ts'

const problems = (brain: object, rest: object = {}): readonly string[] =>
  brainProblems(settingsSchema.parse({ brain, ...rest }), defaultSettings()).map(({ message }) => message)

const price = { input: 3, output: 15 }

test.each([
  [{}],
  [{ small: 'haiku', timeout: '10m' }],
  [{ provider: 'none' }],
  [{ provider: 'anthropic', large: 'claude-sonnet-5-5', timeout: '5s' }],
  [{ provider: 'openai', small: 'gpt-x', key_command: 'pass show openai' }],
  [{ provider: 'google', small: 'g', base_url: 'https://proxy.example/v1beta' }],
  [{ provider: 'compatible', small: 'qwen3', base_url: 'http://127.0.0.1:11434/v1' }],
  [{ provider: 'anthropic', large: 'm', budget_usd: 5, prices: { m: price } }],
  [{ provider: 'agent' }],
  [{ provider: 'agent', large: 'opus', budget_usd: 2 }],
])('%j is accepted', (brain) => {
  expect(problems(brain)).toEqual([])
})

test.each([
  [{ provider: 'none', timeout: '5s' }, 'brain.timeout has no effect while brain.provider is none'],
  [{ provider: 'none', small: 'm' }, 'brain.small has no effect while brain.provider is none'],
  [{ key_command: 'k' }, 'brain.key_command has no effect while brain.provider is auto'],
  [
    { provider: 'agent', base_url: 'http://x/v1' },
    'brain.base_url has no effect while brain.provider is agent',
  ],
  [{ provider: 'agent', key_command: 'k' }, 'brain.key_command has no effect while brain.provider is agent'],
  [{ provider: 'openai' }, 'brain.provider: openai needs a model'],
  [{ provider: 'compatible', large: 'm' }, 'brain.provider: compatible needs brain.base_url'],
  [
    { provider: 'compatible', large: 'm', base_url: 'localhost:11434' },
    'brain.base_url is not the URL of a service',
  ],
  [
    { provider: 'compatible', large: 'm', base_url: 'https://me:secret@x/v1' },
    'brain.base_url contains a user name or a key',
  ],
  [
    { provider: 'openai', large: 'm', key_command: 'echo sk-proj-0123456789abcdef' },
    'brain.key_command holds a key',
  ],
  [{ provider: 'anthropic', large: 'm', budget_usd: 5 }, 'brain.budget_usd needs the price of m'],
])('%j is refused: %s', (brain, message) => {
  expect(problems(brain)).toEqual([message])
})

test('a price under prices counts for the budget, too', () => {
  expect(problems({ provider: 'anthropic', large: 'm', budget_usd: 5 }, { prices: { m: price } })).toEqual([])
})

test('no message repeats what may be a key', () => {
  const brain = { provider: 'compatible', large: 'm', base_url: 'https://me:secret@x/v1' }
  const found = brainProblems(settingsSchema.parse({ brain }), defaultSettings())
  expect(JSON.stringify(found)).not.toContain('secret')
})

test('one model serves for both sizes where only one is named', () => {
  const models = (brain: object) => brainModels(settingsSchema.parse({ brain }).brain)
  expect(models({ small: 's' })).toEqual({ small: 's', large: 's' })
  expect(models({ large: 'l' })).toEqual({ small: 'l', large: 'l' })
  expect(models({ small: 's', large: 'l' })).toEqual({ small: 's', large: 'l' })
  expect(models({})).toBeNull()
})
