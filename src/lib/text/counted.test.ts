import { expect, test } from 'vitest'
import { counted } from './counted.ts'

test('a noun is plural for every number but one', () => {
  expect([0, 1, 2].map((many) => counted(many, 'file'))).toEqual(['0 files', '1 file', '2 files'])
})
