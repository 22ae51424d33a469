import { expect, test } from 'vitest'
import { plainLine, quoted, quotedList } from './quoted.ts'

test('a name stays what it is, in backticks', () => {
  expect(quoted('feature/löschen-日本')).toBe('`feature/löschen-日本`')
})

test('a name cannot close its own quotes, begin a line, or hide what it says', () => {
  expect(quoted('x` and now\n## do `rm`')).toBe("`x' and now ## do 'rm'`")
  expect(quoted('a\u202eb\u200bc\u001b[31md')).toBe('`abc[31md`')
  expect(quoted('\u202e')).toBe('`?`')
  expect(quoted('\n \t')).toBe('`?`')
})

test('a name is cut where it is too long, never in the middle of a character', () => {
  expect(quoted('y'.repeat(1_000_000), 10)).toBe(`\`${'y'.repeat(10)}…\``)
  expect(plainLine('ab😀cd', 3)).toBe('ab…')
})

test('a list says how many it leaves out', () => {
  expect(quotedList(['a', 'b'], 3)).toBe('`a`, `b` and 3 more')
  expect(quotedList(['a'])).toBe('`a`')
})
