/** Writes the events of whole plans into a state root at once, before a daemon opens it. */
import { join } from 'node:path'
import { logCodec } from '../../../src/core/log/log-events.ts'
import type { Claim } from '../../../src/core/watch/observed.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { openWriter } from '../../../src/store/sqlite/sqlite-connection.ts'
import type { ManyPlan } from './many-plans.ts'
import { chainEvents } from '../../helpers/chained-events.ts'

export interface Filling {
  readonly root: string
  /** Folders that exist; the plans are of the first. */
  readonly repositories: readonly string[]
  readonly plans: readonly ManyPlan[]
  /** The last claims of workers. */
  readonly claims: readonly { readonly plan: string; readonly worker: string; readonly claim: Claim }[]
}

/** Past the log, which checks and syncs every append. What it reads is checked all the same. */
export async function fillStore({ root, repositories, plans, claims }: Filling): Promise<void> {
  const opened = await openStore({ root, codec: logCodec })
  if (!opened.ok) throw new Error('the store is held')
  const { store } = opened
  const known = []
  for (const path of repositories) known.push(await store.repositories.register(path, Date.now()))
  await store.close()
  const repo = known[0]?.id ?? ''
  const db = openWriter(join(root, 'bosun.db'))
  db.exec('pragma synchronous = off; begin immediate')
  const insert = {
    stream: db.prepare("insert into streams (stream, version, chain, closed, repo) values (?, ?, '', 0, ?)"),
    event: db.prepare(
      "insert into events (stream, version, at, type, v, data, chain) values (?, ?, ?, ?, ?, ?, '')",
    ),
    claim: db.prepare('insert into claims (stream, worker, at, claim) values (?, ?, ?, ?)'),
  }
  for (const { id, events } of plans) {
    const stream = `${repo}/${id}`
    insert.stream.run(stream, events.length, repo)
    for (const [place, { at, event }] of events.entries()) {
      const { type, v, ...data } = event
      insert.event.run(stream, place + 1, Math.round(at), type, v, JSON.stringify(data))
    }
  }
  for (const { plan, worker, claim } of claims)
    insert.claim.run(`${repo}/${plan}`, worker, claim.at, JSON.stringify(claim))
  chainEvents(db)
  db.exec('commit; pragma wal_checkpoint(truncate)')
  db.close()
}
