/** What a worker wrote and did. */
import { z } from 'zod'
import { timestamp, type Wire } from './answers.ts'

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
