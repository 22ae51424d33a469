import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkArchitecture } from './check.ts'

const root = join(import.meta.dirname, '../..')

test('the source keeps to the table', () => {
  const paths = globSync(['{src,test,bench,scripts}/**/*.ts', '*.ts'], { cwd: root })
  const tree = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
  expect(tree.size).toBeGreaterThan(50)
  const violations = checkArchitecture(tree)
  expect(violations.map((one) => `${one.file}:${one.line}: ${one.rule}: ${one.message}`)).toEqual([])
})
