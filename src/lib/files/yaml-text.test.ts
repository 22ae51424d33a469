import { describe, expect, test } from 'vitest'
import { parseJsonText, parseYamlText } from './yaml-text.ts'

test('a value comes with the line of every path in it', () => {
  const { value, lineOf, errors } = parseYamlText('a: 1\nb:\n  - c: 2\n  - d: 3\n    e: { f: 4 }\n')
  expect(value).toEqual({ a: 1, b: [{ c: 2 }, { d: 3, e: { f: 4 } }] })
  expect(errors).toEqual([])
  expect([[], ['b'], ['b', 1], ['b', 1, 'e', 'f'], ['b', 1, 'nope'], ['b', 9]].map(lineOf)).toEqual([
    1, 2, 4, 5, 4, 2,
  ])
})

test('an empty text is null', () => {
  expect(parseYamlText('')).toMatchObject({ value: null, errors: [] })
  expect(parseYamlText('# only this').lineOf(['a'])).toBe(1)
})

describe('refused with a line', () => {
  test.each([
    ['a: 1\nb: [1,', 2, /./],
    ['a: 1\nb: 2\na: 3', 3, /"a" is repeated; first used in line 1/],
    ['x:\n  y: 1\n  y: 2', 3, /is repeated/],
    ['a: 1\nb: !!binary x', 2, /tag/],
    ['a: !mine x', 1, /tag/],
    ['b: !!set {x}', 1, /tag/],
    ['a: *none', 1, /alias/i],
    ['a: 1\n---\nb: 2', 2, /multiple documents/],
    ['a:\n\t- b', 2, /./],
  ])('%j', (text, line, message) => {
    const { errors, value } = parseYamlText(text)
    expect(value).toBeUndefined()
    expect(errors[0]).toMatchObject({ line, message: expect.stringMatching(message) })
  })

  test('an alias bomb', () => {
    const rows = [
      'a: &a [x, x]',
      ...Array.from('bcdefghij').map(
        (key, at) => `${key}: &${key} [${Array.from({ length: 9 }, () => `*${'abcdefghi'[at]}`).join(', ')}]`,
      ),
    ]
    expect(parseYamlText(rows.join('\n')).errors).toMatchObject([{ message: 'too many aliases' }])
  })

  test('brackets without end', () => {
    expect(parseYamlText('['.repeat(20_000)).errors[0]?.message).toMatch(/nested too deeply|./)
  })

  test('twenty thousand keys are checked for repetition in one pass', () => {
    const keys = Array.from({ length: 20_000 }, (_, at) => `k${at}: 1`)
    expect(parseYamlText([...keys, 'k0: 2'].join('\n')).errors).toMatchObject([{ line: 20_001 }])
  })
})

test('a few aliases are no harm', () => {
  expect(parseYamlText('a: &x [1]\nb: *x').value).toEqual({ a: [1], b: [1] })
})

describe('JSON', () => {
  test('is read with lines, tabs or not', () => {
    const { value, lineOf } = parseJsonText('{\n\t"a": [\n\t\t{ "b": 1 }\n\t]\n}')
    expect(value).toEqual({ a: [{ b: 1 }] })
    expect(lineOf(['a', 0, 'b'])).toBe(3)
  })

  test('is read strictly, and mistakes have a line', () => {
    const first = (text: string) => parseJsonText(text).errors[0]
    expect(first('{\n"a": 1,\n}')).toMatchObject({ line: 3 })
    expect(first('{\n"a": x\n}')).toMatchObject({ line: 2, message: 'unexpected "x\\n}"' })
    expect(first('{\n"a": 1\n')).toMatchObject({ line: 3, message: 'unexpected end of file' })
    expect(first('{"a": 1, "a": 2}')?.message).toMatch(/is repeated/)
    expect(first('['.repeat(100_000))).toMatchObject({ message: 'unexpected end of file' })
  })
})
