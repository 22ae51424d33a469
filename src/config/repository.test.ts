import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findWorkTree } from './repository.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bosun-repository-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a work tree is found from any folder in it, and outside of any there is none', async () => {
  const deep = join(folder, 'shop/src/deep')
  mkdirSync(deep, { recursive: true })
  execFileSync('git', ['init', '-q', join(folder, 'shop')])
  expect(await findWorkTree(deep)).toBe(join(folder, 'shop'))
  expect(await findWorkTree(folder)).toBeNull()
})

test('a bare repository is said to be one, from any folder in it', async () => {
  const bare = join(folder, 'shop.git')
  execFileSync('git', ['init', '-q', '--bare', bare])
  for (const from of [bare, join(bare, 'refs/heads')])
    await expect(findWorkTree(from)).rejects.toThrow(`${bare} is a bare repository`)
})
