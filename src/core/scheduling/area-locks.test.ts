import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AreaLocks } from './area-locks.ts'

const taken = (...areas: string[]): AreaLocks => {
  const locks = new AreaLocks()
  for (const area of areas) locks.take(locks.find(area))
  return locks
}

const blockerIn = (locks: AreaLocks, area: string): string | null => locks.blocker(locks.find(area))

describe('a locked area', () => {
  test.each([
    ['itself', 'src/api', 'src/api'],
    ['what it contains', 'src/api', 'src/api/auth/token'],
    ['what contains it', 'src/api/auth/token', 'src/api'],
    ['the whole repository', 'src/api', '.'],
    ['everything, when it is the whole repository', '.', 'src/api'],
    ['a label like itself', 'billing', 'billing'],
  ])('keeps %s from being locked', (_, held, wanted) => {
    expect(blockerIn(taken(held), wanted)).not.toBeNull()
  })

  test.each([
    ['its neighbour', 'src/api', 'src/web'],
    ['a name that only begins like it', 'src/api', 'src/api-docs'],
    ['a name it only begins like', 'src/api-docs', 'src/api'],
    ['a label of another name', 'billing', 'shipping'],
  ])('leaves %s free', (_, held, wanted) => {
    expect(blockerIn(taken(held), wanted)).toBeNull()
  })
})

test('nothing is blocked while nothing is locked', () => {
  expect(blockerIn(taken(), '.')).toBeNull()
})

test('an area that was locked twice is free once it was released twice', () => {
  const locks = taken('src/api', 'src/api')
  locks.free(locks.find('src/api'))
  expect(locks.blocker(locks.find('src/api/auth'))).not.toBeNull()
  locks.free(locks.find('src/api'))
  expect(locks.blocker(locks.find('src/api/auth'))).toBeNull()
})

test('releasing one area leaves those beside and below it locked', () => {
  const locks = taken('src', 'src/api', 'docs')
  locks.free(locks.find('src'))
  expect(locks.blocker(locks.find('src'))).not.toBeNull()
  expect(locks.blocker(locks.find('src/web'))).toBeNull()
  expect(locks.blocker(locks.find('docs'))).not.toBeNull()
})

const AREAS = ['.', 'a', 'a/b', 'a/b/c', 'a/bb', 'b', 'a/c']
const overlap = (a: string, b: string): boolean =>
  a === b || a === '.' || b === '.' || a.startsWith(`${b}/`) || b.startsWith(`${a}/`)

test('any sequence of locks and releases blocks exactly the overlapping areas', () => {
  const step = fc.record({ area: fc.constantFrom(...AREAS), take: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const locks = new AreaLocks()
      const held: string[] = []
      for (const { area, take } of steps) {
        if (take) {
          locks.take(locks.find(area))
          held.push(area)
        } else if (held.includes(area)) {
          locks.free(locks.find(area))
          held.splice(held.indexOf(area), 1)
        }
      }
      for (const area of AREAS) {
        const isBlocked = locks.blocker(locks.find(area)) !== null
        expect(isBlocked, area).toBe(held.some((other) => overlap(area, other)))
      }
    }),
  )
})
