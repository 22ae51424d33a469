import fc from 'fast-check'
import { expect, test } from 'vitest'
import { terminalJson, terminalLine, terminalText, terminalTextWithColours } from './terminal-text.ts'

const ESC = '\u001b'
const cases: readonly (readonly [what: string, raw: string, safe: string])[] = [
  ['plain text', 'Add slugify → done ✓ 日本', 'Add slugify → done ✓ 日本'],
  ['line feeds and tabs', 'a\n\tb', 'a\n\tb'],
  ['a colour', `${ESC}[31mred${ESC}[0m`, 'red'],
  ['a colour with 24 bits', `${ESC}[38;2;1;2;3mx`, 'x'],
  ['a colour with colons', `${ESC}[38:2::1:2:3mx`, 'x'],
  ['clearing the screen', `a${ESC}[2J${ESC}[Hb`, 'ab'],
  ['a private mode', `${ESC}[?1049hx${ESC}[?25l`, 'x'],
  ['a cursor shape with an intermediate', `${ESC}[2 qx`, 'x'],
  ['CSI in 8 bits', '\u009b31mred\u009b0m', 'red'],
  ['a window title ended by BEL', `${ESC}]0;owned\u0007x`, 'x'],
  ['a window title ended by ST', `${ESC}]2;owned${ESC}\\x`, 'x'],
  ['a title ended by ST in 8 bits', `${ESC}]2;owned\u009cx`, 'x'],
  ['OSC in 8 bits', '\u009d0;owned\u0007x', 'x'],
  ['a link', `${ESC}]8;;https://evil.example${ESC}\\text${ESC}]8;;${ESC}\\`, 'text'],
  ['setting the clipboard', `${ESC}]52;c;cm0gLXJmIH4K\u0007x`, 'x'],
  ['DCS', `${ESC}P$q"p${ESC}\\x`, 'x'],
  ['DCS in 8 bits', '\u0090$q"p\u009cx', 'x'],
  ['APC', `${ESC}_Gf=100;AAAA${ESC}\\x`, 'x'],
  ['PM', `${ESC}^secret${ESC}\\x`, 'x'],
  ['SOS in 8 bits', '\u0098secret\u009cx', 'x'],
  ['a full reset', `${ESC}cx`, 'x'],
  ['a character set', `${ESC}(0x`, 'x'],
  ['DEC alignment', `${ESC}#8x`, 'x'],
  ['two escapes in a row', `${ESC}${ESC}[31mx`, 'x'],
  ['an escape inside a sequence', `${ESC}[3${ESC}[31mx`, 'x'],
  ['an escape at the end', `x${ESC}`, 'x'],
  ['a sequence cut short', `x${ESC}[31`, 'x'],
  ['a string without end, kept to its line', `x${ESC}]0;title\nnext line`, 'x\nnext line'],
  ['a string cancelled half-way', `${ESC}]0;ti\u0018x`, 'x'],
  ['sequences split by another', `${ESC}]0;a${ESC}[31mb`, 'b'],
  ['backspace', 'safe\b\b\b\bevil', 'safeevil'],
  ['a bell', 'a\u0007b', 'ab'],
  ['NUL and DEL', 'a\u0000b\u007fc', 'abc'],
  ['vertical tab and form feed', 'a\u000bb\u000cc', 'abc'],
  ['a carriage return that overwrites', 'good\revil', 'good\nevil'],
  ['CR LF', 'a\r\nb', 'a\nb'],
  ['next line in 8 bits', 'a\u0085b', 'ab'],
  ['shift out and in', 'a\u000eb\u000fc', 'abc'],
  ['a bidi override', 'user\u202e gnp.exe', 'user gnp.exe'],
  ['bidi isolates and marks', 'a\u2066b\u2069c\u200ed\u200fe\u061cf', 'abcdef'],
  ['line and paragraph separators', 'a\u2028b\u2029c', 'a\nb\nc'],
  ['a zero-width space', 'pass\u200bword', 'pass<U+200B>word'],
  [
    'a word joiner and invisible operators',
    'a\u2060b\u2062\u2063\u2064c',
    'a<U+2060>b<U+2062 and 2 more hidden>c',
  ],
  ['a soft hyphen and a grapheme joiner', 'a\u00adb\u034fc', 'a<U+00AD>b<U+034F>c'],
  ['Hangul fillers', 'a\u3164b\uffa0c', 'a<U+3164>b<U+FFA0>c'],
  ['a byte order mark at the start', '\ufeffplan', 'plan'],
  ['a byte order mark in the middle', 'a\ufeffb', 'a<U+FEFF>b'],
  ['words written in tags', 'Add\u{e0072}\u{e006d} x', 'Add<U+E0072 and 1 more hidden> x'],
  [
    'tags behind a flag that no country has',
    '\u{1f3f4}\u{e0072}\u{e006d}\u{e007f}',
    '\u{1f3f4}<U+E0072 and 2 more hidden>',
  ],
  ['bytes hidden in variation selectors', 'a\ufe01\u{e0105}\u{e0110}', 'a<U+FE01 and 2 more hidden>'],
  ['a second selector on an emoji', '\u2764\ufe0f\ufe0f', '\u2764\ufe0f<U+FE0F>'],
  ['joiners between Latin letters', 'a\u200db\u200cc', 'a<U+200D>b<U+200C>c'],
  ['an emoji of several people', '\u{1f469}\u{1f3fd}\u200d\u{1f4bb}', '\u{1f469}\u{1f3fd}\u200d\u{1f4bb}'],
  [
    'an emoji with its selector',
    '\u2764\ufe0f\u200d\u{1f525} \u26a0\ufe0f',
    '\u2764\ufe0f\u200d\u{1f525} \u26a0\ufe0f',
  ],
  ['a keycap', '1\ufe0f\u20e3', '1\ufe0f\u20e3'],
  [
    'the flag of Scotland',
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  ],
  [
    'Persian with a non-joiner',
    '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
    '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
  ],
  ['Devanagari with a joiner', '\u0915\u094d\u200d\u0937', '\u0915\u094d\u200d\u0937'],
  ['accents and Hangul', 'cafe\u0301 \ud55c\uae00', 'cafe\u0301 \ud55c\uae00'],
  ['a variant of an ideograph', '\u845b\u{e0100}', '\u845b\u{e0100}'],
  ['interlinear marks', 'a\ufff9b\ufffac\ufffbd', 'abcd'],
]

test.each(cases)('%s', (_, raw, safe) => {
  expect(terminalText(raw)).toBe(safe)
})

test('what was made safe is left as it is', () => {
  for (const [, raw] of cases) expect(terminalText(terminalText(raw))).toBe(terminalText(raw))
})

test('text of one line shows what hides in it too', () => {
  expect(terminalLine('a\u200bb')).toBe('a<U+200B>b')
  expect(terminalTextWithColours(`${ESC}[1ma\u200b${ESC}[0m`)).toBe(`${ESC}[1ma<U+200B>${ESC}[0m`)
})

test('one line stays one line', () => {
  expect(terminalLine('title\n\u001b[2Jwith\ttricks\r')).toBe('title with tricks ')
})

test('colours of our own stay, everything else goes', () => {
  expect(terminalTextWithColours(`${ESC}[1;31mred${ESC}[0m${ESC}[2J\b`)).toBe(`${ESC}[1;31mred${ESC}[0m`)
  expect(terminalTextWithColours(`${ESC}[?25m${ESC}[${'1;'.repeat(50)}mx`)).toBe('x')
})

test('JSON has no character a terminal would obey, and still says the same', () => {
  const value = Object.fromEntries(cases.map(([what, raw]) => [what, raw]))
  const json = terminalJson(value)
  expect(json).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
  expect(json).not.toMatch(/[\u200b-\u200f\u2060-\u206f\ufeff]|[\p{Variation_Selector}\p{Cf}]/u)
  expect(JSON.parse(json)).toEqual(value)
})

test('nothing a terminal obeys is left of any text', () => {
  const piece = fc.constantFrom(
    ESC,
    '[',
    ']',
    '\\',
    '\u009b',
    '\u0090',
    '\u0007',
    '0;',
    'm',
    'P',
    '\r',
    '\n',
    '\u202e',
    'x',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string())), (pieces) => {
      expect(terminalText(pieces.join(''))).not.toMatch(
        /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/,
      )
    }),
  )
})

// Quadratic work on a million characters would run into the test's time limit.
test.each([
  ESC,
  `${ESC}[`,
  `${ESC}]`,
  '\u009b',
  `${ESC}[1;`,
  '\r',
  '\u202e',
  `${ESC}]0;x`,
  `${ESC}P`,
  '\u200b',
  '\u{e0041}',
])('reads a million of %j in linear time', (unit) => {
  expect(terminalText(unit.repeat(1_000_000)).length).toBeLessThanOrEqual(1_000_000)
})

test.each(['\u{1f469}\u200d', '\u0915\u200d', '\u094d', '\u0915', '\u{1f469}', 'a\u200d'])(
  'reads a hundred thousand of %j, with one hidden character, in linear time',
  (unit) => {
    expect(terminalText(`\u200b${unit.repeat(100_000)}`).length).toBeLessThanOrEqual(1_000_000)
  },
)
