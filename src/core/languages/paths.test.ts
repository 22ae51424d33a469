import fc from 'fast-check'
import { expect, test } from 'vitest'
import { folderOf, nameOf, normalPath, segmentsOf } from './paths.ts'

/** Pieces that paths can be uneven by. */
const uneven = fc.array(fc.constantFrom('a', 'b.ts', '.', '..', '/', '//', './', '\\', '.a', 'a.', ''), {
  maxLength: 8,
})

test('segments are those of the normal path without empty ones and dots', () => {
  fc.assert(
    fc.property(
      uneven.map((parts) => parts.join('')),
      (path) => {
        const expected = normalPath(path)
          .split('/')
          .filter((segment) => segment !== '' && segment !== '.')
        expect(segmentsOf(path)).toEqual(expected)
        expect(nameOf(path)).toBe(expected.at(-1) ?? '')
        expect(folderOf(path)).toBe(expected.slice(0, -1).join('/'))
      },
    ),
    { numRuns: 2000 },
  )
})
