/** Everything that the page shows on every screen, with the place in the event stream that it is true at. */
import { z } from 'zod'
import { daemonFacts, inboxEntry, interviewRow, planRow, pulse, workerRow, type Wire } from './answers.ts'

/** `GET /api/snapshot`: without tasks, which a plan's own routes answer a page at a time. */
export const snapshotAnswer = z.strictObject({
  daemon: daemonFacts,
  pulse,
  plans: z.array(planRow),
  workers: z.array(workerRow),
  inbox: z.array(inboxEntry),
  /** Interviews that are open. */
  interviews: z.array(interviewRow),
  /** Repositories that plans or interviews were seen in, newest first. */
  repositories: z.array(z.string()),
  /** Work that is held back because people have too much to review; null where none is. */
  held_back: z
    .strictObject({ waiting: z.int().nonnegative(), most: z.int().nonnegative(), text: z.string() })
    .nullable(),
  unreadable: z.array(z.strictObject({ plan: z.string(), why: z.string() })),
  /** Follow `/api/events?after=seq` to keep it true. */
  seq: z.int().nonnegative(),
})
export type SnapshotAnswer = Wire<typeof snapshotAnswer>
