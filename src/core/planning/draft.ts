/**
 * A plan as its author wrote it: an absent field was not given.
 * Readers produce drafts; they parse and never infer.
 */
import type {
  CustomGate,
  Environment,
  ExpectedFiles,
  GateKind,
  IntegrationTest,
  PlanFormat,
  Problem,
  RemovedStep,
} from './plan.ts'
import type { FilePlan, FileTask } from './readers/yaml-schema.ts'
import type { DeepReadonly } from './task-schema.ts'

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

type CamelCase<Key> = Key extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<CamelCase<Rest>>}`
  : Key

/** The fields of a plan file under the names that they have in a draft. */
export type InCamelCase<Fields> = {
  readonly [Key in keyof Fields as CamelCase<Key> & string]?:
    | DeepReadonly<NonNullable<Fields[Key]>>
    | undefined
}

/** The fields that a draft has as the plan file has them. */
export type PlainField = Exclude<
  keyof FileTask,
  'id' | 'title' | 'description' | 'files' | 'depends_on' | 'gates' | 'time_budget' | 'tests_to_run'
>

export interface DraftTask extends InCamelCase<Pick<FileTask, PlainField>> {
  readonly id: string
  readonly title: string
  readonly line: number
  readonly phase: string | null
  /** Prose and step titles, without fenced code and without removed steps. */
  readonly description: string
  readonly steps: readonly DraftStep[]
  readonly files?: DraftFiles | undefined
  /** Paths named by `git add` in a removed commit step. */
  readonly addedPaths: readonly string[]
  readonly commitSubject?: string | undefined
  readonly dependsOn?: { readonly ids: readonly string[]; readonly line: number } | undefined
  readonly gates?: readonly GateKind[] | undefined
  readonly ownGates?: readonly CustomGate[] | undefined
  readonly timeBudgetMs?: number | undefined
  readonly testsToRun?: readonly string[] | undefined
  /** Marked `[P]`: may run beside the other tasks of its phase. */
  readonly parallel?: boolean
}

/** The texts above the tasks. */
export type PlanTexts = Pick<
  FilePlan,
  'title' | 'goal' | 'architecture' | 'tech_stack' | 'spec' | 'spec_file'
>

export interface PlanDraft extends InCamelCase<PlanTexts> {
  readonly format: PlanFormat
  /** The path as the user gave it, for messages. */
  readonly source: string
  readonly id?: string | undefined
  /** Where the author wrote it. */
  readonly idLine?: number | undefined
  readonly design?: { readonly path: string; readonly line: number } | undefined
  readonly constraints: readonly string[]
  readonly environment: Partial<Environment>
  readonly tasks: readonly DraftTask[]
  readonly integration: readonly IntegrationTest[]
  readonly removedSteps: readonly RemovedStep[]
  /** Errors and warnings about the text itself. */
  readonly problems: readonly Problem[]
}

export const EMPTY_DRAFT: Omit<PlanDraft, 'format' | 'source'> = {
  constraints: [],
  environment: {},
  tasks: [],
  integration: [],
  removedSteps: [],
  problems: [],
}
