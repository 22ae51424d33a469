import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lifeDocument } from './task-life.ts'

const page = join(import.meta.dirname, '../../docs/task-life.md')

test('docs/task-life.md matches the table of moves', () => {
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(page, lifeDocument())
  expect(readFileSync(page, 'utf8')).toBe(lifeDocument())
})
