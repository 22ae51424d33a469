import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { replaceFile } from './replace-file.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bosun-replace-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('the pieces are written in order, and the answer is that of the writer', async () => {
  const path = join(folder, 'log')
  const answer = await replaceFile(path, async (append) => {
    await append('a\n')
    await append('b\n')
    return 2
  })
  expect(answer).toBe(2)
  expect(await readFile(path, 'utf8')).toBe('a\nb\n')
  expect(await readdir(folder)).toEqual(['log'])
})

test('a file stays as it was when writing the new one fails', async () => {
  const path = join(folder, 'log')
  await writeFile(path, 'old')
  const failing = replaceFile(path, async (append) => {
    await append('half')
    throw new Error('stopped')
  })
  await expect(failing).rejects.toThrow('stopped')
  expect(await readFile(path, 'utf8')).toBe('old')
  expect(await readdir(folder)).toEqual(['log'])
})

test('a device is written to, not replaced', async () => {
  await replaceFile('/dev/null', (append) => append('x'))
  expect(await readFile('/dev/null', 'utf8')).toBe('')
})

test('a folder is refused', async () => {
  await mkdir(join(folder, 'there'))
  await expect(replaceFile(join(folder, 'there'), (append) => append('x'))).rejects.toMatchObject({
    code: 'EISDIR',
  })
})
