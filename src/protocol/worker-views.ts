/** One worker whole, what it wrote and did, and what a person asks of it. */
import { z } from 'zod'
import { checkinAnswer, timestamp, workerRow, type Wire } from './answers.ts'
import { pageFields } from './requests.ts'

/**
 * `GET /api/workers/{id}/journal`: what happened to it, in order. Without a cursor the newest page; `next` leads to the one
 * before it.
 */
export const journalAnswer = z.strictObject({
  id: z.string(),
  entries: z.array(
    z.strictObject({
      at: timestamp,
      kind: z.enum(['state', 'checkin', 'warning', 'intervention', 'message', 'request', 'report', 'other']),
      text: z.string(),
    }),
  ),
  ...pageFields,
})
export type JournalAnswer = Wire<typeof journalAnswer>

/** Of `POST /api/workers/{id}/nudge` and `extend`. */
export const workerActionAnswer = z.strictObject({ id: z.string(), done: z.boolean(), text: z.string() })
export type WorkerActionAnswer = Wire<typeof workerActionAnswer>

/** `POST /api/workers/{id}/instruct`; `note` is what the sender should know about the delivery. */
export const instructedAnswer = workerRow.extend({ note: z.string().nullable() })

/** `POST /api/workers/{id}/open` */
export const openedAnswer = z.strictObject({ id: z.string() })

const { instructions } = checkinAnswer.shape
/** To what a worker sends besides check-ins. */
export const channelAnswer = z.strictObject({
  accepted: z.boolean(),
  /** Of an accepted request. */
  id: z.string().optional(),
  /** Why it does not count. */
  why: z.string().optional(),
  instructions,
})

export const instructionsAnswer = z.strictObject({ instructions })

/** What a worker wrote and did. */
const transcriptEntry = z.strictObject({
  timestamp: timestamp.nullable(),
  kind: z.enum([
    'prompt',
    'message',
    'thought',
    'replay',
    'tool_started',
    'tool_updated',
    'tool_ended',
    'permission_asked',
    'permission_answered',
    'plan',
    'session',
    'usage',
    'error',
    'turn_ended',
    'output',
  ]),
  /** The tool call or permission it is about. */
  call: z.string().nullable(),
  text: z.string(),
  outcome: z.string().nullable(),
  detail: z.string().nullable(),
})
export type TranscriptLine = Wire<typeof transcriptEntry>

/** A page of what a worker wrote and did. */
export const transcriptAnswer = z.strictObject({
  id: z.string(),
  protocol: z.enum(['command', 'acp']),
  entries: z.array(transcriptEntry),
  /** Where the next page begins: `after` of the next call. */
  next: z.string(),
  /** The next page can be read at once. */
  has_more: z.boolean(),
  /** It has ended, and this is the last page. */
  ended: z.boolean(),
})
export type TranscriptAnswer = Wire<typeof transcriptAnswer>
