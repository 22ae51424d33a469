/** How a worker ended, and what followed. */
import { z } from 'zod'

const timestamp = z.iso.datetime()

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
