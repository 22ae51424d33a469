/**
 * What a verdict rests on, small enough for the log. The full output is in the evidence store under its hash.
 * Texts come from commands and workers: they are bounded, and free of escape sequences.
 */
import { z } from 'zod'

/** `run` counts passed and failed tests. Skipped and to-do tests prove nothing. */
export const countsSchema = z.lazy(() =>
  z.strictObject({
    run: z.int().nonnegative(),
    passed: z.int().nonnegative(),
    failed: z.int().nonnegative(),
    skipped: z.int().nonnegative(),
  }),
)
export type Counts = z.infer<typeof countsSchema>

/** How a command ended. Only `exited` can pass or fail a gate. */
export const endingSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('exited'), code: z.int() }),
    z.strictObject({ kind: z.literal('signalled'), signal: z.string() }),
    z.strictObject({ kind: z.literal('timed_out'), afterMs: z.int().nonnegative() }),
    z.strictObject({ kind: z.literal('not_started'), reason: z.string() }),
    z.strictObject({ kind: z.literal('aborted') }),
  ]),
)
export type Ending = z.infer<typeof endingSchema>

export const runEvidenceSchema = z.lazy(() =>
  z.strictObject({
    command: z.string(),
    tree: z.string(),
    /** `tree` is the work, `base` its starting point. */
    on: z.enum(['tree', 'base']),
    ending: endingSchema,
    durationMs: z.int().nonnegative(),
    /** Null: the output does not name them. */
    counts: countsSchema.nullable(),
    keyLines: z.array(z.string()),
    /** Of the whole output; null where there is none. */
    outputSha256: z.string().nullable(),
    /** Where the whole output is, relative to the evidence folder. */
    storedAt: z.string().nullable(),
    /** Of the command, its set-up and its environment: runs with the same hash are comparable. Without it a run is rejected. */
    commandSha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullable()
      .default(null),
    /** Whether it is a canary run, which must fail. */
    mustFail: z.literal(true).optional(),
    /** The task whose passed run on the identical tree was reused. */
    servedBy: z.string().optional(),
  }),
)
export type RunEvidence = z.infer<typeof runEvidenceSchema>

/** `blocks` fails the gate; `review` passes it, and a reviewer or a person has to read it. */
export const findingSchema = z.lazy(() =>
  z.strictObject({
    weight: z.enum(['blocks', 'review', 'note']),
    text: z.string(),
    file: z.string().nullable(),
    line: z.int().min(1).nullable(),
  }),
)
export type Finding = z.infer<typeof findingSchema>

/** `by`: mapped by the worker, checked against the tree, or by the rules, which a review must confirm. */
export const mappedCriterionSchema = z.lazy(() =>
  z.strictObject({
    criterion: z.string(),
    by: z.enum(['worker', 'rules']),
    file: z.string().nullable(),
    line: z.int().min(1).nullable(),
  }),
)
export type MappedCriterion = z.infer<typeof mappedCriterionSchema>

export const reviewNoteSchema = z.lazy(() =>
  z.strictObject({
    summary: z.string(),
    risks: z.array(z.string()),
    rollback: z.string(),
  }),
)

export const evidenceSchema = z.lazy(() =>
  z.strictObject({
    runs: z.array(runEvidenceSchema),
    findings: z.array(findingSchema),
    criteria: z.array(mappedCriterionSchema),
    reviewNote: reviewNoteSchema
      .unwrap()
      .extend({ by: z.enum(['worker', 'rules']) })
      .nullable(),
    /**
     * What did not pass, named so that it can be compared with a run on another base: no counts, no line numbers. Absent
     * where all passed or too much failed.
     */
    failures: z.array(z.string()).min(1).optional(),
    /** Tests that failed on the base too, by name, and do not count; absent where there are none. */
    failedBefore: z.array(z.string()).min(1).optional(),
  }),
)
export type Evidence = z.infer<typeof evidenceSchema>

export const NO_EVIDENCE: Evidence = { runs: [], findings: [], criteria: [], reviewNote: null }
