import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ActivityFile, type ActivityLine } from './activity-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bosun-activity-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const line = (event: string): ActivityLine => ({ timestamp: '2026-01-05T09:00:00.000Z', event, data: {} })
const path = (): string => join(folder, 'pm-activity.jsonl')
const eventsIn = async (file: ActivityFile): Promise<string[]> =>
  (await file.read()).lines.map(({ event }) => event)

test('knows after a restart what it holds, also where the last event had several lines', async () => {
  const first = await ActivityFile.open(folder)
  await first.appendEntry(7, [line('a')])
  await first.appendEntry(9, [line('b'), line('c'), line('d')])
  await first.appendNote(line('note'))
  await first.close()
  const text = readFileSync(path(), 'utf8').split('\n')
  writeFileSync(path(), `${text.slice(0, 3).join('\n')}\n{"timestamp": "cut sho`)

  const second = await ActivityFile.open(folder)
  expect(second.written).toEqual({ seq: 9, lines: 2 })
  await second.appendEntry(7, [line('a')])
  await second.appendEntry(9, [line('b'), line('c'), line('d')])
  expect(await eventsIn(second)).toEqual(['a', 'b', 'c', 'd'])
  await second.close()
})

test('is put aside when it has grown, and read as one', async () => {
  const file = await ActivityFile.open(folder, 300)
  for (let seq = 1; seq <= 12; seq++) await file.appendEntry(seq, [line(`event-${seq}`)])
  expect(readdirSync(folder).length).toBeGreaterThan(2)
  expect((await eventsIn(file)).at(-1)).toBe('event-12')
  await file.close()
  const again = await ActivityFile.open(folder, 300)
  expect(again.written.seq).toBe(12)
  await again.close()
})

test('old files are given up, and no more than a few are kept', async () => {
  const file = await ActivityFile.open(folder, 100)
  for (let seq = 1; seq <= 30; seq++) await file.appendEntry(seq, [line(`event-${seq}`)])
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
