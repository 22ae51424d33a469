import type { Instant } from '../core/state/state.ts'
import type { Claim } from '../core/watch/observed.ts'
import type { StreamId } from './event-log.ts'

/** A check-in that counted, as it is kept for a day. */
export interface KeptCheckin {
  /** The plan it belongs to. */
  readonly stream: StreamId
  readonly worker: string
  /** When it was said, and when it was heard. */
  readonly at: Instant
  readonly heardAt: Instant
  /** The name of the file it came in; null for one that came in no file. */
  readonly file: string | null
  /** As JSON. */
  readonly said: string
}

export type NumberedCheckin = KeptCheckin & { readonly seq: number }

export interface KeptClaim {
  readonly stream: StreamId
  readonly worker: string
  /** As it was kept, maybe by another Bosun: to be checked by whoever reads it. */
  readonly claim: unknown
}

/**
 * What workers said of themselves, beside the event log: it decides nothing that is not in the log as well.
 * - `append` is durable when it resolves, with the claim that all its worker said comes to by then. A file of a name that is there already for its plan is `known`, and changes
 *   nothing: files are read again after a crash. One that cannot be kept fails alone.
 * - `remember` is durable when it resolves: the claim takes the place of its worker's last one, and no check-in is kept.
 * - `tail` gives check-ins in the order they were kept in, after a place.
 * - `claims` gives the last claim of every worker that has one, whichever of its check-ins are still there.
 * - `prune` forgets check-ins that were heard before an instant, and claims that are older, at most `limit` of either;
 *   it answers how many check-ins went. What is left is given by asking again.
 */
export interface CheckinLog {
  append(checkin: KeptCheckin, claim: Claim): Promise<'kept' | 'known'>
  remember(who: Pick<KeptClaim, 'stream' | 'worker'>, claim: Claim): Promise<void>
  tail(afterSeq: number, limit: number): Promise<readonly NumberedCheckin[]>
  claims(): Promise<readonly KeptClaim[]>
  prune(before: Instant, limit: number): Promise<number>
}
