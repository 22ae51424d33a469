/**
 * What a verdict rests on, small enough to be kept in the log. The full output lies in the evidence store under its hash.
 * Texts in it come from commands and workers: they are bounded, and free of escape sequences.
 */
import { z } from 'zod'

/** `run` is what really ran: passed and failed. Skipped and to-do tests prove nothing. */
export const countsSchema = z.strictObject({
  run: z.int().nonnegative(),
  passed: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  skipped: z.int().nonnegative(),
})
export type Counts = z.infer<typeof countsSchema>

/** How a command ended. Only `exited` can pass or fail a gate. */
export const endingSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('exited'), code: z.int() }),
  z.strictObject({ kind: z.literal('signalled'), signal: z.string() }),
  z.strictObject({ kind: z.literal('timed_out'), afterMs: z.int().nonnegative() }),
  z.strictObject({ kind: z.literal('not_started'), reason: z.string() }),
  z.strictObject({ kind: z.literal('aborted') }),
])
export type Ending = z.infer<typeof endingSchema>

export const runEvidenceSchema = z.strictObject({
  command: z.string(),
  tree: z.string(),
  /** `tree` is the work, `base` what it started from. */
  on: z.enum(['tree', 'base']),
  ending: endingSchema,
  durationMs: z.int().nonnegative(),
  /** Null: the output does not tell. */
  counts: countsSchema.nullable(),
  keyLines: z.array(z.string()),
  /** Of the whole output; null where there is none. */
  outputSha256: z.string().nullable(),
  /** Where the whole output is, relative to the evidence folder. */
  storedAt: z.string().nullable(),
  /**
   * Of the command, the set-up before it and its environment: two runs with the same one were asked the same. Null only
   * in logs from before it was kept; none is admitted without it.
   */
  commandSha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable()
    .default(null),
  /** Of tests that were put there because they must fail: that they did is what was to be shown. */
  mustFail: z.literal(true).optional(),
  /** For whom the command ran, where this verdict was served by a run on the identical tree that had passed. */
  servedBy: z.string().optional(),
})
export type RunEvidence = z.infer<typeof runEvidenceSchema>

/** `blocks` speaks against passing; `note` is for whoever reviews. */
export const findingSchema = z.strictObject({
  weight: z.enum(['blocks', 'note']),
  text: z.string(),
  file: z.string().nullable(),
  line: z.int().min(1).nullable(),
})
export type Finding = z.infer<typeof findingSchema>

/** Who mapped it: the worker, checked against the tree, or the rules, which review must confirm. */
export const mappedCriterionSchema = z.strictObject({
  criterion: z.string(),
  by: z.enum(['worker', 'rules']),
  file: z.string().nullable(),
  line: z.int().min(1).nullable(),
})
export type MappedCriterion = z.infer<typeof mappedCriterionSchema>

export const evidenceSchema = z.strictObject({
  runs: z.array(runEvidenceSchema),
  findings: z.array(findingSchema),
  criteria: z.array(mappedCriterionSchema),
  reviewNote: z
    .strictObject({
      by: z.enum(['worker', 'rules']),
      summary: z.string(),
      risks: z.array(z.string()),
      rollback: z.string(),
    })
    .nullable(),
})
export type Evidence = z.infer<typeof evidenceSchema>

export const NO_EVIDENCE: Evidence = { runs: [], findings: [], criteria: [], reviewNote: null }
