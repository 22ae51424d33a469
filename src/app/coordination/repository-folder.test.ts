import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { forgetMessages, placeMessages, takenMessages } from './repository-folder.ts'

let root: string
let folder: string
const nudge = { id: 1, kind: 'nudge', text: 'Say where you are.' } as const
const answer = { id: 2, kind: 'answer', text: 'yes' } as const
const texts = (): string[] => readdirSync(join(folder, 'w-1')).filter((name) => name.endsWith('.txt'))

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bosun-messages-'))
  folder = join(root, 'worker-messages')
})
afterEach(() => rmSync(root, { recursive: true }))

test('what waits is put there once, without what a terminal would obey', () => {
  placeMessages(folder, 'w-1', [{ ...nudge, text: 'hello \u001b[31mred\u001b]0;x\u0007\nagain' }])
  placeMessages(folder, 'w-1', [{ ...nudge, text: 'hello' }])
  expect(readFileSync(join(folder, 'w-1/1.txt'), 'utf8')).toBe('nudge: hello red\nagain\n')
})

test('a file that is gone was taken by its worker, also when the daemon was another then', () => {
  placeMessages(folder, 'w-1', [nudge, answer])
  expect(takenMessages(folder, 'w-1', [nudge, answer])).toEqual([])
  rmSync(join(folder, 'w-1/1.txt'))
  placeMessages(folder, 'w-1', [nudge, answer])
  expect([texts(), takenMessages(folder, 'w-1', [nudge, answer])]).toEqual([['2.txt'], [1]])
})

test('what was never put there was not taken', () => {
  expect(takenMessages(folder, 'w-1', [nudge])).toEqual([])
})

test('what waits no more goes, and so does what was for a worker that is no more', () => {
  placeMessages(folder, 'w-1', [nudge, answer])
  placeMessages(folder, 'w-1', [answer])
  expect(texts()).toEqual(['2.txt'])
  placeMessages(folder, 'w-1', [])
  expect(readdirSync(join(folder, 'w-1'))).toEqual([])
  forgetMessages(folder, new Set())
  expect(readdirSync(folder)).toEqual([])
})

test('nothing is made for a worker that nothing waits for', () => {
  placeMessages(folder, 'w-1', [])
  expect(readdirSync(root)).toEqual([])
})

test('nothing is written through a link', () => {
  symlinkSync(root, folder)
  expect(() => placeMessages(folder, 'w-1', [nudge])).toThrow(/symbolic link/)
})
