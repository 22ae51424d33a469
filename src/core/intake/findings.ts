/** What is known about a request before it is concluded what it is. */
import type { Scope } from '../choice/choose-agent.ts'
import type { CrewHistory } from './estimate.ts'
import type { IntakeForm, WorkType } from './intake.ts'
import type { RequestText } from './request-text.ts'
import type { Understanding } from './understanding.ts'
import type { WorkflowName, WorkflowTable } from './workflows.ts'

/** What the user decided; each wins over what was concluded. */
export interface Decided {
  readonly type?: WorkType | undefined
  readonly scope?: Scope | undefined
  readonly workflow?: WorkflowName | undefined
  readonly title?: string | undefined
  /** Empty: the request's own words; absent: not asked yet. */
  readonly criteria?: readonly string[] | undefined
}

export interface Judgement {
  readonly by: string
  readonly understanding: Understanding
}

export interface Findings {
  readonly request: RequestText
  readonly form: IntakeForm
  readonly fileName: string | null
  /** Null where nothing is known about the repository. */
  readonly repository: { readonly sources: number } | null
  /** Null where no model judged. */
  readonly judgement: Judgement | null
  /** Whether a model may ask, or ask again. */
  readonly mayAsk: boolean
  readonly history: CrewHistory
  readonly table: WorkflowTable
  /** Whether the settings name a fixer. */
  readonly hasFixer: boolean
}
