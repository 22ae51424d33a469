/** Which SQLite is safe: before 3.51.3 a checkpoint at the wrong moment could damage a database in WAL mode. */
import { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../store-error.ts'

const OLDEST = [3, 51, 3] as const

/** Throws StoreError. */
export function refuseOldSqlite(version: string = linkedVersion()): void {
  if (isSafe(version)) return
  throw new StoreError({
    problem: 'sqlite_too_old',
    what: `SQLite ${version} can corrupt databases in WAL mode; Bosun needs ${OLDEST.join('.')} or newer`,
    where: process.execPath,
    remedy: 'Use Node 24.15 or newer.',
  })
}

function isSafe(version: string): boolean {
  const parts = version.split('.').map(Number)
  for (const [index, least] of OLDEST.entries()) {
    const part = parts[index] ?? 0
    if (part !== least) return part > least
  }
  return true
}

function linkedVersion(): string {
  const db = new DatabaseSync(':memory:')
  const version = String(db.prepare('select sqlite_version() as version').get()?.['version'])
  db.close()
  return version
}
