/** Reads without the daemon: the same answers, from the database, opened read-only and without a lock. */
import { join } from 'node:path'
import { readTranscript } from '../agents/read-transcript.ts'
import { livingWorkers } from '../agents/worker-folders.ts'
import { ReadOnlyHost, type ReadOnlyParts } from '../app/host/read-only-host.ts'
import type { Reading } from '../cli/services.ts'
import { urlOf, type Read, type ReadPath } from '../client/daemon.ts'
import { refusalIn } from '../client/exchange.ts'
import type { OfflineReason } from '../client/find-daemon.ts'
import { logCodec, type LogEvent } from '../core/log/log-events.ts'
import { systemClock } from '../lib/system/system-clock.ts'
import { readHere } from '../server/reading-routes.ts'
import { MemoryEventLog } from '../store/memory-event-log.ts'
import { openStoreForReading, refuseLostDatabase, type StoreForReading } from '../store/open-store.ts'
import { diffsIn } from '../workspaces/work-diffs.ts'
import { refuseLostPlans } from './lost-plans.ts'
import type { Sights } from './machine-sight.ts'

export interface Alone {
  /** The state root. */
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly why: OfflineReason
  readonly sights: () => Promise<Sights | null>
}

export async function readAlone(alone: Alone): Promise<Reading> {
  const { root, env, why } = alone
  const [store, sights] = await Promise.all([openedStore(alone), alone.sights()])
  const sightOf: ReadOnlyParts['sightOf'] = (repository) => sights?.of(repository) ?? {}
  const parts: ReadOnlyParts = {
    root,
    clock: systemClock,
    ...store,
    sightOf,
    caretakerOf: async () => null,
    diffsOf: async ({ id }) => diffsIn(join(root, 'repos', id), env),
    livingWorkers: (repository, plan) => livingWorkers(root, repository, plan),
    transcripts: async (repository, worker, after) => readTranscript(root, { repository, worker }, after),
  }
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

async function openedStore({ root }: Alone): Promise<StoreForReading<LogEvent>> {
  const opened = await openStoreForReading({ root, codec: logCodec })
  if (opened.ok) return opened.store
  await refuseLostDatabase(join(root, 'bosun.db'))
  const log = new MemoryEventLog<LogEvent>(logCodec)
  return {
    log,
    repositories: { find: async () => null, list: async () => [] },
    notes: { claims: async () => [], back: async () => [] },
    close: () => log.close(),
  }
}
