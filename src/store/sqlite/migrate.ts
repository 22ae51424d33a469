/** Brings the schema up to date. Loaded only when it is not: Kysely costs a start more than opening the database. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { Kysely, SqliteAdapter, SqliteDialect, type DialectAdapter, type SqliteDatabase } from 'kysely'
import { Migrator } from 'kysely/migration'
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

/** Kysely on `node:sqlite`, for everything that is not on the path of an append or a start. */
class NodeSqliteDialect extends SqliteDialect {
  constructor(db: DatabaseSync) {
    super({ database: asKyselyDatabase(db) })
  }

  override createAdapter(): DialectAdapter {
    return new TransactionalAdapter()
  }
}

/** In SQLite a schema change is part of its transaction, so a migration is there or not, never half. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** The connection stays its owner's: Kysely cannot close it. */
function asKyselyDatabase(db: DatabaseSync): SqliteDatabase {
  return {
    close: () => undefined,
    prepare: (text) => {
      // A transaction that begins by reading could not wait for the write lock later.
      const statement = db.prepare(text === 'begin' ? 'begin immediate' : text)
      const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[]
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...values(parameters)),
        run: (parameters) => statement.run(...values(parameters)),
        iterate: (parameters) => statement.iterate(...values(parameters)),
      }
    },
  }
}
