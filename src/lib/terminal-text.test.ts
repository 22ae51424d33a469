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
  ['interlinear marks', 'a\ufff9b\ufffac\ufffbd', 'abcd'],
]

test.each(cases)('%s', (_, raw, safe) => {
  expect(terminalText(raw)).toBe(safe)
})

test('what was made safe is left as it is', () => {
  for (const [, raw] of cases) expect(terminalText(terminalText(raw))).toBe(terminalText(raw))
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
test.each([ESC, `${ESC}[`, `${ESC}]`, '\u009b', `${ESC}[1;`, '\r', '\u202e', `${ESC}]0;x`, `${ESC}P`])(
  'reads a million of %j in linear time',
  (unit) => {
    expect(terminalText(unit.repeat(1_000_000)).length).toBeLessThanOrEqual(1_000_000)
  },
)
