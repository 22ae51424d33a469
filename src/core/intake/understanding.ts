/** What a model says about a request. It proposes; the user sees it before anything is spent. */
import type { Scope } from '../choice/choose-agent.ts'
import type { SecurityFlag } from '../planning/plan.ts'
import type { IntakeType } from './intake.ts'

export interface Understanding {
  readonly type: IntakeType
  readonly scope: Scope
  /** Imperative; for a bug the repair, not the complaint. */
  readonly title: string
  /** Of a question: its answer. */
  readonly answer: string | null
  /** Of a bug: what happens instead, once it is fixed. */
  readonly expected: string | null
  readonly criteria: readonly string[]
  readonly files: { readonly create: readonly string[]; readonly modify: readonly string[] }
  readonly tests_to_add: readonly string[]
  readonly constraints: readonly string[]
  readonly out_of_scope: readonly string[]
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
