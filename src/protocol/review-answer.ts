/** An inbox item with its evidence, as the daemon sends it. */
import { z } from 'zod'
import { inboxEntry, timestamp, type Wire } from './answers.ts'

export const gateRow = z.strictObject({
  gate: z.string(),
  /** What people call it. */
  title: z.string(),
  outcome: z.enum(['passed', 'failed', 'inconclusive', 'not_applicable']),
  summary: z.string(),
  findings: z.array(
    z.strictObject({
      blocks: z.boolean(),
      text: z.string(),
      file: z.string().nullable(),
      line: z.int().nullable(),
    }),
  ),
  runs: z.array(
    z.strictObject({
      command: z.string(),
      on: z.enum(['tree', 'base']),
      /** Tests that were put there because they must fail. */
      must_fail: z.boolean(),
      /** `exit 1`, `timed out`: how it ended. */
      ended: z.string(),
      counts: z.strictObject({ run: z.int(), passed: z.int(), failed: z.int(), skipped: z.int() }).nullable(),
      key_lines: z.array(z.string()),
      output_sha256: z.string().nullable(),
      /** The file with all it printed; null where there is none. */
      output: z.string().nullable(),
    }),
  ),
})

export const decision = z.strictObject({ at: timestamp, text: z.string() })

const reviewIssue = z.strictObject({
  severity: z.string(),
  description: z.string(),
  location: z.string(),
  how_to_fix: z.string(),
  /** Whether the place that it names was found, where that was looked for. */
  isFound: z.boolean().optional(),
})

const review = z.strictObject({
  by: z.string(),
  verdict: z.string(),
  summary: z.string(),
  issues: z.array(reviewIssue),
})

export const reviewRound = review.extend({ round: z.int().positive() })

export const criterionRow = z.strictObject({
  criterion: z.string(),
  word: z.enum(['PASS', 'FAIL', 'UNTESTED']),
  place: z.string().nullable(),
  by: z.enum(['worker', 'rules']).nullable(),
  why: z.string(),
})

const taskSheet = z.strictObject({
  id: z.string(),
  title: z.string(),
  tier: z.string(),
  attempt: z.int().nonnegative(),
  revisions: z.strictObject({ used: z.int(), most: z.int() }),
  worker: z.string().nullable(),
  files: z.array(z.string()),
  /** The worker's own summary: a claim, not evidence. */
  claim: z
    .strictObject({
      explanation: z.string(),
      self_assessment: z.string().nullable(),
      blockers: z.array(z.string()),
    })
    .nullable(),
  criteria: z.array(criterionRow),
  review: review.nullable(),
  decisions: z.array(decision),
})

/** An inbox item with everything needed to decide on it. */
export const reviewAnswer = z.strictObject({
  item: inboxEntry,
  /** Options that are recorded in the person's name and need a reason. */
  reason_needed: z.array(z.string()),
  /** Options that need a text. */
  feedback_needed: z.array(z.string()),
  task: taskSheet.nullable(),
  gates: z.array(gateRow),
  overrides: z.array(z.strictObject({ what: z.string(), by: z.string(), at: timestamp, reason: z.string() })),
  risks: z.array(
    z.strictObject({
      id: z.string(),
      task: z.string(),
      severity: z.string(),
      status: z.string(),
      description: z.string(),
      accepted_by: z.string().nullable(),
      reason: z.string().nullable(),
    }),
  ),
  /** The tasks that cannot start before this is decided. */
  blocks: z.array(z.string()),
  /** What would land; null where there is no work to show. */
  diff: z.strictObject({ text: z.string(), is_cut: z.boolean(), command: z.string() }).nullable(),
})
export type ReviewAnswer = Wire<typeof reviewAnswer>
