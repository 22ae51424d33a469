import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openReader, openWriter, pragmaNumber, requireWriter } from './sqlite-connection.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bosun-connection-'))
  path = join(folder, 'x.db')
  const db = openWriter(path)
  db.exec('pragma journal_mode = wal; pragma user_version = 7; create table notes (text)')
  db.close()
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a connection that may only read is refused as a writer, although it begins transactions', () => {
  const db = openReader(path)
  db.exec('begin immediate')
  db.exec('rollback')
  expect(() => requireWriter(db, path)).toThrow('the database cannot be opened or written')
  expect(db.isTransaction).toBe(false)
  db.close()
})

test('a connection that may write is taken as a writer, and nothing is changed', () => {
  const db = openWriter(path)
  requireWriter(db, path)
  expect([db.isTransaction, pragmaNumber(db, 'user_version')]).toEqual([false, 7])
  db.close()
})
