import { expect, test } from 'vitest'
import { clip, codeSpans, linkText, plainText, splitParens } from './inline.ts'

test('code spans end with as many backticks as they start with', () => {
  expect(codeSpans('a `b` ``c`d`` `open').map((span) => span.code)).toEqual(['b', 'c`d'])
})

test('a hundred thousand backticks are scanned in one pass', () => {
  const text = Array.from({ length: 400 }, (_, index) => '`'.repeat(index + 1)).join(' ')
  expect(codeSpans(text)).toEqual([])
  expect(codeSpans('` '.repeat(50_000))).toHaveLength(25_000)
})

test('emphasis is removed, code and underscores are kept', () => {
  expect(plainText('**Bold** `a**b` __init__ <!-- note -->')).toBe('Bold `a**b` __init__')
})

test('remarks in parentheses are distinguished from code and links', () => {
  expect(splitParens('a (b (c) d) e')).toEqual({ outside: 'a   e', asides: ['b (c) d'] })
  expect(splitParens('`f(x)` [l](u) (z')).toEqual({ outside: '`f(x)` [l](u)', asides: ['z'] })
})

test('a link is replaced by its text', () => {
  expect(linkText('[src/a.ts](../src/a.ts)')).toBe('src/a.ts')
  expect(linkText('plain')).toBe('plain')
})

test('cut text ends with a mark', () => {
  expect(clip('abcdef', 4)).toBe('abc…')
})
