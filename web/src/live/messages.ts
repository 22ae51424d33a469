/** What the hub and the tabs of a browser say to each other. */
import type { EventMessage } from '../../../src/protocol/answers.ts'
import type { SnapshotAnswer } from '../../../src/protocol/machine-answer.ts'

export interface LiveStatus {
  readonly state: 'live' | 'connecting' | 'offline' | 'signed_out'
  /** Milliseconds since the epoch: since when it is in this state. */
  readonly since: number
}

/** From a tab. `bye` ends its part in the hub. */
export type ToHub =
  | { readonly type: 'hello'; readonly session: string | null }
  /** `kept` may have ended long ago: it counts only where the hub has none. */
  | { readonly type: 'session'; readonly session: string; readonly from: 'exchange' | 'kept' }
  | { readonly type: 'retry' }
  | { readonly type: 'bye' }

/** To every tab. */
export type FromHub =
  | { readonly type: 'session'; readonly session: string | null }
  | { readonly type: 'status'; readonly status: LiveStatus }
  | { readonly type: 'snapshot'; readonly snapshot: SnapshotAnswer; readonly at: number }
  /** The daemon answers, but gave no new snapshot: the tabs have the one of this time. */
  | { readonly type: 'unrefreshed'; readonly at: number }
  | { readonly type: 'events'; readonly events: readonly EventMessage[] }
  /** Events were missed: whatever was fetched before may be out of date. */
  | { readonly type: 'gap' }
