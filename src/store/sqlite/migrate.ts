/** Brings the schema up to date. Loaded only when it is not: Kysely costs a start more than opening the database. */
import type { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { NodeSqliteDialect } from './kysely-sqlite.ts'
import { migrations } from './migrations.ts'

/** All steps that are missing, in one transaction. May be asked again after a crash at any point. */
export async function migrate(db: DatabaseSync): Promise<void> {
  const kysely = new Kysely<unknown>({ dialect: new NodeSqliteDialect(db) })
  const provider = { getMigrations: () => Promise.resolve(migrations('sqlite')) }
  const { error } = await new Migrator({ db: kysely, provider }).migrateToLatest()
  if (error !== undefined) {
    throw error instanceof Error ? error : new Error('the schema could not be updated', { cause: error })
  }
}
