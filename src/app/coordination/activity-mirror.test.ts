import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { notesInMemory } from '../../../test/helpers/test-host.ts'
import { logCodec, type LogEvent } from '../../core/log/log-events.ts'
import { systemClock } from '../../lib/system/system-clock.ts'
import { MemoryEventLog } from '../../store/memory-event-log.ts'
import { ActivityMirror } from './activity-mirror.ts'
import { Notes } from '../activity/read-activity.ts'

let root: string
let log: MemoryEventLog<LogEvent>
let notes: Notes
let stored: Awaited<ReturnType<typeof notesInMemory>>
const problems: string[] = []
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'bosun-mirror-'))
  log = new MemoryEventLog<LogEvent>(logCodec)
  stored = await notesInMemory()
  notes = new Notes({ notes: stored, onError })
  problems.length = 0
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const onError = (what: string, error: unknown): void => void problems.push(`${what}: ${String(error)}`)
const folder = (): string => join(root, 'repos/shop/coordination')
const path = (): string => join(folder(), 'pm-activity.jsonl')
const position = (): string => join(root, 'activity-mirror.json')
const open = (): Promise<ActivityMirror> =>
  ActivityMirror.open({ root, clock: systemClock, log, notes: stored, onError }, notes)

let at = Date.UTC(2026, 0, 5, 9)
let version = 0
beforeEach(() => (version = 0))
async function report(text: string): Promise<void> {
  const event = { type: 'progress.reported', v: 1, why: text, text } as const
  await log.append({ stream: 'shop/p', expectedVersion: version++, at: at++, events: [event] })
}
const note = (event: string): Promise<void> => notes.add({ repository: 'shop', at: at++, event, data: {} })
const namesIn = (file = path()): string[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { event: string; data: { why?: string } })
    .map(({ event, data }) => data.why ?? event)

/** Everything up to now is in the files. */
async function mirrored(): Promise<void> {
  const mirror = await open()
  await mirror.close()
}

test('events and notes are mirrored in the order of time', async () => {
  await report('a')
  await note('b')
  await report('c')
  await mirrored()
  expect(namesIn()).toEqual(['a', 'b', 'c'])
})

test('a daemon killed at any moment between two writes leaves no line out and repeats none', async () => {
  await report('a')
  await note('b')
  await mirrored()
  const [file, place] = [readFileSync(path(), 'utf8'), readFileSync(position(), 'utf8')]
  await report('c')
  await note('d')
  await mirrored()
  const whole = readFileSync(path(), 'utf8')
  for (let length = file.length; length <= whole.length; length += 7) {
    writeFileSync(path(), whole.slice(0, length))
    writeFileSync(position(), place)
    await mirrored()
    expect(readFileSync(path(), 'utf8'), `killed after ${length} bytes`).toBe(whole)
  }
})

test('the files are written anew where the position is lost', async () => {
  await report('a')
  await note('b')
  await mirrored()
  rmSync(position())
  await mirrored()
  expect(namesIn()).toEqual(['a', 'b'])
})

test('a file that was deleted begins with what happens next', async () => {
  await report('a')
  await mirrored()
  rmSync(path())
  await report('b')
  await mirrored()
  expect(namesIn()).toEqual(['b'])
})

test('a file that has grown is put aside, and no more than four of those are kept', async () => {
  const mirror = await open()
  for (let nth = 0; nth < 60; nth++) {
    await notes.add({ repository: 'shop', at: at++, event: `n${nth}`, data: { x: 'x'.repeat(1_000_000) } })
    await mirror.settled()
  }
  await mirror.close()
  const files = readdirSync(folder()).toSorted()
  expect(files).toEqual([1, 2, 3, 4].map((age) => `pm-activity.${age}.jsonl`).concat('pm-activity.jsonl'))
  const names = files.flatMap((name) => namesIn(join(folder(), name)))
  expect([names.length, new Set(names).size]).toEqual([names.length, names.length])
  expect(namesIn().at(-1)).toBe('n59')
})

test('a repository whose folder is not usable does not keep the others from being mirrored', async () => {
  const { symlinkSync, mkdirSync } = await import('node:fs')
  mkdirSync(join(root, 'repos/blog'), { recursive: true })
  symlinkSync(tmpdir(), join(root, 'repos/blog/coordination'))
  await notes.add({ repository: 'blog', at: at++, event: 'x', data: {} })
  await note('y')
  await mirrored()
  expect(namesIn()).toEqual(['y'])
  expect(problems).toEqual([expect.stringContaining('is a symbolic link')])
})
