/** What needs a person, as every list of it has it. */
import { z } from 'zod'

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
  since: z.iso.datetime(),
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
