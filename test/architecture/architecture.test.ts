import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkArchitecture, importsOnCircles } from './check.ts'
import { LINE_BUDGETS } from './budgets.ts'
import { IMPORTS_ON_CIRCLES } from './table.ts'

const root = join(import.meta.dirname, '../..')

const paths = globSync(['{src,test,bench,scripts,web}/**/*.{ts,tsx}', '*.ts'], { cwd: root })
const tree = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]))

test('the source keeps to the table', () => {
  expect(tree.size).toBeGreaterThan(50)
  const violations = checkArchitecture(tree)
  expect(violations.map((one) => `${one.file}:${one.line}: ${one.rule}: ${one.message}`)).toEqual([])
})

test('folders import each other in circles no more than they did', () => {
  const found = importsOnCircles(tree)
  expect(found.length, `where fewer, lower IMPORTS_ON_CIRCLES:\n${found.join('\n')}`).toBe(IMPORTS_ON_CIRCLES)
})

test('no module of Node is imported dynamically: from the bundle, Node warns about it', () => {
  const own = [...tree].filter(([path]) => path.startsWith('src/') && !path.endsWith('.test.ts'))
  const importing = own.filter(([, text]) => /\bimport\(\s*['"`]node:/.test(text))
  expect(importing.map(([path]) => `${path}: use process.getBuiltinModule`)).toEqual([])
})

test('no room has more lines than its budget', () => {
  const lines: Record<string, number> = {}
  for (const [path, text] of tree) {
    const room = roomOf(path)
    if (room !== null) lines[room] = (lines[room] ?? 0) + text.split('\n').length - 1
  }
  expect(Object.keys(lines).toSorted()).toEqual(Object.keys(LINE_BUDGETS).toSorted())
  const over = Object.entries(lines).filter(([room, count]) => count > (LINE_BUDGETS[room] ?? 0))
  expect(over.map(([room, count]) => `${room} has ${count} of ${LINE_BUDGETS[room]} lines`)).toEqual([])
})

/** Null for tests, and for what is neither in src nor of the page. */
function roomOf(path: string): string | null {
  const [top, room, inner] = path.split('/')
  if (/\.test\.tsx?$/.test(path)) return null
  if (top === 'web') return room === 'src' ? 'web' : null
  if (top !== 'src' || room === undefined) return null
  return inner === undefined ? 'entry' : room === 'core' ? `core/${inner}` : room
}
