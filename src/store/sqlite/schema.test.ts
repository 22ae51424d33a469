import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { APPLICATION_ID, prepareSchema, schemaState } from './schema.ts'
import { openWriter } from './sqlite-connection.ts'

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bosun-schema-'))
  path = join(folder, 'bosun.db')
})
afterEach(() => rm(folder, { recursive: true }))

test('the tables are made once, however often the store is opened', () => {
  for (let opening = 0; opening < 3; opening++) {
    const db = openWriter(path)
    prepareSchema(db, path)
    expect(schemaState(db, path)).toBe('current')
    db.close()
  }
})

test('a file that was marked and has no tables yet gets them', () => {
  const marked = new DatabaseSync(path)
  marked.exec(`pragma application_id = ${APPLICATION_ID}`)
  marked.close()
  const db = openWriter(path)
  prepareSchema(db, path)
  expect(schemaState(db, path)).toBe('current')
  db.close()
})

test('tables that cannot all be made leave nothing behind, and are made at the next start', () => {
  const db = openWriter(path)
  db.exec(`pragma application_id = ${APPLICATION_ID}; create table snapshots (x)`)
  expect(() => prepareSchema(db, path)).toThrow('snapshots')
  expect(db.prepare(`select name from sqlite_schema where name = 'events'`).all()).toEqual([])
  db.exec('drop table snapshots')
  prepareSchema(db, path)
  expect(schemaState(db, path)).toBe('current')
  db.close()
})
