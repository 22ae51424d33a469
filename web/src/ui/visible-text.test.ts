import { expect, test } from 'vitest'
import { visibleText } from './visible-text.ts'

test('characters that a reader does not see are written out', () => {
  expect(visibleText('a\u202eb')).toBe('a⟨U+202E⟩b')
  expect(visibleText('zero\u200bwidth\ufeff')).toBe('zero⟨U+200B⟩width⟨U+FEFF⟩')
  expect(visibleText('\u001b[31mred\u0000')).toBe('␛[31mred␀')
  expect(visibleText('tag\u{e0041}')).toBe('tag⟨U+E0041⟩')
  expect(visibleText('half \ud800')).toBe('half ⟨U+D800⟩')
  expect(visibleText('line\u2028two')).toBe('line⟨U+2028⟩two')
})

test('ordinary text, line ends, tabs and emoji stay as they are', () => {
  expect(visibleText('Grüße, 世界\n\tindented\r\n✅ done')).toBe('Grüße, 世界\n\tindented\n✅ done')
  expect(visibleText('❤️')).toBe('❤')
})
