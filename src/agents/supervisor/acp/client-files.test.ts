import {
  mkdtempSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
  readFileSync,
  existsSync,
  mkdirSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeTextFile } from './client-files.ts'

let root: string
let workspace: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'bosun-files-')))
  workspace = join(root, 'clone')
  mkdirSync(workspace)
  writeFileSync(join(root, 'secret'), 'secret')
})
afterEach(() => rm(root, { recursive: true, force: true }))

test('a file in the workspace is written, with its folders', async () => {
  const path = join(workspace, 'a/b/c.txt')
  await writeTextFile(workspace, path, 'one\ntwo\n')
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n')
})

test('no path, link or `..` leads to a file outside the workspace', async () => {
  symlinkSync(root, join(workspace, 'up'))
  symlinkSync(join(root, 'new'), join(workspace, 'dangling'))
  for (const path of ['up/secret', 'up/new', '../secret', '../new', 'dangling'])
    await expect(writeTextFile(workspace, `${workspace}/${path}`, 'x')).rejects.toThrow()
  await expect(writeTextFile(workspace, 'secret', 'x')).rejects.toThrow('is not absolute')
  expect([readFileSync(join(root, 'secret'), 'utf8'), existsSync(join(root, 'new'))]).toEqual([
    'secret',
    false,
  ])
})

test('files of git are refused', async () => {
  await expect(writeTextFile(workspace, join(workspace, '.git/hooks/pre-commit'), 'x')).rejects.toThrow('git')
})

test('a folder or a device is refused as a file', async () => {
  await expect(writeTextFile(workspace, workspace, 'x')).rejects.toThrow()
  await expect(writeTextFile('/dev', '/dev/null', 'x')).rejects.toThrow('not a file')
})
