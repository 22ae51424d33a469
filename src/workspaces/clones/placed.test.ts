import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bytePath, fromText } from '../git/byte-path.ts'
import { blobName, excludeLines, NOTHING_PLACED, Placed, sortLeft } from './placed.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bosun-placed-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, text = path): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const isOurs = (placed: Placed, path: string): boolean => placed.isOurs(root, fromText(path))

describe('what a set-up left', () => {
  test('is Bosun’s with all that comes into it where it is a folder of dependencies', () => {
    write('node_modules/a/index.js')
    write('.venv/bin/python')
    const left = sortLeft(root, ['node_modules', '.venv'].map(bytePath))
    expect(left).toEqual({ folders: ['node_modules', '.venv'], files: {} })
    const placed = new Placed({ ...NOTHING_PLACED, ...left })
    write('node_modules/b/index.js')
    expect(isOurs(placed, 'node_modules/b/index.js')).toBe(true)
    expect(isOurs(placed, 'node_modules.txt')).toBe(false)
    expect(isOurs(placed, 'src/node_modules/b')).toBe(false)
  })

  test('is the worker’s from when it changes it, where it is anything else', () => {
    write('dist/a.js')
    write('dist/b.js')
    symlinkSync('a.js', join(root, 'dist/link'))
    const placed = new Placed({ ...NOTHING_PLACED, ...sortLeft(root, [bytePath('dist')]) })
    write('dist/b.js', 'of the worker')
    write('dist/c.js')
    expect(['dist/a.js', 'dist/b.js', 'dist/c.js', 'dist/link'].map((path) => isOurs(placed, path))).toEqual([
      true,
      false,
      false,
      true,
    ])
    write('dist/b.js')
    expect(isOurs(placed, 'dist/b.js')).toBe(true)
  })

  test('belongs to Bosun entirely if it holds a repository or too many files', () => {
    write('third/.git/HEAD')
    for (let file = 0; file <= 2000; file++) write(`many/${file}`)
    const left = sortLeft(root, ['third', 'many'].map(bytePath))
    expect(left).toEqual({ folders: ['third', 'many'], files: {} })
  })
})

describe('an env file', () => {
  test('is never the worker’s, whatever it makes of it', () => {
    const placed = new Placed({ ...NOTHING_PLACED, secrets: ['config/.env'] })
    write('config/.env/deep/file')
    expect(isOurs(placed, 'config/.env')).toBe(true)
    expect(isOurs(placed, 'config/.env/deep/file')).toBe(true)
    expect(isOurs(placed, 'config/.env.example')).toBe(false)
    expect(isOurs(placed, 'config')).toBe(false)
  })

  test('is known in a copy under any other name', () => {
    const content = Buffer.from('KEY=secret\n')
    const blobs = [{ sha: blobName(content, 40), bytes: content.length }]
    const placed = new Placed({ ...NOTHING_PLACED, blobs })
    write('a.txt', 'KEY=secret\n')
    write('b.txt', 'KEY=public\n')
    expect(placed.isCopy(root, bytePath('a.txt'))).toBe(true)
    expect(placed.isCopy(root, bytePath('b.txt'))).toBe(false)
    expect(placed.isCopy(root, bytePath('none'))).toBe(false)
  })
})

test('a path is excluded as it is, whatever characters it holds', () => {
  expect(excludeLines([fromText('a b*[x]?!#'), fromText('two\nlines'), fromText('é')])).toBe(
    '/a\\ b\\*\\[x\\]\\?\\!\\#\n/é\n',
  )
})
