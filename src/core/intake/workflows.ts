/** The way that a request takes, by its type and scope, as data. */
import type { Scope } from '../choice/choose-agent.ts'
import type { IntakeType } from './intake.ts'

export const WORKFLOW_NAMES = ['fix', 'direct', 'light', 'planned', 'project'] as const
export type WorkflowName = (typeof WORKFLOW_NAMES)[number]

export type WorkflowRole = 'architect' | 'designer' | 'developer' | 'fixer' | 'reviewer' | 'tester'

export interface Workflow {
  /** In the order in which they work. */
  readonly roles: readonly WorkflowRole[]
  readonly interview: 'none' | 'short' | 'full'
  /** `quick`: the low tier's. `tier`: by the tier of each task. `full`: at least the normal tier's. */
  readonly review: 'quick' | 'tier' | 'full'
  readonly handOver: 'branch'
  /** One line, for people. */
  readonly summary: string
}

export const WORKFLOWS: Readonly<Record<WorkflowName, Workflow>> = {
  fix: {
    roles: ['fixer', 'reviewer'],
    interview: 'none',
    review: 'quick',
    handOver: 'branch',
    summary: 'one task for a fixer, gates, quick review, a branch',
  },
  direct: {
    roles: ['developer', 'reviewer'],
    interview: 'none',
    review: 'quick',
    handOver: 'branch',
    summary: 'one task for a developer, gates, quick review, a branch',
  },
  light: {
    roles: ['architect', 'developer', 'reviewer'],
    interview: 'short',
    review: 'tier',
    handOver: 'branch',
    summary: 'a short interview, a plan of a few tasks, developers, review, a branch',
  },
  planned: {
    roles: ['architect', 'designer', 'developer', 'reviewer'],
    interview: 'full',
    review: 'full',
    handOver: 'branch',
    summary: 'an interview, a plan with a design and work units, developers, full review, a branch',
  },
  project: {
    roles: ['architect', 'designer', 'developer', 'reviewer', 'tester'],
    interview: 'full',
    review: 'full',
    handOver: 'branch',
    summary: 'an interview, the set-up of the repository, a plan with a design, review, tests, a branch',
  },
}

export type WorkflowTable = Readonly<Record<IntakeType, Readonly<Record<Scope, WorkflowName>>>>

export const DEFAULT_WORKFLOWS: WorkflowTable = {
  new_project: { trivial: 'project', small: 'project', medium: 'project', large: 'project' },
  feature_request: { trivial: 'direct', small: 'direct', medium: 'light', large: 'planned' },
  bug_fix: { trivial: 'fix', small: 'fix', medium: 'fix', large: 'fix' },
}

export const workflowFor = (type: IntakeType, scope: Scope, table = DEFAULT_WORKFLOWS): WorkflowName =>
  table[type][scope]

/** What the settings name, over the defaults. */
export type WorkflowSettings = Readonly<
  Partial<Record<IntakeType, Readonly<Partial<Record<Scope, WorkflowName | undefined>>> | undefined>>
>

export function workflowTable(settings: WorkflowSettings): WorkflowTable {
  const row = (type: IntakeType): WorkflowTable[IntakeType] => {
    const [own, usual] = [settings[type], DEFAULT_WORKFLOWS[type]]
    return {
      trivial: own?.trivial ?? usual.trivial,
      small: own?.small ?? usual.small,
      medium: own?.medium ?? usual.medium,
      large: own?.large ?? usual.large,
    }
  }
  return {
    new_project: row('new_project'),
    feature_request: row('feature_request'),
    bug_fix: row('bug_fix'),
  }
}

/**
 * The next deeper process for risky work. A fix stays a fix: what it touches raises the tier of its task, and with it
 * the gates and the review.
 */
export const deeper = (workflow: WorkflowName): WorkflowName => (workflow === 'direct' ? 'light' : workflow)
