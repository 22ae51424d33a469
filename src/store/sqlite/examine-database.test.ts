import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { examineDatabase } from './examine-database.ts'
import { openStore } from '../open-store.ts'
import { note, sampleCodec } from '../../../test/helpers/store-events.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'bosun-examine-'))
})
afterEach(() => rm(root, { recursive: true }))

async function fill(): Promise<string> {
  const opened = await openStore({ root, codec: sampleCodec })
  if (!opened.ok) throw new Error('held')
  const events = Array.from({ length: 500 }, (_, index) => note(`${index} ${'x'.repeat(100)}`))
  await opened.store.log.append({ stream: 'r/shop', expectedVersion: 0, at: 1, events })
  await opened.store.close()
  return join(root, 'bosun.db')
}
const examine = () =>
  examineDatabase({ root, codec: sampleCodec, isLocked: true }, (log) => log.streams({ open: true }))

test('a sound database passes, and a missing one is no problem', async () => {
  expect(await examine()).toBe(null)
  await fill()
  expect(await examine()).toEqual([{ stream: 'r/shop', version: 500, closed: false }])
})

test.each([
  ['garbage', 'damaged', (path: string) => writeFile(path, 'no database at all, whatever its name says')],
  [
    'a newer schema',
    'other_schema',
    async (path: string) => {
      const db = new DatabaseSync(path)
      db.exec('pragma user_version = 99')
      db.close()
    },
  ],
  ['a cut file', 'damaged', (path: string) => truncate(path, 20_000)],
])('%s is found, with its remedy', async (_, problem, spoil) => {
  await spoil(await fill())
  await expect(examine()).rejects.toMatchObject({ problem, remedy: expect.stringMatching(/./) })
})
