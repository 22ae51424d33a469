/** Whose database a file is, and whether its schema is this program's. */
import type { DatabaseSync } from 'node:sqlite'
import { pragmaNumber } from './sqlite-connection.ts'
import { asStoreError, damaged, StoreError } from '../store-error.ts'

/** Raised whenever tables or events change so that what an earlier version wrote cannot be read. */
export const SCHEMA_VERSION = 4
/** "Bosn": the mark in the file's header, so that another program's database is never taken for ours. */
export const APPLICATION_ID = 0x426f736e

/** A file that was marked as ours and has no tables yet is empty as well. */
export type SchemaState = 'empty' | 'current'

/** Throws StoreError for a file that is not ours, is damaged, or was written by another version of Bosun. */
export function schemaState(db: DatabaseSync, path: string): SchemaState {
  try {
    const version = pragmaNumber(db, 'user_version')
    const application = pragmaNumber(db, 'application_id')
    if (application === APPLICATION_ID) return compareVersions(version, path)
    const tables = Number(db.prepare('select count(*) as tables from sqlite_schema').get()?.['tables'])
    if (application === 0 && version === 0 && tables === 0) return 'empty'
  } catch (error) {
    throw asStoreError(error, path)
  }
  throw new StoreError({
    problem: 'not_a_store',
    what: 'the SQLite database belongs to another program',
    where: path,
    remedy: 'Nothing was changed. Move the file away, or set BOSUN_HOME to a folder of its own.',
  })
}

function compareVersions(version: number, path: string): SchemaState {
  if (version === SCHEMA_VERSION) return 'current'
  if (version < 0) throw damaged(path, `the database's schema version is ${version}`)
  if (version === 0) return 'empty'
  throw new StoreError({
    problem: 'other_schema',
    what: `another version of Bosun wrote this database (schema ${version}; this version uses ${SCHEMA_VERSION})`,
    where: path,
    remedy:
      'Save its log with that version (bosun export FILE), and set BOSUN_HOME to another folder for this one.',
  })
}

/** Makes an empty file ours and writes ahead from then on. Throws StoreError. */
export async function prepareSchema(db: DatabaseSync, path: string): Promise<void> {
  const state = schemaState(db, path)
  try {
    if (state === 'empty') db.exec(`pragma application_id = ${APPLICATION_ID}`)
    db.exec('pragma journal_mode = wal')
    if (state === 'current') return
    const { migrate } = await import('./migrate.ts')
    await migrate(db)
    // Last: until it is set, a start asks Kysely's own table again, which knows what was applied.
    db.exec(`pragma user_version = ${SCHEMA_VERSION}`)
  } catch (error) {
    throw asStoreError(error, path)
  }
}
