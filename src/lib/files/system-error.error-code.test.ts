import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { errorCode } from './system-error.ts'

test('an error of the system has its code, and anything else has none', () => {
  let thrown: unknown
  try {
    readFileSync('/does/not/exist')
  } catch (error) {
    thrown = error
  }
  expect(errorCode(thrown)).toBe('ENOENT')
  for (const other of [new Error('no'), { code: 'ENOENT' }, 'ENOENT', null])
    expect(errorCode(other)).toBeUndefined()
})
