/** Where JSON text goes wrong. The engine's own error names no place for many mistakes. */

type Expect = 'value' | 'value_or_end' | 'key' | 'key_or_end' | 'colon' | 'comma_or_end' | 'nothing'

const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y
const BLANK = /[ \t\r\n]*/y

/** The offset of the first character that cannot stand where it stands; the text's length where its end is missing. */
export function jsonMistakeAt(text: string): number {
  const open: ('{' | '[')[] = []
  let expect: Expect = 'value'
  let at = skip(BLANK, text, 0)
  while (at < text.length) {
    const next = advance(text, at, expect, open)
    if (next === null) return at
    expect = next.expect
    at = skip(BLANK, text, next.at)
  }
  return at
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

/** The offset behind a string; where none starts or it is wrong, the offset itself. */
function stringEnd(text: string, start: number): number {
  if (text[start] !== '"') return start
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at] ?? ''
    if (char === '"') return at + 1
    if (char < ' ') return start
    if (char === '\\' && !/^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(text.slice(at + 1, at + 6))) return start
    if (char === '\\') at++
  }
  return start
}

function advance(
  text: string,
  at: number,
  expect: Expect,
  open: ('{' | '[')[],
): { readonly at: number; readonly expect: Expect } | null {
  const char = text[at] ?? ''
  if (char === '}' || char === ']') return closed(char, at, expect, open)
  switch (expect) {
    case 'colon':
      return char === ':' ? { at: at + 1, expect: 'value' } : null
    case 'comma_or_end':
      if (char !== ',' || open.length === 0) return null
      return { at: at + 1, expect: open.at(-1) === '{' ? 'key' : 'value' }
    case 'key':
    case 'key_or_end': {
      const end = stringEnd(text, at)
      return end === at ? null : { at: end, expect: 'colon' }
    }
    case 'value':
    case 'value_or_end': {
      if (char === '{' || char === '[') {
        open.push(char)
        return { at: at + 1, expect: char === '{' ? 'key_or_end' : 'value_or_end' }
      }
      const end = char === '"' ? stringEnd(text, at) : skip(SCALAR, text, at)
      return end === at ? null : { at: end, expect: open.length === 0 ? 'nothing' : 'comma_or_end' }
    }
    case 'nothing':
      return null
  }
}

function closed(
  char: '}' | ']',
  at: number,
  expect: Expect,
  open: ('{' | '[')[],
): { readonly at: number; readonly expect: Expect } | null {
  const fits = open.at(-1) === (char === '}' ? '{' : '[')
  const empty = char === '}' ? 'key_or_end' : 'value_or_end'
  if (!fits || (expect !== 'comma_or_end' && expect !== empty)) return null
  open.pop()
  return { at: at + 1, expect: open.length === 0 ? 'nothing' : 'comma_or_end' }
}
