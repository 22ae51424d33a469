import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FolderCache } from './folder-cache.ts'

let folder: string
let cache: FolderCache
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bosun-cache-'))
  cache = new FolderCache(join(folder, 'cache'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function aRoot(name: string, text: string | null = null): string {
  const root = join(folder, name)
  mkdirSync(join(root, 'deps/a'), { recursive: true })
  if (text !== null) writeFileSync(join(root, 'deps/a/index'), text)
  return root
}
const read = (root: string): string => readFileSync(join(root, 'deps/a/index'), 'utf8')

test('changing a copy changes neither the cached folder nor another copy', async () => {
  await cache.keep('key', aRoot('one', 'fresh'), ['deps'])
  for (const name of ['two', 'three']) {
    const root = aRoot(name, 'old')
    expect(await cache.restore('key', root)).toBe(true)
    expect(read(root)).toBe('fresh')
    // In place, as a hard link would let through.
    writeFileSync(join(root, 'deps/a/index'), 'spoiled', { flag: 'r+' })
  }
  writeFileSync(join(folder, 'one/deps/a/index'), 'spoiled', { flag: 'r+' })
  const last = aRoot('four')
  await cache.restore('key', last)
  expect(read(last)).toBe('fresh')
})

test('what was kept first stays, and an unknown key is not there', async () => {
  await cache.keep('key', aRoot('one', 'first'), ['deps'])
  await cache.keep('key', aRoot('two', 'second'), ['deps'])
  const root = aRoot('three')
  expect([await cache.restore('key', root), await cache.restore('other', root)]).toEqual([true, false])
  expect(read(root)).toBe('first')
})

test('what cannot be copied whole is not kept, and nothing is left of it', async () => {
  await cache.keep('key', aRoot('one'), ['deps', 'gone'])
  expect(await cache.restore('key', aRoot('two'))).toBe(false)
  expect(readdirSync(join(folder, 'cache'))).toEqual([])
})

test('a copy that is cut short is none', async () => {
  await cache.keep('key', aRoot('one', 'fresh'), ['deps'])
  expect(await cache.restore('key', aRoot('two'), AbortSignal.abort())).toBe(false)
})

test('what a killed process left is swept away', async () => {
  mkdirSync(join(folder, 'cache/unfinished-1'), { recursive: true })
  await cache.sweep()
  expect(existsSync(join(folder, 'cache/unfinished-1'))).toBe(false)
})

test('only what was used last is kept', async () => {
  const root = aRoot('one', 'fresh')
  for (let key = 0; key < 12; key++) {
    await cache.keep(`key-${key}`, root, ['deps'])
    await cache.restore('key-0', root)
  }
  const kept = readdirSync(join(folder, 'cache'))
  expect(kept).toHaveLength(8)
  expect(kept).toContain('key-0')
  expect(kept).toContain('key-11')
})
