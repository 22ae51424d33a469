import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate } from '../../src/store/sqlite/migrate.ts'
import { migrations } from '../../src/store/sqlite/migrations.ts'
import { APPLICATION_ID, prepareSchema, schemaState } from '../../src/store/sqlite/schema.ts'
import { openWriter } from '../../src/store/sqlite/sqlite-connection.ts'
import { startFixture } from './child.ts'

const STEPS = Object.keys(migrations('sqlite')).length

let folder: string
let path: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bosun-migration-'))
  path = join(folder, 'bosun.db')
})
afterEach(() => rm(folder, { recursive: true }))

const applied = (db: DatabaseSync) => db.prepare('select name from kysely_migration order by name').all()
const shapeOf = (db: DatabaseSync) =>
  db.prepare('select type, name, sql from sqlite_schema order by name').all()

test('the schema has the same steps on both databases', () => {
  expect(Object.keys(migrations('postgres'))).toEqual(Object.keys(migrations('sqlite')))
})

test('every step is applied once, however often the store is opened', async () => {
  for (let opening = 0; opening < 3; opening++) {
    const db = openWriter(path)
    await prepareSchema(db, path)
    expect(applied(db)).toHaveLength(STEPS)
    expect(schemaState(db, path)).toBe('current')
    db.close()
  }
})

test('steps that were applied but not yet counted are not applied again', async () => {
  const db = openWriter(path)
  await prepareSchema(db, path)
  const shape = shapeOf(db)
  db.exec('pragma user_version = 0')
  expect(schemaState(db, path)).toBe('empty')
  await prepareSchema(db, path)
  expect(shapeOf(db)).toEqual(shape)
  expect(schemaState(db, path)).toBe('current')
  db.close()
})

test('a step that fails leaves nothing behind, and is taken up at the next start', async () => {
  const db = openWriter(path)
  // In the way of a table that the first step creates late.
  db.exec('create table snapshots (x)')
  await expect(migrate(db)).rejects.toThrow('snapshots')
  expect(db.prepare(`select name from sqlite_schema where name = 'events'`).all()).toEqual([])
  db.exec('drop table snapshots')
  await migrate(db)
  expect(applied(db)).toHaveLength(STEPS)
  db.close()
})

test('a file that was marked and not yet migrated is migrated', async () => {
  const marked = new DatabaseSync(path)
  marked.exec(`pragma application_id = ${APPLICATION_ID}`)
  marked.close()
  const db = openWriter(path)
  await prepareSchema(db, path)
  expect(schemaState(db, path)).toBe('current')
  db.close()
})

test('Kysely is loaded when there is something to migrate, and not at an ordinary start', async () => {
  const loads = async () => JSON.parse((await startFixture('opener.ts', folder).line()) ?? '') as unknown
  expect(await loads()).toEqual(['kysely', 'kysely/migration'])
  expect(await loads()).toEqual([])
})
