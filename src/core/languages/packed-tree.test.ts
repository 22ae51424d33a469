import { expect, test } from 'vitest'
import { loadTestParser } from '../../../test/helpers/test-parser.ts'
import { describeParser } from '../../../test/conformance/parser.conformance.ts'
import {
  childBy,
  childOfKind,
  childrenBy,
  descendants,
  hasError,
  namedChildren,
  type SyntaxNode,
} from './syntax.ts'

const parser = await loadTestParser()

describeParser('the parser of tests', () => parser)

const shape = (node: SyntaxNode): unknown =>
  node.children.length === 0 ? node.kind : [node.kind, ...node.children.map(shape)]

test('nodes keep the depth and order of the parser', () => {
  expect(shape(parser.tree('a.ts', 'f(1, [a]); b').root)).toEqual([
    'program',
    [
      'expression_statement',
      [
        'call_expression',
        'identifier',
        ['arguments', '(', 'number', ',', ['array', '[', 'identifier', ']'], ')'],
      ],
      ';',
    ],
    ['expression_statement', 'identifier'],
  ])
})

test('offsets count UTF-16 characters, and lines count from 1', () => {
  const tree = parser.tree('a.ts', "let a = '🚢é'\r\n\n  const second = 2\n")
  const [first, second] = tree.root.children
  if (first === undefined || second === undefined) throw new Error('no statements')
  expect([first.text, first.line]).toEqual(["let a = '🚢é'", 1])
  expect([second.text, second.line]).toEqual(['const second = 2', 3])
})

test('fields, named nodes and punctuation are distinguished', () => {
  const tree = parser.tree('a.py', 'def a(b, c): # d\n  pass\n')
  const [def] = tree.root.children
  if (def === undefined) throw new Error('no definition')
  const name = childBy(def, 'name')
  expect(name === null ? null : name.text).toBe('a')
  expect(childBy(def, 'return_type')).toBeNull()
  const parameters = childOfKind(def, 'parameters')
  expect(parameters?.children.map(({ isNamed }) => isNamed)).toEqual([false, true, false, true, false])
  expect(namedChildren(def).map(({ kind }) => kind)).toEqual(['identifier', 'parameters', 'block'])
  expect(childrenBy(def, 'body').map(({ kind }) => kind)).toEqual(['block'])
  expect(descendants(tree.root, 'identifier').map((node) => node.text)).toEqual(['a', 'b', 'c'])
})

test('only the broken part is an error', () => {
  const tree = parser.tree('a.ts', 'const a = 1\nconst = \nfunction b() {}\n')
  expect(hasError(tree.root)).toBe(true)
  const errors = tree.root.children.map((child) => hasError(child))
  expect([errors[0], errors.at(-1)]).toEqual([false, false])
  expect(hasError(parser.tree('a.ts', 'const a = 1').root)).toBe(false)
})

test('an empty text has a tree', () => {
  expect(parser.tree('a.ts', '').root.children).toEqual([])
})
