import {
  existsSync,
  mkdirSync,
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
import { placeFiles, removeFiles } from './env-file-copies.ts'

let folder: string
let from: string
let to: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bosun-loose-'))
  from = join(folder, 'from')
  to = join(folder, 'to')
  mkdirSync(join(from, 'config/local'), { recursive: true })
  mkdirSync(to)
  writeFileSync(join(from, '.env'), 'KEY=1')
  writeFileSync(join(from, 'config/local/.env'), 'KEY=2')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('places what there is for its owner alone, and leaves what lies there', async () => {
  writeFileSync(join(to, '.env'), 'of the tree')
  const paths = ['.env', 'config/local/.env', '.env.gone', 'config']
  expect(await placeFiles({ from, to, paths })).toEqual(['config/local/.env'])
  expect(readFileSync(join(to, '.env'), 'utf8')).toBe('of the tree')
  expect(readFileSync(join(to, 'config/local/.env'), 'utf8')).toBe('KEY=2')
  expect(statSync(join(to, 'config/local/.env')).mode & 0o777).toBe(0o600)
})

test('removes what it placed, and the folders that are empty then', async () => {
  const paths = ['.env', 'config/local/.env']
  await placeFiles({ from, to, paths })
  writeFileSync(join(to, 'config/more'), '')
  await removeFiles(to, [...paths, 'nothing'])
  expect(readdirSync(to)).toEqual(['config'])
  expect(readdirSync(join(to, 'config'))).toEqual(['more'])
})

test.each(['elsewhere', 'to/.git', 'nowhere'])(
  'nothing is written or removed through a link to %s',
  async (target) => {
    const elsewhere = join(folder, target)
    if (target !== 'nowhere') mkdirSync(join(elsewhere, 'local'), { recursive: true })
    if (target !== 'nowhere') writeFileSync(join(elsewhere, 'local/kept'), '')
    symlinkSync(elsewhere, join(to, 'config'))
    expect(await placeFiles({ from, to, paths: ['config/local/.env'] })).toEqual([])
    await removeFiles(to, ['config/local/kept'])
    expect(existsSync(join(elsewhere, 'local/.env'))).toBe(false)
    expect(existsSync(join(elsewhere, 'local/kept'))).toBe(target !== 'nowhere')
  },
)
