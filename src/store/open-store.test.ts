import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import {
  chmod,
  mkdtemp,
  mkdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SCHEMA_VERSION } from './sqlite/schema.ts'
import { openStore, openStoreForReading, type Store } from './open-store.ts'
import { note, sampleCodec, type SampleEvent } from '../../test/helpers/store-events.ts'

let root: string
const opened: { close(): Promise<void> }[] = []

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'bosun-store-'))
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

const append = (store: Store<SampleEvent>, expectedVersion: number) =>
  store.log.append({ stream: 'r/shop', expectedVersion, at: 1, events: [note('a')] })

/** Opens it as a user whom permissions hold back, which they do not for root. */
function openedAsUser(): string {
  const script = `
    const { openStore } = await import(${JSON.stringify(join(import.meta.dirname, 'open-store.ts'))})
    try {
      const { store } = await openStore({ root: process.argv[1], codec: { check: (event) => event } })
      await store.log.append({ stream: 'r/x', expectedVersion: await store.log.head(), at: 1, events: [{ type: 'a', v: 1 }] })
      await store.close()
      console.log('open')
    } catch (error) {
      console.log(error.problem ?? error.message)
    }`
  const isRoot = process.getuid?.() === 0
  if (isRoot) execFileSync('chown', ['-R', '65534:65534', root])
  const who = isRoot ? { uid: 65_534, gid: 65_534 } : {}
  const args = ['--input-type=module', '-e', script, root]
  return execFileSync(process.execPath, args, { encoding: 'utf8', ...who }).trim()
}

describe('a store', () => {
  test('keeps its events across a reopen', async () => {
    const first = await open()
    await append(first, 0)
    await first.close()
    await first.close()
    const second = await open()
    expect(await second.log.read('r/shop', 0, 10)).toHaveLength(1)
  })

  test('uses a write-ahead log, in files that only its owner can read', async () => {
    await append(await open(), 0)
    const db = new DatabaseSync(join(root, 'bosun.db'), { readOnly: true })
    expect(db.prepare('pragma journal_mode').get()).toEqual({ journal_mode: 'wal' })
    db.close()
    for (const name of ['bosun.db', 'bosun.db-wal', 'bosun.db-shm', 'lock.pid']) {
      expect((await stat(join(root, name))).mode & 0o777, name).toBe(0o600)
    }
  })

  test('has one writer at a time, and names it to a second one at once', async () => {
    const first = await open()
    expect(await openStore({ root, codec: sampleCodec })).toEqual({
      ok: false,
      why: 'held',
      pid: process.pid,
    })
    await append(first, 0)
    await first.close()
    await open()
  })

  test('can be read beside its writer, as soon as an append has resolved', async () => {
    const store = await open()
    const answer = await openStoreForReading({ root, codec: sampleCodec })
    if (!answer.ok) throw new Error('nothing to read')
    opened.push(answer.store)
    await append(store, 0)
    expect(await answer.store.log.tail(0, 10)).toHaveLength(1)
    expect(await answer.store.repositories.list()).toEqual([])
  })

  test('without write permission is refused, and opens once it has it', async () => {
    await (await open()).close()
    await chmod(join(root, 'bosun.db'), 0o444)
    expect(openedAsUser()).toBe('not_writable')
    await chmod(join(root, 'bosun.db'), 0o600)
    expect(openedAsUser()).toBe('open')
  })

  test('that was never written is absent to a reader, which does not create it', async () => {
    expect(await openStoreForReading({ root, codec: sampleCodec })).toEqual({ ok: false })
    expect(existsSync(join(root, 'bosun.db'))).toBe(false)
  })
})

describe('the previous shutdown', () => {
  test('needs no integrity check if it was clean', async () => {
    await (await open()).close()
    expect(await (await open()).integrity).toEqual({ state: 'not_needed' })
  })

  test('starts an integrity check in the background if it was unclean', async () => {
    const first = await open()
    await append(first, 0)
    await first.close()
    await writeFile(join(root, 'lock.pid'), '99999\n')
    const store = await open()
    await append(store, 1)
    expect(await store.integrity).toEqual({ state: 'ok' })
  })

  test('counts as unclean if its marker file is truncated', async () => {
    await writeFile(join(root, 'lock.pid'), '')
    expect(await (await open()).integrity).toEqual({ state: 'ok' })
  })

  test('stays unclean after a start that could not open the database', async () => {
    await writeFile(join(root, 'lock.pid'), '99999\n')
    await writeFile(join(root, 'bosun.db'), 'garbage that is no database at all')
    await expect(open()).rejects.toMatchObject({ problem: 'damaged' })
    await rm(join(root, 'bosun.db'))
    expect(await (await open()).integrity).toEqual({ state: 'ok' })
  })

  test('may leave a damaged page: the error names the file and a remedy', async () => {
    const first = await open()
    const events = Array.from({ length: 2000 }, (_, index) => note(`${index} ${'x'.repeat(100)}`))
    await first.log.append({ stream: 'r/shop', expectedVersion: 0, at: 1, events })
    await first.close()
    await writeFile(join(root, 'lock.pid'), '99999\n')
    const bytes = await readFile(join(root, 'bosun.db'))
    bytes.fill(0xa5, 40 * 4096, 50 * 4096)
    await writeFile(join(root, 'bosun.db'), bytes)
    expect(await (await open()).integrity).toMatchObject({
      state: 'damaged',
      error: {
        problem: 'damaged',
        where: join(await realpath(root), 'bosun.db'),
        remedy: expect.stringContaining('bosun export'),
      },
    })
  })

  test('is inconclusive if the store closes during the integrity check', async () => {
    await writeFile(join(root, 'lock.pid'), '99999\n')
    const store = await open()
    await store.close()
    expect(['ok', 'inconclusive']).toContain((await store.integrity).state)
  })
})

describe('a file that is not the database', () => {
  const files: [string, () => Promise<void>, object][] = [
    ['garbage', () => writeFile(join(root, 'bosun.db'), 'x'.repeat(9000)), { problem: 'damaged' }],
    ['a few bytes', () => writeFile(join(root, 'bosun.db'), 'SQL'), { problem: 'damaged' }],
    [
      "another program's database",
      () => foreign('create table cats (name text)'),
      { problem: 'not_a_store' },
    ],
    [
      'a database marked as another program’s',
      () => foreign('pragma application_id = 7'),
      { problem: 'not_a_store' },
    ],
    ['a write-ahead log without its database', orphanWal, { problem: 'damaged' }],
    ['a database cut in the middle', cutInHalf, { problem: 'damaged' }],
    ...[SCHEMA_VERSION - 1, SCHEMA_VERSION + 1].map((version): [string, () => Promise<void>, object] => [
      `a database of schema ${version}`,
      () => written(`pragma user_version = ${version}`),
      { problem: 'other_schema', remedy: expect.stringContaining('bosun export') },
    ]),
  ]

  test.each(files)('is refused and left as it is: %s', async (_, make, error) => {
    await make()
    const path = join(root, 'bosun.db')
    const before = existsSync(path) ? await readFile(path) : null
    await expect(open()).rejects.toMatchObject({ name: 'StoreError', remedy: expect.any(String), ...error })
    expect(existsSync(path) ? await readFile(path) : null).toEqual(before)
    expect(existsSync(join(root, 'lock.pid'))).toBe(false)
  })

  async function foreign(sql: string): Promise<void> {
    const db = new DatabaseSync(join(root, 'bosun.db'))
    db.exec(sql)
    db.close()
  }

  async function written(sql: string): Promise<void> {
    await (await open()).close()
    await foreign(sql)
  }

  async function orphanWal(): Promise<void> {
    await writeFile(join(root, 'bosun.db-wal'), 'x'.repeat(5000))
  }

  async function cutInHalf(): Promise<void> {
    const store = await open()
    const events = Array.from({ length: 500 }, (_, index) => note(`${index} ${'x'.repeat(100)}`))
    await store.log.append({ stream: 'r/shop', expectedVersion: 0, at: 1, events })
    await store.close()
    await truncate(join(root, 'bosun.db'), 3 * 4096)
  }
})

describe('repositories', () => {
  test('have one id per real path, whatever path they are registered by', async () => {
    const { repositories } = await open()
    await mkdir(join(root, 'my shop'))
    await symlink(join(root, 'my shop'), join(root, 'link'))
    const first = await repositories.register(join(root, 'my shop'), 5)
    expect(first).toMatchObject({
      name: 'my shop',
      path: await realpath(join(root, 'my shop')),
      registeredAt: 5,
    })
    expect(first.id).toMatch(/^my-shop-[0-9a-f]{8}$/)
    expect(await repositories.register(join(root, 'link'), 9)).toEqual(first)
    expect(await repositories.list()).toEqual([first])
    expect(await repositories.find(first.id)).toEqual(first)
    expect(await repositories.find('other-00000000')).toBeNull()
  })

  test('are kept across a reopen', async () => {
    const first = await open()
    const repository = await first.repositories.register(root, 5)
    await first.close()
    expect(await (await open()).repositories.list()).toEqual([repository])
  })

  test('that do not exist are refused', async () => {
    await expect((await open()).repositories.register(join(root, 'nowhere'), 1)).rejects.toThrow('ENOENT')
  })
})
