import type { Instant } from '../core/state/state.ts'
import type { Claim } from '../core/watch/observed.ts'
import type { StreamId } from './event-log.ts'

/** An accepted check-in, kept for a day. */
export interface KeptCheckin {
  /** The plan it belongs to. */
  readonly stream: StreamId
  readonly worker: string
  /** When it was sent, and when it was received. */
  readonly at: Instant
  readonly heardAt: Instant
  /** The name of its file; null if it did not come as a file. */
  readonly file: string | null
  /** As JSON. */
  readonly body: string
}

export type NumberedCheckin = KeptCheckin & { readonly seq: number }

export interface KeptClaim {
  readonly stream: StreamId
  readonly worker: string
  /** As stored, maybe by another version of Bosun: readers must validate it. */
  readonly claim: unknown
}

/**
 * Workers' check-ins, beside the event log: decisions rest on the event log alone.
 * - `append` is durable when it resolves, together with the worker's resulting claim. A file name that already exists
 *   for its plan is `known` and changes nothing: files are read again after a crash. One that cannot be stored fails alone.
 * - `remember` is durable when it resolves: it replaces the worker's claim without storing a check-in.
 * - `tail` returns check-ins in order, after a place.
 * - `claims` returns the last claim of every worker, even if its check-ins were pruned.
 * - `prune` deletes check-ins received before an instant, and older claims, at most `limit` of either; it returns the
 *   number of deleted check-ins. Call it again for the rest.
 */
export interface CheckinLog {
  append(checkin: KeptCheckin, claim: Claim): Promise<'kept' | 'known'>
  remember(who: Pick<KeptClaim, 'stream' | 'worker'>, claim: Claim): Promise<void>
  tail(afterSeq: number, limit: number): Promise<readonly NumberedCheckin[]>
  claims(): Promise<readonly KeptClaim[]>
  prune(before: Instant, limit: number): Promise<number>
}
