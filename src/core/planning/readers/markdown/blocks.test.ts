import { expect, test } from 'vitest'
import { blocksOf } from './blocks.ts'
import { readLines } from './lines.ts'

const blocks = (text: string) => blocksOf(readLines(text).lines)

test('a wrapped paragraph is one block, and a label in it starts another', () => {
  expect(blocks('one\ntwo\n**Check:** three\n  four')).toMatchObject([
    { kind: 'paragraph', line: 1, text: 'one two' },
    { kind: 'paragraph', line: 3, text: '**Check:** three four' },
  ])
})

test('items know their depth, their box and whether they are numbered', () => {
  expect(blocks('- a\n  more\n  - [x] b\n1. c\n* [ ] d')).toMatchObject([
    { kind: 'item', indent: 0, text: 'a more', isBox: false, isNumbered: false },
    { kind: 'item', indent: 2, text: 'b', isBox: true },
    { kind: 'item', text: 'c', isNumbered: true },
    { kind: 'item', text: 'd', isBox: true },
  ])
})

test('code keeps its lines without the indentation of its fence', () => {
  expect(blocks('- a\n\n  ```sh\n  ls\n    -l\n  ```\n')).toMatchObject([
    { kind: 'item' },
    { kind: 'code', line: 3, info: 'sh', code: 'ls\n  -l' },
  ])
})

test('an empty fence and two fences in a row stay apart', () => {
  expect(blocks('```\n```\n```js\nx\n```')).toMatchObject([
    { kind: 'code', code: '' },
    { kind: 'code', info: 'js', code: 'x' },
  ])
})

test('rules and comments are not blocks', () => {
  expect(blocks('---\n***\n<!-- x -->\n')).toEqual([])
})
