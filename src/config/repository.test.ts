import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findRepositoryRoot, findWorkTree } from './repository.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bosun-repository-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a work tree is found from any folder in it, and not from outside', async () => {
  const deep = join(folder, 'shop/src/deep')
  mkdirSync(deep, { recursive: true })
  execFileSync('git', ['init', '-q', join(folder, 'shop')])
  expect(await findWorkTree(deep)).toBe(join(folder, 'shop'))
  expect(await findWorkTree(folder)).toBeNull()
})

test('a bare repository is reported as such from any folder in it', async () => {
  const bare = join(folder, 'shop.git')
  execFileSync('git', ['init', '-q', '--bare', bare])
  for (const from of [bare, join(bare, 'refs/heads')])
    await expect(findWorkTree(from)).rejects.toThrow(`${bare} is a bare repository`)
})

test('a .git that git does not accept is ignored, and the repository around it is found', async () => {
  const stray = join(folder, 'stray')
  mkdirSync(join(stray, '.git'), { recursive: true })
  mkdirSync(join(stray, 'inner/src'), { recursive: true })
  expect(await findRepositoryRoot(join(stray, 'inner'))).toBeNull()
  execFileSync('git', ['init', '-q', join(stray, 'inner')])
  expect(await findRepositoryRoot(join(stray, 'inner/src'))).toBe(join(stray, 'inner'))
  mkdirSync(join(stray, 'inner/src/.git'))
  expect(await findRepositoryRoot(join(stray, 'inner/src'))).toBe(join(stray, 'inner'))
  expect(await findWorkTree(stray)).toBeNull()
})

test('a linked work tree is found by the file named .git', async () => {
  const main = join(folder, 'main')
  const git = (...args: string[]) => execFileSync('git', ['-C', main, ...args], { stdio: 'ignore' })
  execFileSync('git', ['init', '-q', main])
  git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '--allow-empty', '-m', 'Start')
  git('worktree', 'add', join(folder, 'linked'))
  expect(await findRepositoryRoot(join(folder, 'linked'), {})).toBe(join(folder, 'linked'))
})

test('a repository above GIT_CEILING_DIRECTORIES is not found', async () => {
  const outer = join(folder, 'outer')
  mkdirSync(join(outer, 'inner/deep'), { recursive: true })
  execFileSync('git', ['init', '-q', outer])
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: outer }
  expect(await findRepositoryRoot(join(outer, 'inner/deep'), env)).toBeNull()
  expect(await findRepositoryRoot(join(outer, 'inner/deep'), { PATH: process.env['PATH'] })).toBe(outer)
})

test('a repository keeps the path by which it was reached', async () => {
  execFileSync('git', ['init', '-q', join(folder, 'named')])
  symlinkSync(join(folder, 'named'), join(folder, 'alias'))
  expect(await findRepositoryRoot(join(folder, 'alias'))).toBe(join(folder, 'alias'))
})
