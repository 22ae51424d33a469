/**
 * What the first look at a repository found: what it was like, what of the plan is there, who else is at it. Names and
 * subjects in it were written by others: they are bounded, and quoted wherever somebody reads them.
 */
import { z } from 'zod'
import { countsSchema, runEvidenceSchema } from './evidence.ts'
import { instant, taskId, verdictSchema } from './schemas.ts'

const text = z.string()
const count = z.int().nonnegative()

export const CHECK_NAMES = ['setup', 'test', 'lint', 'typecheck', 'build'] as const
export type CheckName = (typeof CHECK_NAMES)[number]

/** A check that cannot run, or is red, before anybody works. */
export const checkTrialSchema = z.strictObject({
  check: z.enum(CHECK_NAMES),
  /**
   * `unreadable`: it fails and names nothing, so that what is new cannot be told from what is not. `unnamed`: it exits with
   * 0 and names no test, so that no gate could count it as passed.
   */
  state: z.enum(['cannot_run', 'red', 'unreadable', 'unnamed']),
  command: text,
  why: text,
})
export type CheckTrial = z.infer<typeof checkTrialSchema>

/** What a person chose for such a check. */
export interface CheckChoice {
  readonly check: CheckName
  readonly choice: 'left_out' | 'as_is'
  /** It holds for this command and no other. */
  readonly command: string
  readonly why: string
  readonly by: string
  readonly at: number
}

/** The start commit, looked at once. */
export const startSchema = z.strictObject({
  tree: text,
  files: count,
  /** The newest commits, the start commit first. */
  log: z.array(z.strictObject({ sha: text, subject: text })),
  tests: z.strictObject({
    /** `none`: there is no test command; `not_run`: no test was seen to run, which is not the same as failing. */
    outcome: z.enum(['passed', 'failed', 'not_run', 'none']),
    /** Null: the runner names no tests. */
    counts: countsSchema.nullable(),
  }),
  /** Lint, types and build. */
  checks: z.array(verdictSchema.pick({ gate: true, outcome: true, summary: true })),
  warnings: z.array(text),
  /** What a person is asked about before anybody works; absent in what an older Bosun wrote. */
  trials: z.array(checkTrialSchema).optional(),
})
export type StartFacts = z.infer<typeof startSchema>

/** An expected file that is there already. */
export const foundFileSchema = z.strictObject({
  path: text,
  /** Names or headings in it, and how many more there are. */
  holds: z.array(text),
  more: count,
  /** For a test: whether it passes at the start commit; null where that is not known. */
  passes: z.boolean().nullable(),
  isTest: z.boolean(),
})
export type FoundFile = z.infer<typeof foundFileSchema>

export const auditSchema = z.strictObject({
  task: taskId,
  status: z.enum(['EXISTS', 'PARTIAL', 'MISSING']),
  evidence: text,
  files: z.array(foundFileSchema),
  /** The test runs that a finding of EXISTS rests on. */
  runs: z.array(runEvidenceSchema),
})
export type Audit = z.infer<typeof auditSchema>

/** A branch of somebody else's that goes on from the start commit and touches what tasks expect to touch. */
export const noticedBranchSchema = z.strictObject({
  name: text,
  sha: text,
  /** Commits that the start commit has not; `isWhole` is false where only the newest were counted. */
  ahead: count,
  isWhole: z.boolean(),
  at: instant,
  subject: text,
  tasks: z.array(z.strictObject({ task: taskId, files: z.array(text), more: count })),
})
export type NoticedBranch = z.infer<typeof noticedBranchSchema>

export const branchesSchema = z.strictObject({
  noticed: z.array(noticedBranchSchema),
  /** Branches that touch something as well and are not listed, or were not looked at. */
  more: count,
  /** Why the branches could not be looked at; null where they could. */
  trouble: text.nullable(),
})
export type Branches = z.infer<typeof branchesSchema>

export const NO_BRANCHES: Branches = { noticed: [], more: 0, trouble: null }
