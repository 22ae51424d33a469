/** What several answers have in common: what needs a person, what was used, how a worker ended, a notice. */
import { z } from 'zod'

const timestamp = z.iso.datetime()

/** What needs a person, as every list of it has it. */
export const inboxEntry = z.strictObject({
  /** For `answer`: the item's own, prefixed with its plan if two plans use the same. */
  id: z.string(),
  kind: z.enum(['escalation', 'question', 'approval', 'permission', 'release']),
  plan: z.string(),
  task: z.string().nullable(),
  task_title: z.string().nullable(),
  problem: z.string(),
  impact: z.string(),
  options: z.array(
    z.strictObject({
      key: z.string(),
      label: z.string(),
      /** What happens when it is chosen. */
      consequence: z.string(),
    }),
  ),
  recommended: z.string(),
  blocking: z.boolean(),
  since: timestamp,
  /** Path of its repository; empty where that is unknown. */
  repo: z.string(),
  /** The tasks that cannot go on before it is answered, the first hundred of them. */
  blocks: z.array(z.string()),
  /** What it rests on, a line each: failing gates, findings, what the worker wrote. */
  evidence: z.array(z.string()),
  /** Equal permissions of a plan are one entry: the ids of all that its answer answers. Empty where there is one. */
  group: z.array(z.string()),
  /** How far the answer to a permission may reach; empty for all other items. */
  scopes: z.array(z.enum(['once', 'task', 'plan'])),
  /** Options that are recorded in the person's name and need a reason. */
  reason_needed: z.array(z.string()),
  /** Options that need a text. */
  feedback_needed: z.array(z.string()),
})

/** Tokens and money. The cost is null where neither the agent nor the settings name a price. */
export const usageRow = z.strictObject({
  tokens: z.number().nonnegative(),
  tokens_in: z.number().nonnegative(),
  tokens_out: z.number().nonnegative(),
  /** The part of `tokens_in` that came from a cache. */
  tokens_cached: z.number().nonnegative(),
  usd: z.number().nonnegative().nullable(),
  /** Of `tokens`: estimated by Bosun, since the agent does not report them. */
  tokens_estimated: z.number().nonnegative(),
  /** Of `tokens`: not in `usd`, since they have no price. */
  tokens_unpriced: z.number().nonnegative(),
})

export const thinkingRow = z.strictObject({
  calls: z.int().nonnegative(),
  /** To the model, retries included. */
  requests: z.int().nonnegative(),
  /** Questions that nobody judged although a brain is configured. */
  fallbacks: z.int().nonnegative(),
  usage: usageRow,
})

/** A worker's end and its messages. */

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

/** What an open page shows as a notification of the browser, and an attached terminal as it can. */
export const pageNotice = z.strictObject({
  /** The same in every page. */
  id: z.string(),
  title: z.string(),
  /** A line each. It may quote what a worker or a model wrote. */
  text: z.string(),
  /** Of the one thing that it is about; null where there are several. */
  link: z.string().nullable(),
})
export type PageNotice = Readonly<z.infer<typeof pageNotice>>
