import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createSynced, overwriteSynced, replaceSynced } from './synced-file.ts'

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

test('a file takes the place of another, and nothing else is left', async () => {
  const path = join(folder, 'note')
  await replaceSynced(path, 'one')
  await replaceSynced(path, 'two')
  expect(readFileSync(path, 'utf8')).toBe('two')
  expect(readdirSync(folder).filter((name) => name.includes('note'))).toEqual(['note'])
})

test('what cannot take its place leaves nothing behind', async () => {
  await expect(replaceSynced(folder, 'text')).rejects.toThrow()
  expect(readdirSync(join(folder, '..')).filter((name) => name.startsWith('.bosun-synced-'))).toEqual([])
})
