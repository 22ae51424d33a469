import { describe, expect, test } from 'vitest'
import { diskProblem, isWorthMeasuring, roomToKeep } from './disk-use.ts'

const MIB = 1024 ** 2
const GIB = 1024 * MIB
const use = (writtenBytes: number, freeBytes: number, totalBytes = 1000 * GIB) => ({
  writtenBytes,
  freeBytes,
  totalBytes,
})

describe('what a worker may write', () => {
  test('leaves a twentieth of the disk to the others, or 512 MiB', () =>
    expect([roomToKeep(100 * MIB), roomToKeep(1000 * GIB)]).toEqual([5 * MIB, 512 * MIB]))

  test('is too much once it took the room of the others', () =>
    expect(diskProblem(use(600 * MIB, 100 * MIB))).toBe(
      'it wrote 600.0 MiB and left only 100.0 MiB free on the disk',
    ))

  test('is not what filled the disk when it is little', () =>
    expect(diskProblem(use(300 * MIB, 0))).toBeNull())

  test('may be much where there is room', () => expect(diskProblem(use(15 * GIB, 500 * GIB))).toBeNull())

  test('is too much over 20 GiB, however large the disk is', () =>
    expect(diskProblem(use(21 * GIB, 500 * GIB))).toBe('it wrote 21.0 GiB, more than 20.0 GiB'))

  test('is measured only when the disk says that it could be too much', () =>
    expect([
      isWorthMeasuring({ freeBytes: 500 * GIB, totalBytes: 1000 * GIB }, 510 * GIB),
      isWorthMeasuring({ freeBytes: 100 * MIB, totalBytes: 1000 * GIB }, 200 * MIB),
      isWorthMeasuring({ freeBytes: 500 * GIB, totalBytes: 1000 * GIB }, 530 * GIB),
    ]).toEqual([false, true, true]))
})
