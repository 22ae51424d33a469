import { expect, test } from 'vitest'
import { oneLine } from './counted.ts'

test('text of several lines becomes one', () => {
  expect(oneLine('  a\n\tb  c\r\n')).toBe('a b c')
})
