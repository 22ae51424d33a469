/** Every error of the HTTP API. */
import { z } from 'zod'
import { timestamp, type Wire } from './answers.ts'

const answer = z.strictObject({
  by: z.string(),
  choice: z.string(),
  feedback: z.string(),
})

/** Of a conflict: what another person did first, and what this request would have done. */
export const conflictDetails = z.union([
  z.strictObject({ theirs: answer.extend({ at: timestamp }), yours: answer.partial() }),
  z.strictObject({
    /** The version that the plan has, and who edited it last. */
    theirs: z.strictObject({ version: z.int().positive(), by: z.string().nullable(), at: timestamp }),
    /** The version that the edit was made from. */
    yours: z.strictObject({ version: z.int().positive() }),
  }),
  /** The spec as it is, and as it was shown. */
  z.strictObject({
    theirs: z.strictObject({ spec_sha: z.string() }),
    yours: z.strictObject({ spec_sha: z.string() }),
  }),
])
export type ConflictDetails = Wire<typeof conflictDetails>

export const errorAnswer = z.strictObject({
  schema: z.literal('bosun.error/v1'),
  error: z.strictObject({
    code: z.enum([
      'failed',
      'usage',
      'not_found',
      'conflict',
      'needs_person',
      'gate_failed',
      'no_daemon',
      'budget',
      'no_agent',
    ]),
    message: z.string(),
    remedy: z.string(),
    problems: z
      .array(
        z.strictObject({
          /** Of a problem of a file that was read: always an error here. */
          severity: z.enum(['error', 'warning']).optional(),
          file: z.string(),
          line: z.int(),
          key: z.string().optional(),
          message: z.string(),
          remedy: z.string(),
        }),
      )
      .optional(),
    details: conflictDetails.optional(),
  }),
})
