import { expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from './default-settings.ts'

test('the defaults survive a round trip through JSON, as the bundle holds them', () => {
  expect(JSON.parse(JSON.stringify(DEFAULT_SETTINGS))).toStrictEqual(DEFAULT_SETTINGS)
})
