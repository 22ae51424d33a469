/** The release manifest: what was delivered, with the evidence of every claim. Every field of a file is validated. */
import { z } from 'zod'

const sha = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/, 'is not a git object name')
const moment = z.iso.datetime()

const takenOn = z.strictObject({ by: z.string().min(1), at: moment, reason: z.string() })

/** A command that ran on a tree. */
const run = z.lazy(() =>
  z.strictObject({
    command: z.string(),
    exit_code: z.int().nullable(),
    tree: sha,
    output_sha256: z.string().nullable(),
  }),
)

/** A gate in some tasks or in all that were built, and whether in the release as a whole. */
const gateIn = z.strictObject({
  gate: z.string(),
  tasks: z.union([z.literal('all'), z.array(z.string())]).default([]),
  release: z.boolean().default(false),
})

const amount = z.number().nonnegative()
/** Tokens and US dollars, as agents report them. `usd` is null, or a part, where tokens have no price. */
const usage = z.lazy(() =>
  z.strictObject({
    tokens: amount,
    tokens_in: amount,
    tokens_out: amount,
    tokens_cached: amount,
    usd: amount.nullable(),
    tokens_estimated: amount,
    tokens_unpriced: amount,
  }),
)

const task = z.lazy(() =>
  z.strictObject({
    task_id: z.string().min(1),
    title: z.string(),
    commit_sha: sha.nullable(),
    review_artifact: z.string().min(1).nullable(),
    tier: z.enum(['critical', 'normal', 'low']),
    breaking_change: z.boolean(),
    /** Only for tasks that existed already: the evidence. */
    exists: z.string().optional(),
    /** The last review before the commit; absent for tasks that existed already. */
    review: z
      .strictObject({
        by: z.string().min(1),
        agent: z.string().nullable(),
        round: z.int().min(1),
        verdict: z.enum(['approved', 'changes_requested']),
      })
      .optional(),
    /** Of all its workers; absent where nothing is known of it. */
    usage: usage.optional(),
  }),
)
export type ManifestTask = Readonly<z.infer<typeof task>>

/** The outcome of a check that has only findings of the start commit. */
export const AS_AT_START = 'as_at_start'

const manifest = z.lazy(() =>
  z.strictObject({
    plan_id: z.string(),
    plan_doc: z.string(),
    design_doc: z.string().nullable(),
    /** Of the approved spec, where the plan names another file than Bosun would. */
    spec_file: z.string().min(1).optional(),
    completed_at: moment,
    tasks: z.array(task),
    remediation: z.array(task),
    /** Planned tasks that a person left out. */
    dropped: z.array(z.strictObject({ task_id: z.string().min(1), title: z.string() })).default([]),
    /** Earlier commits of tasks that were redone after an edit of the plan. */
    superseded: z.array(task).default([]),
    tests_run: z.int().nonnegative(),
    tests_passed: z.int().nonnegative(),
    /** Null where it does not apply. */
    lint_clean: z.boolean().nullable(),
    typecheck_clean: z.boolean().nullable(),
    build_clean: z.boolean().nullable(),
    risks: z.array(
      z.strictObject({
        id: z.string(),
        status: z.string(),
        description: z.string(),
        accepted_by: z.string().nullable(),
        accepted_at: moment.nullable(),
        reason: z.string().nullable(),
      }),
    ),
    breaking_changes: z.array(z.string()),
    migration_steps: z.array(z.string()),
    rollback_plan: z.string(),
    recommended_next: z.array(z.string()),
    evidence: z.array(run.unwrap().extend({ claim: z.string() })),
    /** Gates of the release and of tasks that did not apply. */
    not_applicable: z.array(gateIn.extend({ why: z.string() })).default([]),
    /** Tests without named results, judged by their exit code. */
    exit_code_alone: z.array(gateIn.extend({ command: z.string() })).default([]),
    /** Results of the integration tests of each layer, on the tree when the layer was done. */
    milestones: z
      .array(
        run.unwrap().extend({
          layer: z.string(),
          test: z.string().min(1),
          command: z.string().min(1),
          outcome: z.string(),
          values: z.array(
            z.strictObject({
              name: z.string(),
              value: z.number().nullable(),
              reference: z.number(),
              abs: z.number().nullable(),
              rel: z.number().nullable(),
            }),
          ),
        }),
      )
      .default([]),
    /** The number of criteria, how many are confirmed, and the unconfirmed ones. */
    criteria: z
      .strictObject({
        total: z.int().nonnegative(),
        passed: z.int().nonnegative(),
        unconfirmed: z.array(
          z.strictObject({
            task_id: z.string().min(1),
            criterion: z.string(),
            place: z.string().nullable(),
            why: z.string(),
          }),
        ),
        /** Only with unmapped criteria: who released the plan without them. */
        accepted: takenOn.optional(),
      })
      .optional(),
    /** Only where no task has a commit: who released the plan anyway. */
    nothing_built: takenOn.optional(),
    /** Checks that could not run, or failed, at the start commit, and what a person chose; absent where there were none. */
    checks_at_start: z
      .array(
        z.strictObject({
          check: z.string(),
          choice: z.enum(['left_out', 'as_is']),
          command: z.string(),
          why: z.string(),
          by: z.string().min(1),
          at: moment,
        }),
      )
      .optional(),
    /** Tests that failed at the start commit and still do, by name; absent where there are none. */
    tests_failed_before: z
      .strictObject({
        tests: z.array(z.string()).min(1),
        /** By `review.require_tests_pass: false`; else the release is not clean. */
        waved_through: z.boolean(),
      })
      .optional(),
    /** Of all workers of the plan; absent where nothing is known of it. */
    usage: usage.optional(),
    /** Which tasks, tests and commits each requirement came to; absent where the plan traces none. */
    trace: z
      .array(
        z.strictObject({
          requirement: z.string().min(1),
          story: z.string().nullable(),
          task_id: z.string().min(1),
          tests: z.array(z.string()),
          commit_sha: sha.nullable(),
        }),
      )
      .optional(),
    /** Beside the manifest; only with breaking changes. */
    release_notes: z
      .strictObject({ path: z.string().min(1), sha256: z.string().regex(/^[0-9a-f]{64}$/) })
      .optional(),
    /** `via`: how the person's word came; absent where Bosun did not see it. */
    overrides: z.array(
      takenOn.extend({ gate: z.string(), task: z.string().nullable(), via: z.string().optional() }),
    ),
  }),
)
export type ReleaseManifest = Readonly<z.infer<typeof manifest>>

/** A manifest as it is written: what parsing puts back is left out where it is empty. */
export function writtenManifest({
  dropped,
  superseded,
  not_applicable: notApplicable,
  exit_code_alone: exitCodeAlone,
  milestones,
  ...rest
}: ReleaseManifest): z.input<typeof manifest> {
  return {
    ...rest,
    ...(dropped.length === 0 ? {} : { dropped }),
    ...(superseded.length === 0 ? {} : { superseded }),
    ...(notApplicable.length === 0 ? {} : { not_applicable: notApplicable.map(writtenGate) }),
    ...(exitCodeAlone.length === 0 ? {} : { exit_code_alone: exitCodeAlone.map(writtenGate) }),
    ...(milestones.length === 0 ? {} : { milestones }),
  }
}

function writtenGate<T extends z.infer<typeof gateIn>>({ tasks, release, ...gate }: T) {
  return {
    ...gate,
    ...(tasks.length === 0 ? {} : { tasks }),
    ...(release ? { release } : {}),
  }
}

export type ManifestMilestone = ReleaseManifest['milestones'][number]

export type ParsedManifest =
  | { readonly ok: true; readonly manifest: ReleaseManifest }
  | { readonly ok: false; readonly why: string }

export function parseManifest(value: unknown): ParsedManifest {
  const parsed = manifest.safeParse(value)
  if (parsed.success) return { ok: true, manifest: parsed.data }
  const [first] = parsed.error.issues
  const place = first?.path.join('.') ?? ''
  return { ok: false, why: `${place === '' ? 'manifest' : place}: ${first?.message ?? 'is invalid'}` }
}

/** Every task with a commit, including superseded ones. */
export const landedIn = (manifest: ReleaseManifest): readonly ManifestTask[] => [
  ...tasksOf(manifest),
  ...manifest.superseded,
]

/** Every task of a manifest, planned or added. */
export const tasksOf = ({ tasks, remediation }: ReleaseManifest): readonly ManifestTask[] => [
  ...tasks,
  ...remediation,
]
