import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, readdir, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStore, type Store } from '../open-store.ts'
import { note, sampleCodec, textsOf, type SampleEvent } from '../../../test/helpers/store-events.ts'

let root: string
let database: string
const opened: Store<SampleEvent>[] = []

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'bosun-files-'))
  database = join(root, 'bosun.db')
})
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
  await rm(root, { recursive: true })
})

async function open(): Promise<Store<SampleEvent>> {
  const answer = await openStore({ root, codec: sampleCodec })
  if (!answer.ok) throw new Error(`held by ${answer.pid}`)
  opened.push(answer.store)
  return answer.store
}

/** Opens it again as after a kill: what the first one had open is never closed properly. */
const openAfterClose = async (store: Store<SampleEvent>): Promise<Store<SampleEvent>> => {
  await store.close()
  return open()
}

const write = (store: Store<SampleEvent>, expectedVersion: number, ...texts: string[]) =>
  store.log.append({ stream: 'r/shop', expectedVersion, at: 1, events: texts.map(note) })

const read = async (store: Store<SampleEvent>) => textsOf(await store.log.read('r/shop', 0, 100))

const rescued = async (): Promise<string> => {
  const name = (await readdir(root)).find((one) => one.startsWith('bosun.db.rescued-'))
  if (name === undefined) throw new Error('nothing was rescued')
  return join(root, name)
}

const textsIn = (path: string): unknown[] => {
  const db = new DatabaseSync(path, { readOnly: true })
  const rows = db.prepare('select data from events order by seq').all()
  db.close()
  return rows.map(({ data }) => (JSON.parse(String(data)) as { readonly text: string }).text)
}

describe('a write-ahead log that is removed under a running store', () => {
  test('is written into the database, and later appends are durable again', async () => {
    const store = await open()
    await write(store, 0, 'a')
    await rm(`${database}-wal`)
    await write(store, 1, 'b')
    expect(store.lostNow()).toBe(null)
    // Another program that opens the files by their names sees everything that was acknowledged.
    await copyFile(database, join(root, 'copy.db'))
    if (existsSync(`${database}-wal`)) await copyFile(`${database}-wal`, join(root, 'copy.db-wal'))
    expect(textsIn(join(root, 'copy.db'))).toEqual(['a', 'b'])
    expect(await read(await openAfterClose(store))).toEqual(['a', 'b'])
  })

  test('is noticed by a check while nothing is appended', async () => {
    const store = await open()
    await write(store, 0, 'a')
    await rm(`${database}-wal`)
    expect(store.lostNow()).toBe(null)
    await copyFile(database, join(root, 'copy.db'))
    expect(textsIn(join(root, 'copy.db'))).toEqual(['a'])
  })

  test('and replaced by another file is put aside, so that no start applies it', async () => {
    const store = await open()
    await write(store, 0, 'a')
    await rm(`${database}-wal`)
    await writeFile(`${database}-wal`, 'of another database')
    await write(store, 1, 'b')
    expect(await read(await openAfterClose(store))).toEqual(['a', 'b'])
    expect((await readdir(root)).some((name) => name.startsWith('bosun.db-wal.unknown-'))).toBe(true)
  })

  test('by being emptied in place: nothing more is acknowledged, and what can be read is kept', async () => {
    const store = await open()
    await write(store, 0, 'a')
    await truncate(`${database}-wal`, 0)
    await expect(write(store, 1, 'b')).rejects.toMatchObject({ problem: 'replaced' })
    expect(textsIn(await rescued())).toEqual(['a'])
  })
})

describe('a database that is replaced under a running store', () => {
  const ways: [string, () => Promise<void>][] = [
    ['removed', () => rm(database)],
    ['moved away', () => rename(database, join(root, 'elsewhere.db'))],
    [
      'replaced by another file',
      async () => {
        await writeFile(join(root, 'new.db'), '')
        await rename(join(root, 'new.db'), database)
      },
    ],
    ['emptied', () => truncate(database, 0)],
    ['overwritten in place', () => writeFile(database, 'x'.repeat(200_000))],
  ]

  test.each(ways)('by being %s acknowledges nothing more, and says so at once', async (_, spoil) => {
    const store = await open()
    await write(store, 0, 'a')
    await spoil()
    await expect(write(store, 1, 'b')).rejects.toMatchObject({ name: 'StoreError', problem: 'replaced' })
    await expect(write(store, 1, 'c')).rejects.toMatchObject({ problem: 'replaced' })
    expect((await store.lost).problem).toBe('replaced')
  })

  test.each(ways.slice(0, 3))('by being %s keeps everything acknowledged in a file', async (_, spoil) => {
    const store = await open()
    await write(store, 0, 'a', 'b')
    await write(store, 2, 'c')
    await spoil()
    const lost = store.lostNow()
    expect(textsIn(await rescued())).toEqual(['a', 'b', 'c'])
    expect(lost?.message).toContain(await rescued())
    expect(lost?.remedy).toContain('mv ')
  })

  test('leaves no write-ahead log behind that would be applied to the new one', async () => {
    const store = await open()
    await write(store, 0, 'a')
    await rm(database)
    store.lostNow()
    expect(existsSync(`${database}-wal`)).toBe(false)
    await store.close()
    await rename(await rescued(), database)
    expect(await read(await open())).toEqual(['a'])
  })

  test('is not recreated empty while a rescued copy is beside it', async () => {
    const store = await open()
    await write(store, 0, 'a')
    await rm(database)
    store.lostNow()
    await store.close()
    await expect(open()).rejects.toMatchObject({
      problem: 'replaced',
      remedy: expect.stringContaining('mv '),
    })
  })
})

describe('what another program may do to a running store', () => {
  test('touching the files changes nothing', async () => {
    const store = await open()
    await write(store, 0, 'a')
    const later = new Date(Date.now() + 60_000)
    await utimes(database, later, later)
    await utimes(`${database}-wal`, later, later)
    await write(store, 1, 'b')
    expect(store.lostNow()).toBe(null)
  })

  test('a backup program may checkpoint and truncate the write-ahead log', async () => {
    const store = await open()
    await write(store, 0, 'a')
    const other = new DatabaseSync(database)
    other.exec('pragma wal_checkpoint(truncate)')
    other.close()
    await write(store, 1, 'b')
    expect(await read(await openAfterClose(store))).toEqual(['a', 'b'])
  })
})
