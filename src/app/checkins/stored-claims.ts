import { claimSchema, type RememberedClaim } from '../../core/watch/checkins/checkin.ts'
import type { NoteLog } from '../../ports/note-log.ts'
import type { StreamId } from '../../ports/event-log.ts'

/** The last claims by stream and worker. An invalid one is dropped; its worker will check in again. */
export async function storedClaims(
  log: Pick<NoteLog, 'claims'>,
): Promise<ReadonlyMap<StreamId, ReadonlyMap<string, RememberedClaim>>> {
  const all = new Map<StreamId, Map<string, RememberedClaim>>()
  for (const { stream, worker, claim: stored } of await log.claims()) {
    const { data: claim } = claimSchema.safeParse(stored)
    if (claim === undefined) continue
    all.set(stream, (all.get(stream) ?? new Map<string, RememberedClaim>()).set(worker, claim))
  }
  return all
}
