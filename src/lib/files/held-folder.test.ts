import { execFileSync } from 'node:child_process'
import { constants, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { tempFolder } from '../../../test/helpers/temp-folder.ts'
import { HeldFolder, smallText } from './held-folder.ts'

let root: string
beforeEach(() => {
  root = tempFolder('held')
  mkdirSync(join(root, 'in/deep'), { recursive: true })
  mkdirSync(join(root, 'out'))
  writeFileSync(join(root, 'out/secret'), 'secret')
})

test('a name that is a path, a link, or a folder outside is refused', () => {
  symlinkSync(join(root, 'out'), join(root, 'in/link'))
  symlinkSync(join(root, 'out/secret'), join(root, 'in/file'))
  using held = HeldFolder.open(join(root, 'in'))
  for (const name of ['..', '.', '', 'deep/x', 'link']) {
    expect(() => held.folder(name)).toThrow()
    expect(() => held.folder(name, { make: true })).toThrow()
  }
  expect(() => held.file('file', constants.O_RDONLY)).toThrow('ELOOP')
  expect(() => held.file('../out/secret', constants.O_RDONLY)).toThrow('not the name of a file')
  expect(() => HeldFolder.open(join(root, 'in/link'))).toThrow()
})

test('a folder stays the one that was opened, wherever its path leads later', () => {
  using held = HeldFolder.open(join(root, 'in'))
  using deep = held.folder('deep')
  rmSync(join(root, 'in/deep'), { recursive: true })
  symlinkSync(join(root, 'out'), join(root, 'in/deep'))
  expect(deep.names()).toEqual([])
  expect(() => deep.file('secret', constants.O_RDONLY)).toThrow('ENOENT')
})

test('a pipe, a folder and a large file are not read, and removing leaves a folder that holds something', () => {
  execFileSync('mkfifo', [join(root, 'in/pipe')])
  writeFileSync(join(root, 'in/large'), 'x'.repeat(101))
  writeFileSync(join(root, 'in/deep/kept'), '')
  mkdirSync(join(root, 'in/empty'))
  symlinkSync(join(root, 'out/secret'), join(root, 'in/link'))
  using held = HeldFolder.open(join(root, 'in'))
  const kinds = ['pipe', 'deep', 'large'].map((name) => {
    using file = held.file(name, constants.O_RDONLY)
    return smallText(file, 100).kind
  })
  expect(kinds).toEqual(['not_a_file', 'not_a_file', 'too_large'])
  const gone = ['pipe', 'large', 'deep', 'empty', 'link', 'absent'].map((name) => held.remove(name))
  expect(gone).toEqual([true, true, false, true, true, true])
  expect(readFileSync(join(root, 'out/secret'), 'utf8')).toBe('secret')
  expect(existsSync(join(root, 'in/deep/kept'))).toBe(true)
})
