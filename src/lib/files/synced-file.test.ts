import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createSynced, overwriteSynced } from './synced-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'bosun-synced-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a file is made once, with what it may be used for', async () => {
  const path = join(folder, 'object')
  await createSynced(path, Buffer.from('one'), 0o444)
  expect(statSync(path).mode & 0o777).toBe(0o444)
  await expect(createSynced(path, 'two', 0o444)).rejects.toThrow('EEXIST')
  expect(readFileSync(path, 'utf8')).toBe('one')
})

test('a file is written over in its place, and holds nothing of what it held', async () => {
  const path = join(folder, 'over')
  await overwriteSynced(path, 'a long one')
  const { ino } = statSync(path)
  await overwriteSynced(path, 'short')
  expect(readFileSync(path, 'utf8')).toBe('short')
  expect(statSync(path)).toMatchObject({ ino, nlink: 1 })
  expect(statSync(path).mode & 0o777).toBe(0o600)
})
