import { expect, test } from 'vitest'
import type { ChangedFile } from '../gates/change.ts'
import { landedOutput } from './landed-output.ts'

const file = (path: string, added: readonly string[], removed: readonly string[] = []): ChangedFile => ({
  path,
  kind: removed.length === 0 ? 'added' : 'modified',
  added: added.map((text, at) => ({ line: at + 1, text })),
  removed: removed.map((text, at) => ({ line: at + 1, text, at: at + 1 })),
  lines: [...added],
  isBinary: false,
})
const output = (...files: readonly ChangedFile[]) =>
  landedOutput({ sha: 'abc', subject: 'Add it', change: { base: 'tree', files } }, ['docs/reviews'])

test('files come with their line counts, the largest first, without the records of Bosun', () => {
  const { files, added, removed } = output(
    file('src/a.ts', ['a'], ['b', 'c']),
    file('docs/reviews/1-review.md', ['# Review']),
    file('src/b.ts', ['a', 'b', 'c', 'd']),
  )
  expect(files).toEqual([
    { path: 'src/b.ts', kind: 'added', added: 4, removed: 0 },
    { path: 'src/a.ts', kind: 'modified', added: 1, removed: 2 },
  ])
  expect([added, removed]).toEqual([5, 2])
})

test('public names are listed by what happened to them', () => {
  const { names } = output(
    file(
      'src/cart.ts',
      [
        'export function add(item: Item): void {',
        'export function total(tax: number): number {',
        'const x = 1',
      ],
      ['export function total(): number {', 'export class Old {'],
    ),
    file('lib/cart.py', ['def checkout(cart):', '    pass']),
  )
  expect(names).toEqual({ added: ['add', 'checkout'], changed: ['total'], removed: ['Old'] })
})

test('tests, documents and settings name no interface', () => {
  const { names } = output(
    file('src/cart.test.ts', ["test('adds', () => {"]),
    file('README.md', ['# Cart']),
    file('package.json', ['  "name": "cart",']),
  )
  expect(names).toEqual({ added: [], changed: [], removed: [] })
})

test('a change of many files is cut, and says how many more there are', () => {
  const { files, more, added } = output(...Array.from({ length: 50 }, (_, at) => file(`src/${at}.ts`, ['x'])))
  expect([files.length, more, added]).toEqual([20, 30, 50])
})
