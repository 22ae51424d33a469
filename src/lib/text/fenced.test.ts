import { expect, test } from 'vitest'
import { beginning, fenced } from './fenced.ts'

test('no text closes its own fence', () => {
  expect(fenced('a\n```\nb\n````\n')).toBe('`````\na\n```\nb\n````\n`````')
  expect(fenced('x', 'diff')).toBe('```diff\nx\n```')
})

test('invisible characters are replaced by a visible one', () => {
  expect(fenced('a\u001b[2Jb\u202ec\tq')).toBe('```\na\u{FFFD}[2Jb\u{FFFD}c\tq\n```')
})

test('a long text is cut at a line, with a note', () => {
  expect(beginning('one\ntwo\nthree', 9)).toBe('one\ntwo\n[cut here: 13 characters in all]')
  expect(beginning('short', 9)).toBe('short')
})
