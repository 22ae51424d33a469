/** Whose database a file is, and whether its schema is this program's. */
import type { DatabaseSync } from 'node:sqlite'
import { pragmaNumber } from './sqlite-connection.ts'
import { asStoreError, damaged, StoreError } from '../store-error.ts'

/** Raised whenever tables or events change so that what an earlier version wrote cannot be read. */
export const SCHEMA_VERSION = 7
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
export function prepareSchema(db: DatabaseSync, path: string): void {
  const state = schemaState(db, path)
  try {
    if (state === 'empty') db.exec(`pragma application_id = ${APPLICATION_ID}`)
    db.exec('pragma journal_mode = wal')
    if (state === 'current') return
    db.exec(`begin immediate; ${TABLES} pragma user_version = ${SCHEMA_VERSION}; commit`)
  } catch (error) {
    throw asStoreError(error, path)
  } finally {
    if (db.isTransaction) db.exec('rollback')
  }
}

/** Epoch milliseconds as integers, 0 and 1 for booleans, JSON as text. */
const TABLES = `
create table events (
  seq integer primary key autoincrement, stream text not null, version integer not null, at integer not null,
  type text not null, v integer not null, data text not null, chain text not null
) strict;
create unique index events_by_stream on events (stream, version);
create table repositories (
  id text primary key not null, path text not null unique, name text not null, registered_at integer not null
) strict;
create table streams (
  stream text primary key not null, version integer not null, chain text not null,
  closed integer not null check (closed in (0, 1)), repo text
) strict, without rowid;
create index streams_open on streams (stream) where closed = 0;
create index streams_by_repo on streams (repo) where repo is not null;
create table snapshots (
  stream text primary key not null references streams (stream), version integer not null,
  seq integer not null, shape integer not null, state text not null, chain text not null
) strict;
create table notes (
  seq integer primary key autoincrement, repository text not null, at integer not null, event text not null, plan text,
  worker text, task text, data text not null, file text
) strict;
create unique index notes_by_file on notes (repository, plan, file) where file is not null;
create table claims (
  stream text not null, worker text not null, at integer not null, claim text not null,
  primary key (stream, worker)
) strict, without rowid;
`
