/** A store with a long past: many closed plans, and a few open ones with a snapshot each. */
import { openStore } from '../../src/store/open-store.ts'
import { openWriter } from '../../src/store/sqlite/sqlite-connection.ts'
import { join } from 'node:path'
import { benchCodec, benchEvent } from './sample-codec.ts'
import { chainEvents } from '../../test/helpers/chained-events.ts'

export const OPEN_STREAMS = 20
export const EVENTS_PER_STREAM = 500
/** Events of an open stream that its snapshot does not have yet. */
export const TAIL = 100

/** Written past the log, since building it must not take longer than measuring it. */
export async function buildHistory(root: string, events: number): Promise<void> {
  const opened = await openStore({ root, codec: benchCodec })
  if (!opened.ok) throw new Error('the store is held')
  await opened.store.close()
  const db = openWriter(join(root, 'bosun.db'))
  db.exec('pragma synchronous = off; begin immediate')
  const event = db.prepare(
    "insert into events (stream, version, at, type, v, data, chain) values (?, ?, ?, ?, ?, ?, '')",
  )
  const stream = db.prepare(
    "insert into streams (stream, version, chain, closed, repo) values (?, ?, '', ?, ?)",
  )
  const snapshot = db.prepare(
    "insert into snapshots (stream, version, seq, shape, state, chain) values (?, ?, ?, 1, ?, '')",
  )
  const streams = events / EVENTS_PER_STREAM
  for (let index = 0; index < streams; index++) {
    const name = `shop-0123abcd/plan-${index}`
    const isOpen = index >= streams - OPEN_STREAMS
    for (let version = 1; version <= EVENTS_PER_STREAM; version++) {
      const { type, v, ...data } = benchEvent(version)
      event.run(name, version, version, type, v, JSON.stringify(data))
    }
    stream.run(name, EVENTS_PER_STREAM, isOpen ? 0 : 1, 'shop-0123abcd')
    if (isOpen) {
      const version = EVENTS_PER_STREAM - TAIL
      snapshot.run(name, version, index * EVENTS_PER_STREAM + version, JSON.stringify({ count: version }))
    }
  }
  chainEvents(db)
  db.exec('commit; pragma wal_checkpoint(truncate)')
  db.close()
}
