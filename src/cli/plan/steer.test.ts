import { expect, test } from 'vitest'
import { nothingText } from './steer.ts'

test('plans that failed to load are listed with the reason when there is nothing to resume', () => {
  expect(nothingText('resume', [])).toBe('nothing to resume\n')
  expect(nothingText('resume', [{ plan: 'r/shop', why: 'no inode is free' }])).toBe(
    'nothing to resume\ncannot load r/shop: no inode is free\nfor the options, run: bosun inbox\n',
  )
})
