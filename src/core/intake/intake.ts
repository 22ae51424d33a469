/** What a request was understood as: shown to the user before anything is spent. */
import type { Scope } from '../choice/choose-agent.ts'
import type { WorkflowName } from './workflows.ts'
import type { SecurityFlag } from '../planning/plan.ts'

/** What work may be. */
export const WORK_TYPES = ['new_project', 'feature_request', 'bug_fix'] as const
export type WorkType = (typeof WORK_TYPES)[number]

/** A question is answered, and nothing is built. */
export const INTAKE_TYPES = [...WORK_TYPES, 'question'] as const
export type IntakeType = (typeof INTAKE_TYPES)[number]

/** How the request is written, which decides where it enters: a plan is run, a spec is previewed. */
export type IntakeForm = 'sentence' | 'brief' | 'spec' | 'plan'

/** A plan and a spec say themselves what they are. */
export const isTakenAsItIs = (form: IntakeForm): boolean => form === 'plan' || form === 'spec'

/**
 * Where a request goes on after it was understood. `run_plan`: the text is a plan. `upload_spec`: it is a spec, which the user
 * previews. `answered`: it was a question. `one_task`: it becomes a plan that needs no interview. `interview`: it needs one
 * first. `ask`: only the user knows what is meant.
 */
export type NextStep = 'run_plan' | 'upload_spec' | 'answered' | 'one_task' | 'interview' | 'ask'

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
  readonly judged_by: string | null
  /** The answer to a question; null for work. */
  readonly answer: string | null
  readonly work: Work
  /** What the user is asked before work begins; empty where the request is clear. */
  readonly questions: readonly IntakeQuestion[]
  readonly next: NextStep
  /** Why it was understood so, one line each. */
  readonly reasons: readonly string[]
}

/** What is to be done, as far as it is known; under the keys that a model, a plan and a caller use. */
export interface Work {
  /** Each can be checked. */
  readonly criteria: readonly string[]
  readonly files: { readonly create: readonly string[]; readonly modify: readonly string[] }
  readonly tests_to_add: readonly string[]
  readonly constraints: readonly string[]
  readonly out_of_scope: readonly string[]
}

/** What the user saw of an earlier round, and answered. */
export interface SeenWork extends Work {
  readonly title: string
}

export const NO_WORK: Work = {
  criteria: [],
  files: { create: [], modify: [] },
  tests_to_add: [],
  constraints: [],
  out_of_scope: [],
}

export interface IntakeQuestion {
  readonly id: string
  readonly text: string
  /** How it is answered: by one of the options; by one, or in words of one's own; or in lines, of which there may be none. */
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
  readonly time_ms: Range
  /** Null where the agents do not report them. */
  readonly tokens: Range | null
  /** `history`: from what the agents took so far. `guess`: from nothing but the scope. */
  readonly basis: 'history' | 'guess'
}

/** What a model says about a request. It proposes; the user sees it before anything is spent. */
export interface Understanding extends SeenWork {
  readonly type: IntakeType
  readonly scope: Scope
  /** Of a question: its answer. */
  readonly answer: string | null
  /** Of a bug: what happens instead, once it is fixed. */
  readonly expected: string | null
  /** What makes the work risky. It adds to what the rules find, and takes nothing from it. */
  readonly touches: readonly SecurityFlag[]
  readonly questions: readonly {
    readonly text: string
    readonly options: readonly string[]
    /** One of the options. */
    readonly default: string | null
  }[]
  readonly reasons: readonly string[]
}

export const MOST_QUESTIONS = 3
/** How often a model may ask before the work goes on with what is known. */
export const MOST_ROUNDS = 2
