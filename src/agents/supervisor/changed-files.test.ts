import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { hasChangedSince } from './changed-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'bosun-changed-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('sees a change at any depth, and none that was before', () => {
  mkdirSync(join(folder, 'a/b'), { recursive: true })
  const file = join(folder, 'a/b/c.txt')
  writeFileSync(file, 'x')
  const { ctimeMs } = statSync(file)
  expect(hasChangedSince(folder, ctimeMs - 1)).toBe(true)
  expect(hasChangedSince(folder, ctimeMs + 1)).toBe(false)
})

test('a file that claims to be from the future is no sign of life', () => {
  const file = join(folder, 'future.txt')
  writeFileSync(file, 'x')
  utimesSync(file, new Date('2100-01-01'), new Date('2100-01-01'))
  expect(hasChangedSince(folder, statSync(file).ctimeMs + 1)).toBe(false)
})

test('what is installed is passed over, and a folder that is gone has no changes', () => {
  mkdirSync(join(folder, 'node_modules/left-pad'), { recursive: true })
  const since = statSync(join(folder, 'node_modules')).ctimeMs
  writeFileSync(join(folder, 'node_modules/left-pad/index.js'), 'x')
  expect(hasChangedSince(folder, since)).toBe(false)
  expect(hasChangedSince(join(folder, 'none'), 0)).toBe(false)
})
