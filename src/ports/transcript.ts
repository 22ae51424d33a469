/** What a worker wrote and did, as it lies on disk, with a daemon and without one. */
export const TRANSCRIPT_KINDS = [
  /** What Bosun wrote to it: its brief, then messages and reminders. */
  'prompt',
  'message',
  'thought',
  /** Of an earlier worker, in a session that is continued. */
  'replay',
  'tool_started',
  /** It has other arguments, or another name, than it began with. */
  'tool_updated',
  'tool_ended',
  'permission_asked',
  'permission_answered',
  'plan',
  'session',
  'usage',
  'error',
  'turn_ended',
  /** What a plain command printed. */
  'output',
] as const
export type TranscriptKind = (typeof TRANSCRIPT_KINDS)[number]

export interface TranscriptEntry {
  /** Milliseconds since the Unix epoch; null for what was printed without a time. */
  readonly at: number | null
  readonly kind: TranscriptKind
  /** The tool call or permission it is about. */
  readonly call: string | null
  readonly text: string
  /** Of a tool call, a permission or a turn. */
  readonly outcome: string | null
  readonly detail: string | null
}

export interface TranscriptPage {
  readonly protocol: 'command' | 'acp'
  readonly entries: readonly TranscriptEntry[]
  /** Where the next page begins. */
  readonly next: string
  /** The next page can be read at once. */
  readonly hasMore: boolean
  /** The worker has ended, and this is the last page. */
  readonly isOver: boolean
}

/** A page of a worker's transcript, from a place that an earlier page named; null where it left none. */
export type Transcripts = (
  repository: string,
  worker: string,
  after: string | null,
) => Promise<TranscriptPage | null>
