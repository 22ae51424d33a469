/** Reads without the daemon: the same answers, from the database, opened read-only and without a lock. */
import { join } from 'node:path'
import type { ReadOnlyParts } from '../app/host/read-only-host.ts'
import type { Reading } from '../cli/services.ts'
import type { Read, ReadPath } from '../client/daemon.ts'
import type { OfflineReason } from '../client/find-daemon.ts'
import type { LogEvent } from '../core/log/log-events.ts'
import type { Sights } from './machine-sight.ts'
import type { StoreForReading } from '../store/open-store.ts'

export interface Alone {
  /** The state root. */
  readonly root: string
  readonly why: OfflineReason
  readonly sights: () => Promise<Sights | null>
}

export async function readAlone(alone: Alone): Promise<Reading> {
  const [{ ReadOnlyHost }, { readHere }, { refusalIn }, { urlOf }, { systemClock }] = await Promise.all([
    import('../app/host/read-only-host.ts'),
    import('../server/reading-routes.ts'),
    import('../client/exchange.ts'),
    import('../client/daemon.ts'),
    import('../lib/system/system-clock.ts'),
  ])
  const { livingWorkersIn, refuseLostPlans, transcriptsIn } = await import('./lost-plans.ts')
  const { root, why } = alone
  const [store, sights] = await Promise.all([openedStore(alone), alone.sights()])
  const sightOf: ReadOnlyParts['sightOf'] = (repository, plan) => sights?.of(repository, plan) ?? {}
  const livingWorkers = await livingWorkersIn(root)
  const transcripts = transcriptsIn(root)
  const caretakerOf = async () => null
  const parts = { root, clock: systemClock, ...store, sightOf, caretakerOf, livingWorkers, transcripts }
  const opening = refuseLostPlans(store.log, root).then(() => ReadOnlyHost.open(parts))
  const host = await opening.catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  const ask = readHere({ host, facts: why.facts })
  const asOf = host.asOf === null ? null : new Date(host.asOf).toISOString()
  return {
    offline: { ...why, asOf },
    async get<P extends ReadPath>(path: P, asked = {}): Promise<Read<P>> {
      const { status, text } = await ask(urlOf(path, asked))
      if (status < 200 || status >= 300) throw refusalIn(text, status)
      // This program made it.
      return JSON.parse(text) as Read<P>
    },
    [Symbol.asyncDispose]: () => store.close(),
  }
}

async function openedStore(alone: Alone): Promise<StoreForReading<LogEvent>> {
  const [{ openStoreForReading, refuseLostDatabase }, { logCodec }] = await Promise.all([
    import('../store/open-store.ts'),
    import('../core/log/log-events.ts'),
  ])
  const opened = await openStoreForReading({ root: alone.root, codec: logCodec })
  if (opened.ok) return opened.store
  await refuseLostDatabase(join(alone.root, 'bosun.db'))
  return emptyStore()
}

async function emptyStore(): Promise<StoreForReading<LogEvent>> {
  const [{ MemoryEventLog }, { logCodec }] = await Promise.all([
    import('../store/memory-event-log.ts'),
    import('../core/log/log-events.ts'),
  ])
  const log = new MemoryEventLog<LogEvent>(logCodec)
  return {
    log,
    repositories: { find: async () => null, list: async () => [] },
    notes: { claims: async () => [], back: async () => [] },
    close: () => log.close(),
  }
}
