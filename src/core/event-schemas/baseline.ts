/**
 * The baseline of a repository: facts about the start commit, an audit of each task, concurrent branches. Names and
 * subjects come from the repository: they are bounded, and quoted wherever they are shown.
 */
import { z } from 'zod'
import { countsSchema, runEvidenceSchema } from './evidence.ts'
import { instant, taskId, verdictSchema } from './schemas.ts'

const text = z.string()
const count = z.int().nonnegative()

export const CHECK_NAMES = ['setup', 'test', 'lint', 'typecheck', 'build'] as const
export type CheckName = (typeof CHECK_NAMES)[number]

/** A check that cannot run, or fails, at the start commit. */
export const checkTrialSchema = z.lazy(() =>
  z.strictObject({
    check: z.enum(CHECK_NAMES),
    /**
     * `unreadable`: it fails without naming tests, so new failures cannot be distinguished. `unnamed`: it exits with 0
     * without naming tests, so no gate could count it as passed.
     */
    state: z.enum(['cannot_run', 'red', 'unreadable', 'unnamed']),
    command: text,
    why: text,
    /** Bosun detected the command; bosun.yaml does not set it. */
    detected: z.literal(true).optional(),
  }),
)
export type CheckTrial = z.infer<typeof checkTrialSchema>

/** A person's choice for such a check. */
export interface CheckChoice {
  readonly check: CheckName
  readonly choice: 'left_out' | 'as_is'
  readonly state: CheckTrial['state']
  /** The command it applies to. */
  readonly command: string
  readonly why: string
  readonly by: string
  readonly at: number
}

/** Facts about the start commit. */
export const startSchema = z.lazy(() =>
  z.strictObject({
    tree: text,
    files: count,
    /** The newest commits, the start commit first. */
    log: z.array(z.strictObject({ sha: text, subject: text })),
    tests: z.strictObject({
      /** `none`: there is no test command; `not_run`: no tests ran, which is not a failure. */
      outcome: z.enum(['passed', 'failed', 'not_run', 'none']),
      /** Null: the runner does not name tests. */
      counts: countsSchema.nullable(),
    }),
    /** The command that names them, where the detected one does not. */
    testCommand: text.optional(),
    /** Lint, types and build. */
    checks: z.array(verdictSchema.unwrap().pick({ gate: true, outcome: true, summary: true })),
    warnings: z.array(text),
    /** Problems that a person is asked about before any work starts. */
    trials: z.array(checkTrialSchema),
  }),
)
export type StartFacts = z.infer<typeof startSchema>

/** An expected file that already exists. */
export const foundFileSchema = z.lazy(() =>
  z.strictObject({
    path: text,
    /** Names or headings in it, and how many more there are. */
    holds: z.array(text),
    more: count,
    /** For a test: whether it passes at the start commit; null where that is not known. */
    passes: z.boolean().nullable(),
    isTest: z.boolean(),
  }),
)
export type FoundFile = z.infer<typeof foundFileSchema>

export const auditSchema = z.lazy(() =>
  z.strictObject({
    task: taskId,
    status: z.enum(['EXISTS', 'PARTIAL', 'MISSING']),
    evidence: text,
    files: z.array(foundFileSchema),
    /** The test runs that a finding of EXISTS rests on. */
    runs: z.array(runEvidenceSchema),
  }),
)
export type Audit = z.infer<typeof auditSchema>

/** Another branch that continues from the start commit and touches files that tasks expect to change. */
export const noticedBranchSchema = z.lazy(() =>
  z.strictObject({
    name: text,
    sha: text,
    /** Commits ahead of the start commit; `isWhole` is false where only the newest were counted. */
    ahead: count,
    isWhole: z.boolean(),
    at: instant,
    subject: text,
    tasks: z.array(z.strictObject({ task: taskId, files: z.array(text), more: count })),
  }),
)
export type NoticedBranch = z.infer<typeof noticedBranchSchema>

export const branchesSchema = z.lazy(() =>
  z.strictObject({
    noticed: z.array(noticedBranchSchema),
    /** Further branches that touch such files, or were not examined. */
    more: count,
    /** Why the branches could not be read; null where they were. */
    trouble: text.nullable(),
  }),
)
export type Branches = z.infer<typeof branchesSchema>

export const NO_BRANCHES: Branches = { noticed: [], more: 0, trouble: null }
