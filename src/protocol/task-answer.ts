/** One task whole, as the daemon answers it. */
import { z } from 'zod'
import { taskRow, timestamp, usageRow, type Wire } from './answers.ts'
import { criterionRow, decision, gateRow, reviewRound } from './review-answer.ts'

const strings = z.array(z.string())
/** One task whole. */
export const taskAnswer = z.strictObject({
  plan: z.string(),
  repo: z.string(),
  id: z.string(),
  title: z.string(),
  status: taskRow.shape.status,
  stage: z.string(),
  since: timestamp,
  tier: taskRow.shape.tier,
  attempt: z.int().nonnegative(),
  contract: z.strictObject({
    description: z.string(),
    acceptance_criteria: strings,
    files: z.strictObject({ create: strings, modify: strings, delete: strings }),
    non_goals: strings,
    depends_on: strings,
    ownership: z.string(),
    layer: z.string().nullable(),
    tests_to_add: strings,
    tests_to_run: strings,
    /** How many checks there are that workers never see. */
    held_out: z.int().nonnegative(),
    gates: strings,
    interfaces: strings,
    breaking_change: z.boolean(),
    security_flags: strings,
    tier_reasons: strings,
    time_budget_ms: z.number(),
    inferred: strings,
    /** Of a plan that was made from a spec. */
    requirements: strings,
    story: z.string().nullable(),
    role: z.string().nullable(),
    /** Whether its new tests have to fail on the base; null where its criteria decide. */
    red_on_base: z.boolean().nullable(),
  }),
  /** The tasks that it depends on and that are not completed. */
  blocked_by: z.array(z.strictObject({ id: z.string(), title: z.string() })),
  /** Every launch for it, reviewers too. */
  attempts: z.array(
    z.strictObject({
      worker: z.string(),
      attempt: z.int().positive(),
      role: z.string(),
      sent: timestamp,
      why: z.string(),
      agent: z.string().nullable(),
      ended: timestamp.nullable(),
      end: z.string().nullable(),
      /** Null before anything is known of it. */
      usage: usageRow.nullable(),
      /** The last model it named. */
      model: z.string().nullable(),
      /** Of each turn of its session, the last ones where there are many. */
      turns: z.array(usageRow),
    }),
  ),
  /** Of all its workers, a running one too. */
  usage: usageRow,
  /** The part of it that thinking used; null where no model was asked. */
  thinking: usageRow.nullable(),
  /** How each criterion was proven. */
  criteria: z.array(criterionRow),
  /** The inbox item about it that is open; null where none is. */
  item: z.string().nullable(),
  gates: z.array(gateRow),
  /** The attempt that the gates ran on; null before they ran. */
  gated_attempt: z.int().positive().nullable(),
  reviews: z.array(reviewRound),
  decisions: z.array(decision),
  history: z.array(z.strictObject({ timestamp, text: z.string() })),
  record: z.strictObject({
    task_id: z.string(),
    status: taskRow.shape.status,
    tier: taskRow.shape.tier,
    retry_count: z.int().nonnegative(),
    decision_log: z.array(decision),
    artifacts: strings,
    known_risks: z.array(
      z.strictObject({
        id: z.string(),
        description: z.string(),
        severity: z.string(),
        status: z.string(),
        source_task: z.string(),
      }),
    ),
    review_notes: z.strictObject({ summary: z.string(), risks: strings, rollback: z.string() }).nullable(),
    commit_sha: z.string().nullable(),
    duration_ms: z.number().nullable(),
    ownership: z.string(),
  }),
})
export type TaskAnswer = Wire<typeof taskAnswer>
