/** Kysely on `node:sqlite`, for everything that is not on the path of an append or a start. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { SqliteAdapter, SqliteDialect, type DialectAdapter, type SqliteDatabase } from 'kysely'

export class NodeSqliteDialect extends SqliteDialect {
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
