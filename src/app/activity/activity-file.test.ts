import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ActivityLine } from '../../protocol/answers.ts'
import { ActivityFile } from './activity-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bosun-activity-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const line = (event: string): ActivityLine => ({ timestamp: '2026-01-05T09:00:00.000Z', event, data: {} })
const path = (): string => join(folder, 'pm-activity.jsonl')
const add = (file: ActivityFile, seq: number, ...lines: readonly ActivityLine[]): Promise<void> =>
  file.appendEntries([{ seq, lines }])
const eventsIn = async (file: ActivityFile): Promise<string[]> =>
  (await file.read()).lines.map(({ event }) => event)

test('knows after a restart what it holds, also where the last event had several lines', async () => {
  const first = await ActivityFile.open(folder)
  await add(first, 7, line('a'))
  await add(first, 9, line('b'), line('c'), line('d'))
  await first.appendNote(line('note'))
  await first.close()
  const text = readFileSync(path(), 'utf8').split('\n')
  writeFileSync(path(), `${text.slice(0, 3).join('\n')}\n{"timestamp": "cut sho`)

  const second = await ActivityFile.open(folder)
  expect(second.written).toEqual({ seq: 9, lines: 2 })
  await add(second, 7, line('a'))
  await add(second, 9, line('b'), line('c'), line('d'))
  expect(await eventsIn(second)).toEqual(['a', 'b', 'c', 'd'])
  await second.close()
})

test('takes many events at once, and adds what is missing of them', async () => {
  const file = await ActivityFile.open(folder)
  const entries = [
    { seq: 3, lines: [line('a')] },
    { seq: 4, lines: [] },
    { seq: 6, lines: [line('b'), line('c')] },
  ]
  await file.appendEntries(entries.slice(0, 1))
  await file.appendEntries(entries)
  await file.appendEntries(entries)
  expect(await eventsIn(file)).toEqual(['a', 'b', 'c'])
  expect(file.written).toEqual({ seq: 6, lines: 2 })
  await file.close()
})

test('more than fits is spread over several files', async () => {
  const file = await ActivityFile.open(folder, 200_000)
  const long = { ...line('a'), data: { text: 'x'.repeat(30_000) } }
  await file.appendEntries(Array.from({ length: 12 }, (_, at) => ({ seq: at + 1, lines: [long] })))
  expect(readdirSync(folder).length).toBeGreaterThan(1)
  expect(await eventsIn(file)).toHaveLength(12)
  await file.close()
})

test('is put aside when it has grown, and read as one', async () => {
  const file = await ActivityFile.open(folder, 300)
  for (let seq = 1; seq <= 12; seq++) await add(file, seq, line(`event-${seq}`))
  expect(readdirSync(folder).length).toBeGreaterThan(2)
  expect((await eventsIn(file)).at(-1)).toBe('event-12')
  await file.close()
  const again = await ActivityFile.open(folder, 300)
  expect(again.written.seq).toBe(12)
  await again.close()
})

test('old files are given up, and no more than a few are kept', async () => {
  const file = await ActivityFile.open(folder, 100)
  for (let seq = 1; seq <= 30; seq++) await add(file, seq, line(`event-${seq}`))
  expect(readdirSync(folder)).toHaveLength(5)
  expect((await eventsIn(file)).length).toBeLessThan(30)
  await file.close()
})

test('says how many lines it cannot read', async () => {
  const file = await ActivityFile.open(folder)
  await file.appendNote(line('a'))
  appendFileSync(path(), 'somebody was here\n{"event": 7}\n')
  expect(await file.read()).toMatchObject({ lines: [{ event: 'a' }], unreadable: 2 })
  await file.close()
})
