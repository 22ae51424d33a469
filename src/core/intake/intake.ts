/** What a request was understood as: shown to the user before anything is spent. */
import type { Scope } from '../choice/choose-agent.ts'
import type { WorkflowName } from './workflows.ts'

export const INTAKE_TYPES = ['new_project', 'feature_request', 'bug_fix'] as const
export type IntakeType = (typeof INTAKE_TYPES)[number]

export const INTAKE_FORMS = ['sentence', 'brief', 'issue', 'spec', 'plan'] as const
/** How the request is written, which decides where it enters: a plan is run, a spec is previewed. */
export type IntakeForm = (typeof INTAKE_FORMS)[number]

export interface Intake {
  /** One line, from the request. */
  readonly title: string
  readonly form: IntakeForm
  readonly type: IntakeType
  readonly scope: Scope
  readonly workflow: WorkflowName
  /** What the user is asked before work begins; empty where the request is clear. */
  readonly questions: readonly IntakeQuestion[]
  readonly estimate: Estimate
  /** Why it was understood so, one line each. */
  readonly reasons: readonly string[]
}

export interface IntakeQuestion {
  readonly id: string
  readonly text: string
  readonly options: readonly {
    readonly key: string
    readonly label: string
    /** What follows from it. */
    readonly consequence: string
  }[]
  /** The key of the option that is taken without a person to ask; null where there is none. */
  readonly default: string | null
}

export interface Range {
  readonly least: number
  readonly most: number
}

export interface Estimate {
  readonly tasks: Range
  /** Launches of agents, reviewers included. */
  readonly workers: Range
  readonly timeMs: Range
  /** Null where the agents do not report them. */
  readonly tokens: Range | null
  /** `history`: from what the agents took so far. `guess`: from nothing but the scope. */
  readonly basis: 'history' | 'guess'
}
