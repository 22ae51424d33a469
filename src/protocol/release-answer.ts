/** The release of a plan: its manifest, whether it would merge, and its sign-off. */
import { z } from 'zod'
import { timestamp, type Wire } from './answers.ts'

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
