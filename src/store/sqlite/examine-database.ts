/** Examines the database of a state root without changing it. */
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { EventCodec, EventReader } from '../../ports/event-log.ts'
import { verdict } from './integrity.ts'
import { openStoreForReading, refuseLostDatabase } from '../open-store.ts'
import { schemaState } from './schema.ts'
import { openReader, openWriter, requireWriter } from './sqlite-connection.ts'
import { asStoreError, notWritable } from '../store-error.ts'

export interface ExaminedDatabase {
  readonly root: string
  readonly codec: EventCodec
  /** Whether this process holds the lock: only then may it try to write. */
  readonly isLocked: boolean
}

/** Null where there is none yet. Throws StoreError for what keeps it from being read or written. */
export async function examineDatabase<T>(
  { root, codec, isLocked }: ExaminedDatabase,
  look: (log: EventReader) => Promise<T>,
): Promise<T | null> {
  const path = join(root, 'bosun.db')
  await refuseLostDatabase(path)
  if ((await stat(path).catch(() => null)) === null) return null
  await requireWritable(path)
  requireSound(path)
  if (isLocked) requireWrites(path)
  const opened = await openStoreForReading({ root, codec })
  if (!opened.ok) return null
  try {
    return await look(opened.store.log)
  } finally {
    await opened.store.close()
  }
}

async function requireWritable(path: string): Promise<void> {
  for (const place of [dirname(path), path, `${path}-wal`, `${path}-shm`]) {
    await access(place, constants.R_OK | constants.W_OK).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw notWritable(place, error)
    })
  }
}

function requireSound(path: string): void {
  using db = openReader(path)
  try {
    schemaState(db, path)
    const findings = db.prepare('pragma quick_check(5)').all()
    const found = verdict(
      path,
      findings.map((row) => String(Object.values(row)[0])),
    )
    if (found.state === 'damaged') throw found.error
  } catch (error) {
    throw asStoreError(error, path)
  }
}

function requireWrites(path: string): void {
  using db = openWriter(path)
  requireWriter(db, path)
}
