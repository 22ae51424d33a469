import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { exportLog, importLog, type Exported, type ExportedStore } from '../../src/app/upkeep/transfer.ts'
import { openStore, openStoreForReading, type Store } from '../../src/store/open-store.ts'
import { note, sampleCodec, type SampleEvent } from '../helpers/store-events.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const STREAMS = 7
const EVENTS = 3000
let folder: string

beforeEach(async () => {
  folder = tempFolder('transfer')
})

async function open(name: string): Promise<Store<SampleEvent>> {
  const opened = await openStore({ root: join(folder, name), codec: sampleCodec })
  if (!opened.ok) throw new Error('held')
  return opened.store
}

async function fill(store: Store<SampleEvent>): Promise<void> {
  const asked = Array.from({ length: EVENTS }, (_, index) =>
    store.log.append({
      stream: `r/s${index % STREAMS}`,
      expectedVersion: Math.floor(index / STREAMS),
      at: index,
      events: [note(`${index} ${'x'.repeat(60)}`)],
    }),
  )
  await Promise.all(asked)
  await store.log.closeStream('r/s3')
  await store.repositories.register(folder, 5)
}

async function exported(store: ExportedStore<SampleEvent>): Promise<{ text: string; answer: Exported }> {
  let text = ''
  const answer = await exportLog(store, (chunk) => {
    text += chunk
  })
  return { text, answer }
}

const importText = (store: Store<SampleEvent>, text: string) =>
  importLog(store, () => text.split('\n').slice(0, -1), sampleCodec)

test('a store, exported beside its writer and imported into an empty one, exports the same bytes', async () => {
  const store = await open('from')
  await fill(store)
  const reading = await openStoreForReading({ root: join(folder, 'from'), codec: sampleCodec })
  if (!reading.ok) throw new Error('nothing to read')
  const { text, answer } = await exported(reading.store)
  expect(answer).toMatchObject({ stopped: null, events: EVENTS })
  await reading.store.close()

  const copy = await open('to')
  expect(await importText(copy, text)).toEqual({ ok: true, written: EVENTS, skipped: 0, stopped: null })
  expect((await exported(copy)).text).toBe(text)
  expect(await importText(copy, text)).toMatchObject({ ok: true, written: 0, skipped: EVENTS })
  expect(await copy.log.tail(0, EVENTS)).toEqual(await store.log.tail(0, EVENTS))
  expect(await copy.repositories.list()).toEqual(await store.repositories.list())
  await store.close()
  await copy.close()
})

test('what can be read of a damaged store can be exported and imported', async () => {
  const store = await open('from')
  await fill(store)
  const { text: whole } = await exported(store)
  await store.close()
  const path = join(folder, 'from', 'bosun.db')
  const bytes = await readFile(path)
  // A page of the events table, in the middle of the log.
  const page = Math.floor(bytes.indexOf(`${EVENTS / 2} xxxx`) / 4096)
  bytes.fill(0xa5, page * 4096, (page + 1) * 4096)
  await writeFile(path, bytes)

  const damaged = await open('from')
  const { text, answer } = await exported(damaged)
  expect(answer).toMatchObject({ stopped: { problem: 'damaged' } })
  expect(answer.events).toBeGreaterThan(EVENTS / 4)
  await damaged.close()

  const copy = await open('to')
  expect(await importText(copy, text)).toMatchObject({ ok: true, written: answer.events })
  const entries = text.split('\n').slice(0, answer.events + 1)
  expect(whole.startsWith(entries.join('\n'))).toBe(true)
  expect(await copy.repositories.list()).toMatchObject([{ path: folder }])
  await copy.close()
})
