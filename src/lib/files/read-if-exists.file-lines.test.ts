import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileLines } from './read-if-exists.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bosun-lines-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function linesOf(content: string | Uint8Array, maxLineChars?: number): Promise<readonly string[]> {
  const path = join(folder, 'file')
  await writeFile(path, content)
  return collect(fileLines(path, maxLineChars))
}

async function collect(lines: AsyncIterable<string>): Promise<readonly string[]> {
  const all: string[] = []
  for await (const line of lines) all.push(line)
  return all
}

test.each([
  ['', []],
  ['a', ['a']],
  ['a\n', ['a']],
  ['a\n\nb', ['a', '', 'b']],
  ['a\r\nb\n', ['a\r', 'b']],
])('%j has the lines %j', async (content, lines) => {
  expect(await linesOf(content)).toEqual(lines)
})

test('only a line feed ends a line', async () => {
  const json = JSON.stringify({ text: 'a\u2028b\u2029c\u0085d' })
  expect(await linesOf(`${json}\n`)).toEqual([json])
})

test('characters that fall between two chunks stay whole', async () => {
  const line = 'ä€😀'.repeat(30_000)
  expect(await linesOf(`x${line}\n${line}`)).toEqual([`x${line}`, line])
})

test('what is not text is refused, with its line', async () => {
  await expect(linesOf(Uint8Array.of(0x61, 0x0a, 0xff, 0xfe))).rejects.toMatchObject({
    faults: [{ message: 'not valid UTF-8 text' }],
  })
  await expect(linesOf(Uint8Array.of(0x61, 0xe2, 0x82))).rejects.toMatchObject({ code: 'failed' })
})

test('a line that does not end is refused before it fills the memory', async () => {
  await expect(linesOf(`a\nb\n${'x'.repeat(200_000)}`, 1000)).rejects.toMatchObject({
    faults: [{ line: 3, message: 'this line is longer than 1000 characters' }],
  })
})

test('a file that is not there is an error of the system', async () => {
  await expect(collect(fileLines(join(folder, 'none')))).rejects.toMatchObject({ code: 'ENOENT' })
})
