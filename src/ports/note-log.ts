import type { Instant } from '../core/state/state.ts'
import type { Claim } from '../core/watch/observed.ts'
import type { StreamId } from './event-log.ts'

/** Something that happened and that no decision rests on, such as a check-in or an overload. */
export interface Note {
  readonly repository: string
  readonly at: Instant
  /** Its name in the activity log. */
  readonly event: string
  readonly plan: string | null
  readonly worker: string | null
  readonly task: string | null
  /** As JSON. */
  readonly data: string
}

export type NumberedNote = Note & { readonly seq: number }

/** What is kept together with the note of a check-in. */
export interface CheckinKept {
  /** The plan it belongs to. */
  readonly stream: StreamId
  /** The name of its file; null if it did not come as a file. */
  readonly file: string | null
  /** What the worker claims now. */
  readonly claim: Claim
}

export interface KeptClaim {
  readonly stream: StreamId
  readonly worker: string
  /** As stored; readers validate it. */
  readonly claim: unknown
}

/** Null keys are not asked for. */
export type NoteFilter = { readonly [key in 'plan' | 'worker' | 'event']: string | null } & {
  readonly repositories: readonly string[]
}

/**
 * Notes, beside the event log: decisions rest on the event log alone.
 * - `append` is durable when it resolves. One that cannot be stored fails alone.
 * - `appendCheckin` is the same together with the worker's claim. A file name that already exists for its plan is `known`
 *   and changes nothing: files are read again after a crash.
 * - `remember` is durable when it resolves: it replaces the worker's claim without a note.
 * - `tail` returns notes in order, after a place; `back` those before a place, the newest first.
 * - `claims` returns the last claim of every worker, even if its check-ins were pruned.
 * - `prune` deletes all but the newest notes, and older claims, at most `limit` of either; it returns the number of
 *   deleted notes. Call it again for the rest.
 */
export interface NoteLog {
  append(note: Note): Promise<void>
  appendCheckin(note: Note & { readonly worker: string }, kept: CheckinKept): Promise<'kept' | 'known'>
  remember(who: Pick<KeptClaim, 'stream' | 'worker'>, claim: Claim): Promise<void>
  tail(afterSeq: number, limit: number): Promise<readonly NumberedNote[]>
  back(beforeSeq: number, limit: number, filter: NoteFilter): Promise<readonly NumberedNote[]>
  claims(): Promise<readonly KeptClaim[]>
  prune(keep: { readonly notes: number; readonly claimsSince: Instant }, limit: number): Promise<number>
}
