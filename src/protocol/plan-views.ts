/** A plan as a graph, as a timeline and as a budget. */
import { z } from 'zod'
import { taskRow, timestamp, usageRow, type Wire } from './answers.ts'
import { pageFields } from './paging.ts'
import { thinkingRow } from './usage-row.ts'

/** `GET /api/plans/{id}/tasks` */
export const planTasksAnswer = z.strictObject({ tasks: z.array(taskRow), ...pageFields })
export type PlanTasksAnswer = Wire<typeof planTasksAnswer>

/** `GET /api/plans/{id}/graph`: every task, with as much as a card shows. Board, list and graph are drawn from it. */
export const graphAnswer = z.strictObject({
  plan: z.string(),
  repo: z.string(),
  title: z.string(),
  tasks: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      status: taskRow.shape.status,
      stage: z.string(),
      tier: taskRow.shape.tier,
      attempt: z.int().nonnegative(),
      since: timestamp,
      depends_on: z.array(z.string()),
      /** The dependencies that are not completed. */
      blocked_by: z.array(z.string()),
      /** The worker that runs for it, and its health; null where none does. */
      worker: z.strictObject({ id: z.string(), health: z.string(), reason: z.string() }).nullable(),
      /** The inbox item that waits for a person; null where none does. */
      item: z.string().nullable(),
      commit_sha: z.string().nullable(),
      /** What is going on, in a line: a check that runs, a place in the landing queue, an effect that is retried. */
      note: z.string().nullable(),
    }),
  ),
  /** How many tasks are not shown, where there are very many: completed ones, the oldest first. */
  left_out: z.int().nonnegative(),
  seq: z.int().nonnegative(),
})
export type GraphAnswer = Wire<typeof graphAnswer>

/** `GET /api/plans/{id}/timeline`: who worked when, gates, waits. */
export const timelineAnswer = z.strictObject({
  plan: z.string(),
  from: timestamp,
  /** Now, for a plan that is not done. */
  to: timestamp,
  rows: z.array(
    z.strictObject({
      task: z.string(),
      title: z.string(),
      spans: z.array(
        z.strictObject({
          kind: z.enum(['work', 'gates', 'review', 'person', 'landing', 'waiting']),
          from: timestamp,
          /** Null while it goes on. */
          to: timestamp.nullable(),
          /** The worker, the attempt, the inbox item, or what it waits for; empty where the kind says it all. */
          label: z.string(),
        }),
      ),
    }),
  ),
  /** How many tasks are not shown, where very many have begun: those that were begun first. */
  left_out: z.int().nonnegative(),
})
export type TimelineAnswer = Wire<typeof timelineAnswer>

const limit = z.strictObject({
  /** What it is a limit of. */
  of: z.enum(['plan_usd', 'plan_tokens', 'task_usd', 'task_tokens', 'brain_usd']),
  limit: z.number().nonnegative(),
  /** Null for a limit of each task. */
  used: z.number().nonnegative().nullable(),
})

/** `GET /api/plans/{id}/budget` */
export const budgetAnswer = z.strictObject({
  plan: z.string(),
  usage: usageRow,
  /** Those that are set. */
  limits: z.array(limit),
  /** What the brain used of it, where a model is configured; its limit is `brain_usd`. */
  thinking: thinkingRow.nullable(),
  /** Tasks that used most, ten of them. */
  tasks: z.array(z.strictObject({ id: z.string(), title: z.string(), usage: usageRow })),
})
export type BudgetAnswer = Wire<typeof budgetAnswer>

/** What an edit begins with. */
export const planTextAnswer = z.strictObject({ text: z.string(), version: z.int().positive() })
export type PlanTextAnswer = Wire<typeof planTextAnswer>
