import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { fileBytes } from './read-if-exists.ts'

const folder = mkdtempSync(join(tmpdir(), 'bosun-file-bytes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function fileOf(name: string, size: number): string {
  const file = join(folder, name)
  writeFileSync(file, 'x'.repeat(size))
  return file
}

function pipe(name: string): string {
  const file = join(folder, name)
  execFileSync('mkfifo', [file])
  return file
}

/** Opening a pipe waits for its other end, so the writer must not keep this thread. */
async function written(file: string, size: number): Promise<void> {
  const { writeFile } = process.getBuiltinModule('node:fs/promises')
  // A reader that has had enough is no failure of the writer's.
  await writeFile(file, 'x'.repeat(size)).catch(() => undefined)
}

test.each([0, 1, 65_536, 200_000])('reads all %d bytes of a file', async (size) => {
  const bytes = await fileBytes(fileOf(`of-${size}`, size), 200_000)
  expect(bytes).toHaveLength(size)
})

test('says that a file is longer than the limit', async () => {
  expect(await fileBytes(fileOf('long', 101), 100)).toBe('too_long')
})

test('reads a pipe, whose size is not known in advance', async () => {
  const file = pipe('pipe')
  const [bytes] = await Promise.all([fileBytes(file, 100_000), written(file, 100_000)])
  expect(bytes).toHaveLength(100_000)
})

test('holds the limit while reading a pipe', async () => {
  const file = pipe('long-pipe')
  const [bytes] = await Promise.all([fileBytes(file, 100_000), written(file, 1_000_000)])
  expect(bytes).toBe('too_long')
})

test('throws where there is nothing to read', async () => {
  await expect(fileBytes(join(folder, 'absent'), 1)).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(fileBytes(folder, 1)).rejects.toMatchObject({ code: 'EISDIR' })
})
