/** Plans: graph, timeline, budget, release, requirements with what was made of them, and the lists that several routes answer. */
import { z } from 'zod'
import { interviewRow, planRow, taskRow, timestamp, workerRow, type Wire } from './answers.ts'
import { pageFields } from './requests.ts'
import { inboxEntry, thinkingRow, usageRow } from './rows.ts'

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

/** A claim of a release, with what it rests on. */
const claimRow = z.strictObject({
  kind: z.enum(['task', 'criterion', 'gate', 'tests', 'milestone', 'risk']),
  what: z.string(),
  /** What shows it, or why nothing does. */
  why: z.string(),
  /** Tasks that it is about; empty for the release as a whole. */
  tasks: z.array(z.string()),
  command: z.string().nullable(),
  exit_code: z.int().nullable(),
  output_sha256: z.string().nullable(),
})

/** Accepted in a person's name without a proof. */
const waiverRow = z.strictObject({
  what: z.string(),
  tasks: z.array(z.string()),
  by: z.string(),
  at: timestamp.nullable(),
  reason: z.string(),
})

export const releaseProof = z.strictObject({
  unproven: z.array(claimRow),
  proven: z.array(claimRow),
  waived: z.array(waiverRow),
  breaking_changes: z.array(z.string()),
  migration_steps: z.array(z.string()),
  rollback_plan: z.string(),
  recommended_next: z.array(z.string()),
})
export type ReleaseProof = Wire<typeof releaseProof>

export const releaseAnswer = z.strictObject({
  plan: z.string(),
  state: z.enum(['open', 'failed', 'passed', 'prepared', 'signed']),
  branch: z.string().nullable(),
  sha: z.string().nullable(),
  manifest: z.string().nullable(),
  /** The text of the manifest; null where it cannot be read from the repository. */
  text: z.string().nullable(),
  /** What a person reads first; null before it is released. */
  summary: z.string().nullable(),
  commits: z.array(z.strictObject({ task: z.string(), sha: z.string() })),
  /** What is shown to hold and what is not, at this moment. */
  proof: releaseProof,
  /** Who signed it off; null before. */
  signed_by: z.string().nullable(),
})
export type ReleaseAnswer = Wire<typeof releaseAnswer>

export const forecastAnswer = z.strictObject({
  forecast: z
    .strictObject({
      branch: z.string(),
      kind: z.enum(['unmoved', 'clean', 'conflicts', 'base_gone', 'unrelated']),
      behind: z.int().nonnegative(),
      conflicts: z.array(z.string()),
    })
    .nullable(),
})
export type ForecastAnswer = Wire<typeof forecastAnswer>

export const signedAnswer = z.strictObject({
  plan: z.string(),
  branch: z.string(),
  /** Who signed it, the first time. */
  by: z.string(),
  /** False where it was signed already. */
  changed: z.boolean(),
})
export type SignedAnswer = Wire<typeof signedAnswer>

/** Requirements with what was made of them, as the daemon answers. */
const strings = z.array(z.string())

export const traceAnswer = z.strictObject({
  plan: z.string(),
  repo: z.string(),
  requirements: z.array(
    z.strictObject({
      id: z.string(),
      /** Null where the plan does not contain its spec. */
      title: z.string().nullable(),
      tasks: z.array(
        z.strictObject({
          id: z.string(),
          story: z.string().nullable(),
          title: z.string(),
          status: taskRow.shape.status,
          tests: strings,
          /** Null before they were judged, and without tests. */
          tests_pass: z.boolean().nullable(),
          criteria_total: z.int().nonnegative(),
          criteria_confirmed: z.int().nonnegative(),
          commit_sha: z.string().nullable(),
        }),
      ),
    }),
  ),
})
export type TraceAnswer = Wire<typeof traceAnswer>

/** Lists, whole or a page at a time: `next` and `total` are there when the request has a `limit`. */
const paged = { next: pageFields.next.optional(), total: pageFields.total.optional() }

export const plansAnswer = z.strictObject({ plans: z.array(planRow), ...paged })
export const tasksAnswer = z.strictObject({ tasks: z.array(taskRow), ...paged })
export const workersAnswer = z.strictObject({ workers: z.array(workerRow), ...paged })
/** With the interviews that are open. */
export const inboxAnswer = z.strictObject({
  inbox: z.array(inboxEntry),
  interviews: z.array(interviewRow),
  ...paged,
})
