import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readIfExists } from './read-if-exists.ts'

const folder = mkdtempSync(join(tmpdir(), 'bosun-text-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a file that is not there has no text, and what is no file is an error', () => {
  writeFileSync(join(folder, 'there'), 'text\n')
  expect(readIfExists(join(folder, 'there'))).toBe('text\n')
  expect(readIfExists(join(folder, 'absent'))).toBeNull()
  expect(readIfExists(join(folder, 'absent/below'))).toBeNull()
  expect(() => readIfExists(folder)).toThrow('EISDIR')
})
