import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changedFile } from '../../../test/helpers/a-change.ts'
import { firstLineOf, linesBefore } from './change.ts'

const text = fc.array(fc.constantFrom('a', 'b', 'c', '', '  d'), { maxLength: 12 })

test('the earlier text of a file is rebuilt from its current text and the change', () => {
  fc.assert(
    fc.property(text, text, (old, now) => {
      const files = changedFile('a.txt', `${old.join('\n')}\n`, `${now.join('\n')}\n`)
      for (const file of files) expect(linesBefore(file)).toEqual(old.length === 0 ? [''] : old)
    }),
  )
})

test('a deleted file was all that is gone, and an added one was nothing', () => {
  const [gone] = changedFile('a.txt', 'a\nb\n', null)
  const [fresh] = changedFile('a.txt', null, 'a\n')
  if (gone === undefined || fresh === undefined) throw new Error('nothing changed')
  expect(linesBefore(gone)).toEqual(['a', 'b'])
  expect(linesBefore(fresh)).toBeNull()
  expect(linesBefore({ ...gone, isBinary: true })).toBeNull()
  expect([firstLineOf(gone), firstLineOf(fresh)]).toEqual([null, 1])
})

test('a change begins where the first line came or went', () => {
  const [file] = changedFile('a.txt', 'a\nb\nc\n', 'a\nc\nd\n')
  expect(file === undefined ? null : firstLineOf(file)).toBe(2)
})
