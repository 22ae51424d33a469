import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importGraph, inOrder } from './graph.ts'
import { CORE } from './table.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')

test('ARCHITECTURE.md shows the import graph as the table has it', () => {
  expect(page).toContain(`\`\`\`\n${importGraph()}\n\`\`\`\n`)
})

test('ARCHITECTURE.md stays under 150 lines', () => {
  expect(page.trimEnd().split('\n').length).toBeLessThan(150)
})

test('folders of the core that import code form no circle', () => {
  expect(inOrder(CORE)).toHaveLength(Object.keys(CORE).length)
  expect(() => inOrder({ a: ['b'], b: ['a'] })).toThrow('these import each other: a, b')
})

test('ARCHITECTURE.md names every room of src and of the core, and no other', () => {
  const named = (heading: string): readonly string[] => {
    const table = page.slice(page.indexOf(heading)).split('\n\n', 1)[0] ?? ''
    const cells = table
      .split('\n')
      .slice(2)
      .map((row) => row.split('|')[1] ?? '')
    return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)).toSorted()
  }
  const folders = (under: string): readonly string[] =>
    globSync('*/', { cwd: join(root, under) })
      .map((name) => name.replace(/\/$/, ''))
      .toSorted()
  expect(named('| folder | what')).toEqual(folders('src'))
  expect(named('| folder of `core`')).toEqual(folders('src/core'))
})
