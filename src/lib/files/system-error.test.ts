import { describe, expect, test } from 'vitest'
import { fullDisk, fullDiskText, isFullDisk, roomAt, roomIn } from './system-error.ts'

describe('a full disk', () => {
  test.each([
    [Object.assign(new Error('write'), { code: 'ENOSPC' }), true],
    [Object.assign(new Error('write'), { code: 'EDQUOT' }), true],
    [new Error('git fetch exited with 128: fatal: unable to write: No space left on device'), true],
    [new Error('it could not be done', { cause: new Error('database or disk is full') }), true],
    [Object.assign(new Error('open'), { code: 'ENOENT' }), false],
    [new Error('git fetch exited with 128: fatal: not a repository'), false],
    ['No space left on device', false],
  ])('is known from what was thrown: %s', (error, isFull) => expect(isFullDisk(error)).toBe(isFull))

  test('is not what a disk with room on it is', () => {
    expect(roomAt('/')?.bytes).toBeGreaterThan(0)
    expect(fullDisk(['/'])).toBeNull()
  })

  test('with space but no free inodes is reported as out of inodes', () => {
    const counts = { bavail: 1000, blocks: 2000, bsize: 4096, files: 50, ffree: 0 }
    const room = roomIn('/data', counts)
    expect([room.bytes, room.isOutOfFiles]).toEqual([0, true])
    expect(fullDiskText('/data', room)).toContain('no free inodes at /data')
    expect(fullDiskText('/data', roomIn('/data', { ...counts, files: 5000, ffree: 500 }))).toContain(
      'no space left at /data',
    )
    expect(roomIn('/data', { ...counts, files: 0 }).isOutOfFiles).toBe(false)
  })

  test('that has room and a handful of inodes lacks inodes: what failed for want of more gave them back', () => {
    const room = roomIn('/data', { bavail: 1000, blocks: 2000, bsize: 4096, files: 1200, ffree: 5 })
    expect([room.bytes, room.isOutOfFiles]).toEqual([0, true])
    expect(fullDiskText('/data', room)).toContain('no free inodes at /data')
  })

  test('is not claimed of a folder that is not there', () =>
    expect([roomAt('/no/such/folder'), fullDisk(['/no/such/folder'])]).toEqual([null, null]))
})
