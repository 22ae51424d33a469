/** Makes the hashes of a log anew, after a test or a benchmark wrote events past it. */
import type { DatabaseSync } from 'node:sqlite'
import { chainAfter, NO_EVENT, snapshotChain } from '../../src/store/sqlite/event-chain.ts'
import type { EntryRow } from '../../src/store/sqlite/entry-rows.ts'

export function chainEvents(db: DatabaseSync): void {
  const rows = db.prepare(
    'select seq, stream, version, at, type, v, data from events order by stream, version',
  )
  const event = db.prepare('update events set chain = ? where seq = ?')
  const head = db.prepare('update streams set chain = ? where stream = ?')
  const last = new Map<string, string>()
  for (const row of rows.all() as unknown as EntryRow[]) {
    const chain = chainAfter(last.get(row.stream) ?? NO_EVENT, row)
    event.run(chain, row.seq)
    last.set(row.stream, chain)
  }
  for (const [stream, chain] of last) head.run(chain, stream)
  const snapshots = db.prepare(
    `select snapshots.stream, shape, state, events.chain as before from snapshots
     join events on events.stream = snapshots.stream and events.version = snapshots.version`,
  )
  const snapshot = db.prepare('update snapshots set chain = ? where stream = ?')
  for (const { stream, shape, state, before } of snapshots.all())
    snapshot.run(snapshotChain(String(before), Number(shape), String(state)), stream ?? '')
}
