import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CheckoutFiles } from './checkout-files.ts'

describe('a checkout is looked into without leaving it', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bosun-files-'))
    mkdirSync(join(folder, 'root/src'), { recursive: true })
    mkdirSync(join(folder, 'root/node_modules/dep'), { recursive: true })
    writeFileSync(join(folder, 'secret.txt'), 'secret')
    writeFileSync(join(folder, 'root/src/a.js'), 'one\ntwo\n')
    writeFileSync(join(folder, 'root/src/b.bin'), Buffer.from([1, 0, 2]))
    writeFileSync(join(folder, 'root/node_modules/dep/index.js'), '')
    symlinkSync('../secret.txt', join(folder, 'root/link.txt'))
    symlinkSync('..', join(folder, 'root/up'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  test('text files have lines', () => {
    const files = new CheckoutFiles(join(folder, 'root'))
    expect(files.lines('src/a.js')).toEqual(['one', 'two'])
    expect(files.has('src')).toBe(true)
    expect(files.isFile('src')).toBe(false)
  })

  test.each(['link.txt', 'up/secret.txt', '../secret.txt', '/etc/hostname', 'src/b.bin', 'gone.js', 'src'])(
    '%s has no text',
    (path) => {
      expect(new CheckoutFiles(join(folder, 'root')).text(path)).toBeNull()
    },
  )

  test('links and dependencies are not listed', () => {
    const { files } = new CheckoutFiles(join(folder, 'root')).listing()
    expect([...files].sort()).toEqual(['src/a.js', 'src/b.bin'])
  })
})
