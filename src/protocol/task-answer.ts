/** A task or an inbox item whole, with its evidence; its diff; and permissions that a person decided. */
import { z } from 'zod'
import { timestamp, taskRow, type Wire } from './answers.ts'
import { pageFields } from './requests.ts'
import { inboxEntry, usageRow } from './rows.ts'

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

/** One task whole, as the daemon answers it. */
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

/** `GET /api/tasks/{id}/diff` and `GET /api/workers/{id}/diff` */
export const diffAnswer = z.strictObject({
  /** What the patch is of: what landed, what would land, or what a worker has written so far. */
  of: z.enum(['landed', 'proposed', 'so_far', 'nothing']),
  base: z.string().nullable(),
  head: z.string().nullable(),
  files: z.array(
    z.strictObject({
      path: z.string(),
      /** Its former path, where it was renamed. */
      from: z.string().nullable(),
      change: z.enum(['added', 'modified', 'deleted', 'renamed']),
      added: z.int().nonnegative(),
      removed: z.int().nonnegative(),
      binary: z.boolean(),
    }),
  ),
  /** In git's unified form. */
  patch: z.string(),
  /** Whether the patch was cut; `command` shows it whole. */
  is_cut: z.boolean(),
  command: z.string().nullable(),
  /** Findings of gates and reviewers that name a line. */
  notes: z.array(
    z.strictObject({
      path: z.string(),
      line: z.int().positive().nullable(),
      by: z.string(),
      blocks: z.boolean(),
      /** It is about the work of an earlier attempt: its line may be another one in this patch. */
      earlier: z.boolean(),
      text: z.string(),
    }),
  ),
})
export type DiffAnswer = Wire<typeof diffAnswer>

/** `GET /api/permissions` */
export const permissionsAnswer = z.strictObject({
  permissions: z.array(
    z.strictObject({
      /** For `revoke`: the item that was answered, prefixed with its plan if two plans use the same. */
      id: z.string(),
      plan: z.string(),
      repo: z.string(),
      item: z.string(),
      decision: z.enum(['allow', 'deny']),
      /** What equal requests would do. */
      what: z.string(),
      scope: z.enum(['task', 'plan']),
      /** Null for the whole plan. */
      task: z.string().nullable(),
      by: z.string(),
      /** Null where that was not recorded. */
      at: timestamp.nullable(),
    }),
  ),
  /** With a `limit`. */
  next: pageFields.next.optional(),
  total: pageFields.total.optional(),
})
export type PermissionsAnswer = Wire<typeof permissionsAnswer>

/** `POST /api/permissions/{id}/revoke` */
export const revokedPermissionAnswer = z.strictObject({ id: z.string(), plan: z.string() })
export type RevokedPermissionAnswer = Wire<typeof revokedPermissionAnswer>
