import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MessageFiles } from './message-files.ts'

let root: string
let folder: string
let files: MessageFiles
const nudge = { id: 1, kind: 'nudge', text: 'Say where you are.' } as const
const answer = { id: 2, kind: 'answer', text: 'yes' } as const
const texts = (): string[] => readdirSync(join(folder, 'w-1')).filter((name) => name.endsWith('.txt'))

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bosun-messages-'))
  folder = join(root, 'worker-messages')
  files = new MessageFiles(folder)
})
afterEach(() => rmSync(root, { recursive: true }))

test('what waits is put there once, without what a terminal would obey', () => {
  files.place('w-1', [{ ...nudge, text: 'hello \u001b[31mred\u001b]0;x\u0007\nagain' }])
  files.place('w-1', [{ ...nudge, text: 'hello' }])
  expect(readFileSync(join(folder, 'w-1/1.txt'), 'utf8')).toBe('nudge: hello red\nagain\n')
})

test('a file that is gone was taken by its worker, also when the daemon was another then', () => {
  files.place('w-1', [nudge, answer])
  expect(files.taken('w-1', [nudge, answer])).toEqual([])
  rmSync(join(folder, 'w-1/1.txt'))
  const again = new MessageFiles(folder)
  again.open()
  again.place('w-1', [nudge, answer])
  expect([texts(), again.taken('w-1', [nudge, answer])]).toEqual([['2.txt'], [1]])
})

test('what was never put there was not taken', () => {
  expect(files.taken('w-1', [nudge])).toEqual([])
})

test('what waits no more goes, and so does what was for a worker that is no more', () => {
  files.place('w-1', [nudge, answer])
  files.place('w-1', [answer])
  expect(texts()).toEqual(['2.txt'])
  files.place('w-1', [])
  expect(readdirSync(join(folder, 'w-1'))).toEqual([])
  files.forgetAllBut(() => false)
  expect(readdirSync(folder)).toEqual([])
})

test('nothing is made for a worker that nothing waits for', () => {
  files.place('w-1', [])
  expect(readdirSync(root)).toEqual([])
})

test('nothing is written through a link', () => {
  symlinkSync(root, folder)
  expect(() => files.place('w-1', [nudge])).toThrow(/symbolic link/)
})
