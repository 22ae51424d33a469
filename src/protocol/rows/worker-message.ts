import { z } from 'zod'

const timestamp = z.string()

/** A message to a worker, and what became of it. */
export const workerMessage = z.strictObject({
  id: z.int(),
  kind: z.string(),
  /** Of an instruction. */
  type: z.string().nullable(),
  text: z.string(),
  by: z.string(),
  sent_at: timestamp,
  delivered_at: timestamp.nullable(),
  /** `session`, `checkin` or `instructions`. */
  via: z.string().nullable(),
  /** When the worker took it, or its agent answered the prompt with it. */
  read_at: timestamp.nullable(),
  /** Why it is not delivered. */
  why: z.string().nullable(),
})
