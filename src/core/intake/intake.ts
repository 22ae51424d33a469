/** What a request was understood as: shown to the user before anything is spent. */
import type { Scope } from '../choice/choose-agent.ts'
import type { WorkflowName } from './workflows.ts'

/** What work may be. */
export const WORK_TYPES = ['new_project', 'feature_request', 'bug_fix'] as const
export type WorkType = (typeof WORK_TYPES)[number]

/** A question is answered, and nothing is built. */
export const INTAKE_TYPES = [...WORK_TYPES, 'question'] as const
export type IntakeType = (typeof INTAKE_TYPES)[number]

export const INTAKE_FORMS = ['sentence', 'brief', 'spec', 'plan'] as const
/** How the request is written, which decides where it enters: a plan is run, a spec is previewed. */
export type IntakeForm = (typeof INTAKE_FORMS)[number]

/** A plan and a spec say themselves what they are. */
export const isTakenAsItIs = (form: IntakeForm): boolean => form === 'plan' || form === 'spec'

export interface Intake {
  /** One line. */
  readonly title: string
  readonly form: IntakeForm
  /** Null where nobody has said what it is yet; so are the next three. */
  readonly type: IntakeType | null
  readonly scope: Scope | null
  readonly workflow: WorkflowName | null
  readonly estimate: Estimate | null
  /** Who judged it, such as `openai/gpt-5.5`; null where no model did. */
  readonly judgedBy: string | null
  /** The answer to a question; null for work. */
  readonly answer: string | null
  readonly work: Work
  /** What the user is asked before work begins; empty where the request is clear. */
  readonly questions: readonly IntakeQuestion[]
  /** Why it was understood so, one line each. */
  readonly reasons: readonly string[]
}

/** What is to be done, as far as it is known. */
export interface Work {
  /** Each can be checked. */
  readonly criteria: readonly string[]
  readonly files: { readonly create: readonly string[]; readonly modify: readonly string[] }
  readonly testsToAdd: readonly string[]
  readonly constraints: readonly string[]
  readonly outOfScope: readonly string[]
}

/** What the user saw of an earlier round, and answered. */
export interface SeenWork extends Work {
  readonly title: string
}

export const NO_WORK: Work = {
  criteria: [],
  files: { create: [], modify: [] },
  testsToAdd: [],
  constraints: [],
  outOfScope: [],
}

export interface IntakeQuestion {
  readonly id: string
  readonly text: string
  /**
   * How it is answered: by one of the options; by one, or in words of one's own; or in lines, of which there may be
   * none.
   */
  readonly by: 'option' | 'option_or_words' | 'lines'
  readonly options: readonly {
    readonly key: string
    readonly label: string
    /** What follows from it; may be empty. */
    readonly consequence: string
  }[]
  /** The key of the option that is taken without a person to ask; null where there is none. */
  readonly default: string | null
}

/** A question that was asked before, and what the user said. */
export interface AnsweredQuestion {
  readonly question: string
  readonly answer: string
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
