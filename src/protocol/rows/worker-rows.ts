/** A worker's end and its messages. */
import { z } from 'zod'

const timestamp = z.iso.datetime()

/** How it ended, and what followed. */
export const workerEnd = z.strictObject({
  at: timestamp,
  how: z.enum([
    /** It handed in a report, or its review. */
    'reported',
    /** It reported that it cannot continue. */
    'blocked',
    'crashed',
    /** By a person, or by Bosun because it did not work any more. */
    'killed',
    /** Of its time, disk or budget. */
    'limit',
    /** For another reason than its own: its plan was paused, edited or cancelled, or a person took over. */
    'stopped',
    /** Bosun or the machine went down. */
    'interrupted',
    /** Its provider took no more work. */
    'provider',
  ]),
  /** The person who ended it; null where no person did. */
  by: z.string().nullable(),
  /** In a few words: `killed by Ann`. */
  title: z.string(),
  /** Empty where the title says it all. */
  why: z.string(),
  /** In order, up to the next worker; empty while nothing has. */
  followed: z.array(
    z.strictObject({
      at: timestamp,
      text: z.string(),
      /** The worker that goes on. */
      worker: z.string().nullable(),
      /** The inbox item that asks about it, and whether it is still open. */
      item: z.string().nullable(),
      is_open: z.boolean(),
    }),
  ),
})

/** A message to a worker, and what became of it. */
export const workerMessage = z.strictObject({
  id: z.int(),
  kind: z.string(),
  /** Of an instruction. */
  type: z.string().nullable(),
  text: z.string(),
  by: z.string(),
  sent_at: z.string(),
  delivered_at: z.string().nullable(),
  /** `session`, `checkin` or `instructions`. */
  via: z.string().nullable(),
  /** When the worker took it, or its agent answered the prompt with it. */
  read_at: z.string().nullable(),
  /** Why it is not delivered. */
  why: z.string().nullable(),
})
