import {
  lstatSync,
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
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  atomicCreateSync,
  atomicWrite,
  atomicWriteSync,
  atomicWriteText,
  writeOutput,
} from './atomic-write.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bosun-atomic-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const modeOf = (path: string): number => statSync(path).mode & 0o777

const WRITERS = {
  'atomicWriteSync with sync': async (path: string, text: string) => atomicWriteSync(path, text),
  'atomicWriteSync without sync': async (path: string, text: string) =>
    atomicWriteSync(path, text, { sync: 'none' }),
  atomicWriteText: (path: string, text: string) => atomicWriteText(path, text),
}

describe.each(Object.entries(WRITERS))('%s', (_, write) => {
  test('replaces a file, readable by its owner alone, and leaves no other file', async () => {
    const path = join(folder, 'state.json')
    await write(path, 'one')
    await write(path, 'two')
    expect([readFileSync(path, 'utf8'), modeOf(path)]).toEqual(['two', 0o600])
    expect(readdirSync(folder)).toEqual(['state.json'])
  })

  test('replaces a link and leaves its target unchanged', async () => {
    const target = join(folder, 'other')
    writeFileSync(target, 'mine')
    const path = join(folder, 'state.json')
    symlinkSync(target, path)
    await write(path, 'new')
    expect([readFileSync(target, 'utf8'), lstatSync(path).isSymbolicLink()]).toEqual(['mine', false])
  })

  test('fails where the folder is missing or the path is a folder, and leaves no temporary file', async () => {
    await expect(write(join(folder, 'missing', 'state.json'), 'new')).rejects.toThrow('ENOENT')
    mkdirSync(join(folder, 'folder'))
    await expect(write(join(folder, 'folder'), 'new')).rejects.toThrow()
    expect(readdirSync(folder)).toEqual(['folder'])
  })

  test('succeeds where a process with the same id left its temporary file', async () => {
    writeFileSync(join(folder, `.state.json.${process.pid}.part`), 'half')
    await write(join(folder, 'state.json'), 'new')
    expect(readFileSync(join(folder, 'state.json'), 'utf8')).toBe('new')
  })
})

test('a file gets the mode it is given', async () => {
  atomicWriteSync(join(folder, 'script'), '#!/bin/sh\n', { mode: 0o700 })
  await atomicWriteText(join(folder, 'note'), 'x', { mode: 0o640 })
  expect([modeOf(join(folder, 'script')), modeOf(join(folder, 'note'))]).toEqual([0o700, 0o640])
})

test('only the first call creates a file, and its content stays', () => {
  const path = join(folder, 'identity.json')
  expect([atomicCreateSync(path, 'first'), atomicCreateSync(path, 'second')]).toEqual([true, false])
  expect([readFileSync(path, 'utf8'), modeOf(path)]).toEqual(['first', 0o600])
  expect(() => atomicCreateSync(join(folder, 'missing/c'), 'x')).toThrow('ENOENT')
  expect(readdirSync(folder)).toEqual(['identity.json'])
})

test('pieces are written in order, and the result is that of the writer', async () => {
  const path = join(folder, 'log')
  const result = await atomicWrite(path, async (append) => {
    await append('a\n')
    await append('b\n')
    return 2
  })
  expect(result).toBe(2)
  expect(readFileSync(path, 'utf8')).toBe('a\nb\n')
  expect(readdirSync(folder)).toEqual(['log'])
})

test('a file stays as it was when writing the new one fails', async () => {
  const path = join(folder, 'log')
  writeFileSync(path, 'old')
  const failing = atomicWrite(path, async (append) => {
    await append('half')
    throw new Error('stopped')
  })
  await expect(failing).rejects.toThrow('stopped')
  expect(readFileSync(path, 'utf8')).toBe('old')
  expect(readdirSync(folder)).toEqual(['log'])
})

test('an output that is a device is written to, not replaced', async () => {
  await writeOutput('/dev/null', (append) => append('x'), {})
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
})

test('an output that is a folder is refused', async () => {
  const writing = writeOutput(folder, (append) => append('x'), {})
  await expect(writing).rejects.toMatchObject({ code: 'EISDIR' })
})

test('an output that is a file is replaced whole', async () => {
  const path = join(folder, 'log')
  writeFileSync(path, 'old')
  await writeOutput(path, (append) => append('new'), { mode: 0o644 })
  expect([readFileSync(path, 'utf8'), modeOf(path)]).toEqual(['new', 0o644])
})
