import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createWhole, writeWhole } from './whole-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'bosun-whole-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the first to create a file wins, and what it wrote stays', () => {
  const path = join(folder, 'a')
  expect([createWhole(path, 'first'), createWhole(path, 'second')]).toEqual([true, false])
  expect(readFileSync(path, 'utf8')).toBe('first')
})

test('writing takes the place of what was there, for nobody else to read', () => {
  const path = join(folder, 'b')
  writeWhole(path, 'one')
  writeWhole(path, 'two')
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['two', 0o600])
})

test('what cannot be written leaves nothing behind', () => {
  expect(() => createWhole(join(folder, 'none/c'), 'x')).toThrow('ENOENT')
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
})
