import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { MOST_INPUT, readStartInput } from './read-input.ts'

const cwd = mkdtempSync(join(tmpdir(), 'bosun-input-'))
afterAll(() => rmSync(cwd, { recursive: true }))
writeFileSync(join(cwd, 'issue.md'), 'It breaks')
writeFileSync(join(cwd, 'empty.md'), ' \n')
writeFileSync(join(cwd, 'picture'), Buffer.from([137, 80, 78, 71, 0, 1]))
writeFileSync(join(cwd, 'latin1.txt'), Buffer.from([0x66, 0xfc, 0x72]))
writeFileSync(join(cwd, 'huge.txt'), Buffer.alloc(MOST_INPUT + 1, 'x'))
symlinkSync('/dev/zero', join(cwd, 'endless'))

const read = (given: string, input = '') =>
  readStartInput({ given, cwd, readInput: () => Promise.resolve(Buffer.from(input)) })

test('a sentence is itself, a path is its file, and - is standard input', async () => {
  expect(await read('fix typo in README')).toEqual({ text: 'fix typo in README', path: null, fileName: null })
  expect(await read('issue.md')).toEqual({ text: 'It breaks', path: 'issue.md', fileName: 'issue.md' })
  expect(await read('-', 'from a pipe')).toMatchObject({ text: 'from a pipe', path: null })
  expect(await read('x '.repeat(5000))).toMatchObject({ path: null })
})

test.each([
  ['', 'the request is empty'],
  ['empty.md', 'empty.md is empty'],
  ['missing.md', 'no such file: missing.md'],
  ['./nowhere', 'no such file: ./nowhere'],
  ['.', '. is a directory'],
  ['endless', 'endless is a device'],
  ['picture', 'picture is not a text'],
  ['latin1.txt', 'latin1.txt is not a text'],
  ['huge.txt', 'huge.txt is larger than 20 MB'],
])('%j is refused: %s', async (given, message) => {
  await expect(read(given)).rejects.toMatchObject({ message, remedy: expect.stringMatching(/\S/) })
})
