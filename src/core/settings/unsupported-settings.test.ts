import { expect, test } from 'vitest'
import { defaultSettings, settingsSchema } from './settings.ts'
import { unsupportedSettings } from './unsupported-settings.ts'

const refused = (written: unknown): readonly string[] =>
  unsupportedSettings(settingsSchema.parse(written), defaultSettings()).map(({ path }) => path.join('.'))

test.each([[{ store: { url: 'postgres://db/bosun' } }, ['store.url']]])(
  '%j is refused, since no code reads it',
  (written, paths) => {
    expect(refused(written)).toEqual(paths)
  },
)

test('every role may have an agent', () => {
  const roles = { architect: 'a', designer: 'a', developer: 'a', fixer: 'a', reviewer: 'a', tester: 'a' }
  expect(refused({ roles })).toEqual([])
})

test('a setting that is written out with its default is accepted', () => {
  const { models, store } = defaultSettings()
  expect(refused({ models, store })).toEqual([])
})
