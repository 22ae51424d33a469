import { describe, expect, test } from 'vitest'
import { fullDisk, isFullDisk, roomAt } from './full-disk.ts'

describe('a full disk', () => {
  test.each([
    [Object.assign(new Error('write'), { code: 'ENOSPC' }), true],
    [Object.assign(new Error('write'), { code: 'EDQUOT' }), true],
    [new Error('git fetch ended with 128: fatal: unable to write: No space left on device'), true],
    [new Error('it could not be done', { cause: new Error('database or disk is full') }), true],
    [Object.assign(new Error('open'), { code: 'ENOENT' }), false],
    [new Error('git fetch ended with 128: fatal: not a repository'), false],
    ['No space left on device', false],
  ])('is known from what was thrown: %s', (error, isFull) => expect(isFullDisk(error)).toBe(isFull))

  test('is not what a disk with room on it is', () => {
    expect(roomAt('/')?.bytes).toBeGreaterThan(0)
    expect(fullDisk(['/'])).toBeNull()
  })

  test('is not claimed of a folder that is not there', () =>
    expect([roomAt('/no/such/folder'), fullDisk(['/no/such/folder'])]).toEqual([null, null]))
})
