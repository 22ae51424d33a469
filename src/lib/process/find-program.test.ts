import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findOnPath } from './find-program.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bosun-path-'))
  for (const name of ['a', 'b']) await mkdir(join(folder, name))
})
afterEach(() => rm(folder, { recursive: true }))

async function program(path: string): Promise<void> {
  await writeFile(join(folder, path), '#!/bin/sh\n')
  await chmod(join(folder, path), 0o755)
}

test('finds the first program of that name', async () => {
  await program('a/tool')
  await program('b/tool')
  expect(findOnPath('tool', `/nowhere:${folder}/b:${folder}/a`)).toBe(join(folder, 'b/tool'))
})

test('passes over folders and files that cannot be run', async () => {
  await mkdir(join(folder, 'a/tool'))
  await writeFile(join(folder, 'b/tool'), 'not a program', { mode: 0o644 })
  expect(findOnPath('tool', `${folder}/a:${folder}/b`)).toBeNull()
})

test('takes no notice of relative and empty entries', async () => {
  await program('a/tool')
  expect(findOnPath('tool', '::.:a')).toBeNull()
  expect(findOnPath('tool', '')).toBeNull()
})
