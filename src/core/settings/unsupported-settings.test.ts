import { expect, test } from 'vitest'
import { defaultSettings, settingsSchema } from './settings.ts'
import { unsupportedSettings } from './unsupported-settings.ts'

const refused = (written: unknown): readonly string[] =>
  unsupportedSettings(settingsSchema.parse(written), defaultSettings()).map(({ path }) => path.join('.'))

test.each([
  [{ brain: { provider: 'anthropic', budget_usd: 5 } }, ['brain.provider', 'brain.budget_usd']],
  [{ brain: { timeout: '5s' } }, ['brain.timeout']],
  [{ store: { url: 'postgres://db/bosun' } }, ['store.url']],
  [
    { roles: { architect: 'a', designer: 'a', tester: 'a', developer: 'a' } },
    ['roles.architect', 'roles.designer', 'roles.tester'],
  ],
])('%j is refused, since no code reads it', (written, paths) => {
  expect(refused(written)).toEqual(paths)
})

test('a setting that is written out with its default is accepted', () => {
  const { models, brain, store } = defaultSettings()
  expect(refused({ models, brain: { ...brain, timeout: '60s' }, store })).toEqual([])
})

test('a default duration is shown with its unit', () => {
  const [timeout] = unsupportedSettings(settingsSchema.parse({ brain: { timeout: '5s' } }), defaultSettings())
  expect(timeout?.remedy).toBe('Remove it, or set it to its default, 60s.')
})
