import { expect, test } from 'vitest'
import { fromText, type BytePath } from '../git/byte-path.ts'
import { safePath } from './salvage.ts'

test.each([
  ['src/a b.js', 'src/a b.js'],
  ['pkg/.git/config', 'pkg/=.git/config'],
  ['git~1', '=git%7e1'],
  ['a\\b', '=a%5cb'],
  ['=x', '=%3dx'],
  ['.gitattributes/x', '=.gitattributes/x'],
])('%s is saved as %s', (path, expected) => expect(safePath(fromText(path))).toBe(expected))

test('a name that is no text keeps its bytes', () => {
  expect(safePath('caf\u{e9}' as BytePath)).toBe('=caf%e9')
})
