/**
 * A complete plan: every field is set, given by the author or inferred, and `inferred` lists the
 * inferred ones. Readers make a PlanDraft (draft.ts); `completePlan` turns it into a Plan.
 */
import type { z } from 'zod'
import type { environmentSchema } from '../settings/settings.ts'
import type { DeepReadonly, IntegrationTest, PlanHeader, TaskSpec } from './task-schema.ts'

export type { CustomGate, ExpectedFiles, IntegrationTest, Reference, TaskSpec } from './task-schema.ts'

export const TIERS = ['critical', 'normal', 'low'] as const
export type Tier = (typeof TIERS)[number]

export const SECURITY_FLAGS = ['auth', 'schema', 'billing', 'secrets'] as const
export type SecurityFlag = (typeof SECURITY_FLAGS)[number]

/** The roles that a plan may give a task to. Without one, its scope and its files decide. */
export const TASK_ROLES = ['developer', 'designer', 'tester', 'fixer'] as const
export type TaskRole = (typeof TASK_ROLES)[number]

/** What kind of change a task makes. */
export const TASK_TYPES = ['feature_request', 'bug_fix'] as const
export type TaskType = (typeof TASK_TYPES)[number]

/** How much a task changes, as far as the plan says so. */
export const TASK_SCOPES = ['trivial', 'small', 'medium', 'large'] as const
export type TaskScope = (typeof TASK_SCOPES)[number]

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

/** The commands that a plan or the settings name. Migrations are never detected: trying them needs a scratch database. */
export type Environment = DeepReadonly<
  Required<Omit<z.infer<typeof environmentSchema>, 'env_files' | 'ports'>>
>
/** A migration and its rollback; `down: null` without one. */
export type Migrations = NonNullable<Environment['migrations']>
/** A string is run by `sh -c` at the checkout's root, a list directly. */
export type Command = NonNullable<Environment['setup']>
export type TestCommand = NonNullable<Environment['test']>

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
  /** The text of the spec that the plan was made from, where the plan contains it. */
  readonly spec?: string | undefined
}
