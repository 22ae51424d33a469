import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { placeFile } from './place-file.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bosun-place-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a file takes the place of what was there, for its owner alone, and nothing else is left', () => {
  const path = join(folder, 'state.json')
  placeFile(path, 'one')
  placeFile(path, 'two')
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['two', 0o600])
  expect(readdirSync(folder)).toEqual(['state.json'])
})

test('a link in its place goes, and what it points to stays as it was', () => {
  const other = join(folder, 'other')
  writeFileSync(other, 'mine')
  const path = join(folder, 'state.json')
  symlinkSync(other, path)
  placeFile(path, 'new')
  expect([readFileSync(other, 'utf8'), lstatSync(path).isSymbolicLink()]).toEqual(['mine', false])
})

test('a folder in its place is an error, and no draft is left', () => {
  expect(() => placeFile(join(folder, 'gone', 'state.json'), 'new')).toThrow('ENOENT')
  expect(existsSync(join(folder, 'gone'))).toBe(false)
})
