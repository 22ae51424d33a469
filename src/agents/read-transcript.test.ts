import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { identify } from '../lib/process/processes.ts'
import type { TranscriptPage } from '../ports/transcript.ts'
import { readTranscript } from './read-transcript.ts'

let root: string
let folder: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bosun-transcript-'))
  folder = join(root, 'repos', 'shop', 'workers', 'w-1')
  mkdirSync(folder, { recursive: true })
  job('acp')
  put('identity.json', JSON.stringify({ supervisor: identify(process.pid), agent: null }))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const put = (name: string, text: string): void => writeFileSync(join(folder, name), text)
const add = (name: string, text: string): void => appendFileSync(join(folder, name), text)
const job = (protocol: 'acp' | 'command'): void =>
  put(
    'job.json',
    JSON.stringify({
      plan: 'shop',
      role: 'developer',
      protocol,
      agent: 'mine',
      mark: 'm',
      workspace: '/w',
      containment: {},
      choice: { model: null, effort: null, why: null, candidates: null },
    }),
  )
const message = (text: string): string => `${JSON.stringify({ at: 5, kind: 'message', text })}\n`
const read = (after: string | null = null): TranscriptPage => {
  const page = readTranscript(root, { repository: 'shop', worker: 'w-1' }, after)
  if (page === null) throw new Error('it left nothing')
  return page
}
const texts = ({ entries }: TranscriptPage): readonly string[] => entries.map(({ text }) => text)

test('a page goes on where the last one ended, and a line counts once it is whole', () => {
  put('transcript.jsonl', `${message('one')}{"at":6,"kind":"th`)
  const first = read()
  expect([texts(first), first.isOver, first.hasMore]).toEqual([['one'], false, false])
  add('transcript.jsonl', 'ought","text":"two"}\n')
  expect(read(first.next).entries).toMatchObject([{ at: 6, kind: 'thought', text: 'two' }])
})

test('nothing is lost or read twice when the file is set aside while it is read', () => {
  put('transcript.jsonl', message('one'))
  const { next } = read()
  add('transcript.jsonl', message('two'))
  renameSync(join(folder, 'transcript.jsonl'), join(folder, 'transcript.jsonl.1'))
  put('transcript.jsonl', message('three'))
  expect(texts(read(next))).toEqual(['two', 'three'])
  expect(texts(read())).toEqual(['one', 'two', 'three'])
})

test('a long transcript comes in several pages', () => {
  const long = 'x'.repeat(1000)
  put('transcript.jsonl', Array.from({ length: 1200 }, (_, at) => message(`${at} ${long}`)).join(''))
  const all: string[] = []
  let page = read()
  for (; page.hasMore; page = read(page.next)) all.push(...texts(page))
  all.push(...texts(page))
  expect(all.map((text) => Number(text.split(' ')[0]))).toEqual(Array.from({ length: 1200 }, (_, at) => at))
})

test('the output of a plain command is shown as it is, its last line once it has ended', () => {
  job('command')
  put('output.log', 'a\nb')
  expect(texts(read())).toEqual(['a\n'])
  put('result.json', '{}')
  const page = read()
  expect([texts(page), page.isOver]).toEqual([['a\nb'], true])
})

test('a worker whose supervisor is gone has ended', () => {
  put('identity.json', JSON.stringify({ supervisor: { boot: 'x', pid: 1, start: '0' }, agent: null }))
  expect(read().isOver).toBe(true)
})

test('lines of other versions and places that make no sense are passed over', () => {
  put('transcript.jsonl', `{"kind":"hologram"}\nnull\n[]\n${message('one')}`)
  for (const after of ['transcript:1:2', 'x', 'transcript:999999999999999999999:1', 'output:1:1'])
    expect(texts(read(after))).toEqual(['one'])
})

test.each(['../w-1', 'w-2', ''])('%j names no transcript', (worker) => {
  expect(readTranscript(root, { repository: 'shop', worker }, null)).toBeNull()
})
