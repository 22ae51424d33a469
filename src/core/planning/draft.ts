/**
 * A plan as its author wrote it: an absent field was not given.
 * Readers produce drafts; they parse and never infer.
 */
import type {
  Environment,
  ExpectedFiles,
  InferableField,
  IntegrationTest,
  PlanFormat,
  Problem,
  RemovedStep,
  SecurityFlag,
  GateKind,
  CustomGate,
  TaskRole,
  TaskScope,
  TaskType,
  Tier,
} from './plan.ts'

export interface DraftFiles extends ExpectedFiles {
  /** Files listed as tests (`Test: path`). */
  readonly test: readonly string[]
  /** Files listed only to be read (`Reference: path`, `Read: path`). */
  readonly read: readonly string[]
}

/** One step of a task, in the author's order, commands included, fenced code excluded. */
export interface DraftStep {
  readonly line: number
  readonly title: string
  /** Commands the step runs (`Run:`, a bash fence), with what the author expects of them. */
  readonly runs: readonly DraftRun[]
}

export interface DraftRun {
  readonly line: number
  readonly command: string
  /** `fail` is a red step: the author expects the command to fail. Null where the author expects nothing. */
  readonly expects: 'pass' | 'fail' | null
  readonly expected: string | null
}

export interface DraftTask {
  readonly id: string
  readonly title: string
  readonly line: number
  readonly phase: string | null
  /** Prose and step titles, without fenced code and without removed steps. */
  readonly description: string
  readonly steps: readonly DraftStep[]
  readonly files: DraftFiles | undefined
  /** Paths named by `git add` in a removed commit step. */
  readonly addedPaths: readonly string[]
  readonly commitSubject: string | undefined
  readonly dependsOn: { readonly ids: readonly string[]; readonly line: number } | undefined
  readonly ownership: string | undefined
  readonly layer: string | undefined
  readonly tier: Tier | undefined
  readonly acceptanceCriteria: readonly string[] | undefined
  readonly nonGoals: readonly string[] | undefined
  readonly testsToAdd: readonly string[] | undefined
  readonly testsToRun: readonly string[] | undefined
  readonly heldOut: readonly string[] | undefined
  readonly gates: readonly GateKind[] | undefined
  readonly ownGates?: readonly CustomGate[] | undefined
  readonly interfaces: readonly string[] | undefined
  readonly breakingChange: boolean | undefined
  readonly securityFlags: readonly SecurityFlag[] | undefined
  readonly timeBudgetMs: number | undefined
  /** Marked `[P]`: may run beside the other tasks of its phase. */
  readonly parallel?: boolean
  /** Ids of requirements of the spec. */
  readonly requirements?: readonly string[] | undefined
  readonly story?: string | undefined
  readonly role?: TaskRole | undefined
  readonly type?: TaskType | undefined
  readonly scope?: TaskScope | undefined
  readonly redOnBase?: boolean | undefined
  /** Fields that are given and yet only guessed, by the program that wrote the plan. */
  readonly inferred?: readonly InferableField[] | undefined
}

export interface PlanDraft {
  readonly format: PlanFormat
  /** The path as the user gave it, for messages. */
  readonly source: string
  readonly id: string | undefined
  /** Where the author wrote it. */
  readonly idLine?: number | undefined
  readonly title: string | undefined
  readonly design: { readonly path: string; readonly line: number } | undefined
  readonly goal: string | undefined
  readonly architecture: string | undefined
  readonly techStack: string | undefined
  readonly constraints: readonly string[]
  readonly environment: Partial<Environment>
  readonly tasks: readonly DraftTask[]
  readonly integration: readonly IntegrationTest[]
  readonly removedSteps: readonly RemovedStep[]
  /** The text of the spec that the plan was made from. */
  readonly spec?: string | undefined
  /** Where that spec stands in the plan's branch, once it was approved. */
  readonly specFile?: string | undefined
  /** Errors and warnings about the text itself. */
  readonly problems: readonly Problem[]
}

export const EMPTY_DRAFT: Omit<PlanDraft, 'format' | 'source'> = {
  id: undefined,
  title: undefined,
  design: undefined,
  goal: undefined,
  architecture: undefined,
  techStack: undefined,
  constraints: [],
  environment: {},
  tasks: [],
  integration: [],
  removedSteps: [],
  problems: [],
}
