import { expect, test } from 'vitest'
import { nothingText } from './steer.ts'

test('where no plan can be resumed, those that could not be taken up are named with the reason', () => {
  expect(nothingText('resume', [])).toBe('nothing to resume here\n')
  expect(nothingText('resume', [{ plan: 'r/shop', why: 'no inode is free' }])).toBe(
    'nothing to resume here\nr/shop cannot be taken up: no inode is free\nsee what can be done: bosun inbox\n',
  )
})
