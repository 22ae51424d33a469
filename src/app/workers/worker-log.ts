/** What a worker wrote and did, also after it has ended. */
import type { TranscriptPage } from '../../ports/transcript.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import type { TranscriptAnswer } from '../../protocol/transcript-answer.ts'
import { showWorker, workerRefusal, type WorkerName } from './workers.ts'

/** A page of it, from a place that an earlier page named. Throws a refusal for an unknown worker. */
export async function workerLog(
  host: HostToRead,
  name: WorkerName,
  after: string | null,
): Promise<TranscriptAnswer> {
  const page = await pageOf(host, name, after)
  if (page === null) {
    // Refuses where there never was such a worker.
    const { now } = await showWorker(host, name)
    throw workerRefusal(
      'not_found',
      now === null ? `${name.id} left no transcript` : `${name.id} has no transcript yet`,
    )
  }
  const { protocol, next, hasMore, isOver } = page
  return {
    id: name.id,
    protocol,
    entries: page.entries.map(({ at, ...entry }) => ({
      timestamp: at === null ? null : new Date(at).toISOString(),
      ...entry,
    })),
    next,
    has_more: hasMore,
    ended: isOver,
  }
}

/** Ids are unique within a repository only: the one that the caller is in comes first. */
async function pageOf(
  { parts }: HostToRead,
  { id, repository }: WorkerName,
  after: string | null,
): Promise<TranscriptPage | null> {
  const all = (await parts.repositories.list()).map((one) => one.id)
  const near = all.filter((one) => one === repository)
  for (const one of [...near, ...all.filter((other) => other !== repository)]) {
    const page = (await parts.transcripts?.(one, id, after)) ?? null
    if (page !== null) return page
  }
  return null
}
