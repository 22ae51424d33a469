import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { replaceFolder, syncFolder } from './sync-folder.ts'

const temp = mkdtempSync(join(tmpdir(), 'bosun-settle-'))
afterAll(() => rmSync(temp, { recursive: true, force: true }))

const FOLDERS = ['a', 'a/b']
const FILES = new Map([
  ['head', 'one\n'],
  ['a/b/deep', 'two\n'],
])
const folder = join(temp, 'folder')
const others = join(temp, 'others')

beforeEach(async () => {
  await replaceFolder(folder, FOLDERS, FILES)
  rmSync(others, { force: true })
})

const settled = (files: ReadonlyMap<string, string | null> = FILES): boolean =>
  syncFolder(folder, FOLDERS, files)

test('a folder that is made anew holds what it should and nothing of what it held', async () => {
  writeFileSync(join(folder, 'more'), '')
  await replaceFolder(folder, FOLDERS, FILES)
  expect(readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()).toEqual([
    'a',
    'a/b',
    'a/b/deep',
    'head',
  ])
  expect(readFileSync(join(folder, 'a/b/deep'), 'utf8')).toBe('two\n')
})

test('what is right stays, and what differs is written', () => {
  const { ino } = lstatSync(join(folder, 'a/b/deep'))
  writeFileSync(join(folder, 'head'), 'another and longer\n')
  expect(settled()).toBe(true)
  expect(readFileSync(join(folder, 'head'), 'utf8')).toBe('one\n')
  writeFileSync(join(folder, 'head'), 'own\n')
  expect(settled()).toBe(true)
  expect(readFileSync(join(folder, 'head'), 'utf8')).toBe('one\n')
  expect(lstatSync(join(folder, 'a/b/deep')).ino).toBe(ino)
})

test('a file that may hold anything is left as it is', () => {
  writeFileSync(join(folder, 'head'), 'anything\n')
  expect(settled(new Map([...FILES, ['head', null]]))).toBe(true)
  expect(readFileSync(join(folder, 'head'), 'utf8')).toBe('anything\n')
})

test.each<readonly [string, () => void]>([
  ['there is a file more', () => writeFileSync(join(folder, 'a/more'), '')],
  ['there is a folder more', () => mkdirSync(join(folder, 'a/b/hooks'))],
  ['a file is missing', () => rmSync(join(folder, 'head'))],
  ['it is missing', () => rmSync(folder, { recursive: true })],
  ['a folder is closed to its owner', () => chmodSync(join(folder, 'a/b'), 0o500)],
])('it has to be made anew where %s', (_, spoil) => {
  spoil()
  expect(settled()).toBe(false)
})

test('nothing is written through a link, whatever kind of link it is', () => {
  writeFileSync(others, 'theirs\n')
  for (const link of [symlinkSync, linkSync]) {
    rmSync(join(folder, 'head'))
    link(others, join(folder, 'head'))
    expect(settled()).toBe(false)
  }
  expect(readFileSync(others, 'utf8')).toBe('theirs\n')
})

test('a link to a folder is no folder', () => {
  const elsewhere = mkdtempSync(join(temp, 'elsewhere-'))
  mkdirSync(join(elsewhere, 'b'))
  writeFileSync(join(elsewhere, 'b/deep'), 'theirs\n')
  rmSync(join(folder, 'a'), { recursive: true })
  symlinkSync(elsewhere, join(folder, 'a'))
  expect(settled()).toBe(false)
  expect(readFileSync(join(elsewhere, 'b/deep'), 'utf8')).toBe('theirs\n')
})
