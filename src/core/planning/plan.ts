/**
 * A complete plan: every field is set, given by the author or inferred, and `inferred` lists the
 * inferred ones. Readers make a PlanDraft (draft.ts); `completePlan` turns it into a Plan.
 */

export const TIERS = ['critical', 'normal', 'low'] as const
export type Tier = (typeof TIERS)[number]

export const SECURITY_FLAGS = ['auth', 'schema', 'billing', 'secrets'] as const
export type SecurityFlag = (typeof SECURITY_FLAGS)[number]

/** Gate kinds a task can be assigned on top of the six mandatory gates. */
export const GATE_KINDS = [
  'build',
  'unit',
  'lint',
  'typecheck',
  'contract',
  'numeric',
  'integration',
  'secrets',
  'dependencies',
] as const
export type GateKind = (typeof GATE_KINDS)[number]

export const PLAN_FORMATS = ['markdown', 'yaml', 'spec-kit', 'task-master'] as const
export type PlanFormat = (typeof PLAN_FORMATS)[number]

export interface ExpectedFiles {
  readonly create: readonly string[]
  readonly modify: readonly string[]
  readonly delete: readonly string[]
}

/** The fields of a task that may be inferred, by their name in plan files. */
export const INFERABLE = [
  'acceptance_criteria',
  'depends_on',
  'ownership',
  'layer',
  'files',
  'tests_to_add',
  'tests_to_run',
] as const
export type InferableField = (typeof INFERABLE)[number]

/** A complete task. `line` is its line in the source, from 1. */
export interface TaskSpec {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly phase: string | null
  readonly line: number
  readonly tier: Tier
  readonly tierReasons: readonly string[]
  readonly securityFlags: readonly SecurityFlag[]
  /** The area this task locks: a label; where it looks like a path, its parents and children conflict with it. */
  readonly ownership: string
  readonly layer: string | null
  readonly dependsOn: readonly string[]
  readonly acceptanceCriteria: readonly string[]
  readonly files: ExpectedFiles
  readonly nonGoals: readonly string[]
  readonly testsToAdd: readonly string[]
  /** Those that only the list of files to modify names; absent in plans of earlier builds. */
  readonly inferredTests?: readonly string[] | undefined
  readonly testsToRun: readonly string[]
  /** Checks the worker never sees. */
  readonly heldOut: readonly string[]
  readonly gates: readonly GateKind[]
  /** Custom gates, in addition to the kinds. */
  readonly ownGates?: readonly CustomGate[] | undefined
  readonly interfaces: readonly string[]
  readonly breakingChange: boolean
  readonly timeBudgetMs: number
  /** The commit subject the plan's author intended, if the plan names one. */
  readonly commitSubject: string | null
  readonly inferred: readonly InferableField[]
}

/** A command that is judged by its exit code, or by comparing its values with references. */
export type CustomGate =
  | { readonly kind: 'command'; readonly name: string; readonly command: string }
  | {
      readonly kind: 'numeric'
      readonly name: string
      readonly command: string
      readonly reference: Readonly<Record<string, Reference>>
    }

export interface Reference {
  readonly value: number
  readonly abs?: number | undefined
  readonly rel?: number | undefined
}

export interface IntegrationTest {
  readonly id: string
  readonly description: string
  readonly afterLayer: string
  readonly tasksCovered: readonly string[]
  readonly command: string
  readonly reference: Readonly<Record<string, Reference>>
}

export interface Environment {
  readonly setup: Command | null | undefined
  readonly test: TestCommand | null | undefined
  readonly lint: Command | null | undefined
  readonly typecheck: Command | null | undefined
  readonly build: Command | null | undefined
  /** Never detected: trying a migration needs a scratch database that the user must provide. */
  readonly migrations: Migrations | null | undefined
}
/** A migration and its rollback; `down: null` without one. */
export interface Migrations {
  readonly up: Command
  readonly down: Command | null
}
/** A string is run by `sh -c` at the checkout's root, a list directly. */
export type Command = string | readonly string[]
export type TestCommand = Command | { readonly command: Command; readonly report: string }

export interface Problem {
  readonly severity: 'error' | 'warning'
  readonly file: string
  readonly line: number
  readonly message: string
  readonly remedy: string
}

/** A step withheld from workers because it commits, pushes or leaves the repository. */
export interface RemovedStep {
  readonly task: string
  readonly line: number
  readonly text: string
  readonly reason: string
}

export interface PlanHeader {
  readonly id: string
  /** The id of earlier builds, where the name was too long. */
  readonly formerId?: string | undefined
  readonly title: string
  readonly source: string
  readonly design: string | null
  readonly format: PlanFormat
  readonly goal: string | null
  readonly architecture: string | null
  readonly techStack: string | null
  readonly constraints: readonly string[]
}

export interface Plan {
  readonly header: PlanHeader
  /** In plan order. */
  readonly tasks: readonly TaskSpec[]
  /** Ids, topological, ties in plan order; empty when there is a cycle. */
  readonly order: readonly string[]
  readonly integration: readonly IntegrationTest[]
  readonly environment: Partial<Environment>
  readonly removedSteps: readonly RemovedStep[]
  readonly problems: readonly Problem[]
}
