import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { overwrite } from './overwrite.ts'

const folder = mkdtempSync(join(tmpdir(), 'bosun-overwrite-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a file holds what was written last, however long it was before', () => {
  const path = join(folder, 'file')
  for (const text of ['one', 'another and longer', 'é', '', 'two']) {
    overwrite(path, text, { mode: 0o600 })
    expect(readFileSync(path, 'utf8')).toBe(text)
  }
  overwrite(path, Buffer.from([0, 255]))
  expect([...readFileSync(path)]).toEqual([0, 255])
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('nothing is written through a link, nor made where it has to be there', () => {
  const [theirs, link, nothing] = ['theirs', 'link', 'nothing'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(theirs, 'theirs')
  symlinkSync(theirs, link)
  expect(() => overwrite(link, 'ours')).toThrow('ELOOP')
  expect(readFileSync(theirs, 'utf8')).toBe('theirs')
  expect(() => overwrite(nothing, 'ours', { mayBeNew: false })).toThrow('ENOENT')
})
