/** The way that a request takes, by its type and scope, as data. */
import type { Scope } from '../choice/choose-agent.ts'
import type { WorkType } from './intake.ts'

export const WORKFLOW_NAMES = ['fix', 'direct', 'light', 'planned', 'project'] as const
export type WorkflowName = (typeof WORKFLOW_NAMES)[number]

export type WorkflowRole = 'architect' | 'designer' | 'developer' | 'fixer' | 'reviewer' | 'tester'

export interface Workflow {
  /** In the order in which they work. */
  readonly roles: readonly WorkflowRole[]
  readonly interview: 'none' | 'short' | 'full'
  /** `quick`: the low tier's. `tier`: by the tier of each task. `full`: at least the normal tier's. */
  readonly review: 'quick' | 'tier' | 'full'
  /** One line, for people. */
  readonly summary: string
}

export const WORKFLOWS: Readonly<Record<WorkflowName, Workflow>> = {
  fix: {
    roles: ['fixer', 'reviewer'],
    interview: 'none',
    review: 'quick',
    summary: 'one task for a fixer, gates, quick review, a branch',
  },
  direct: {
    roles: ['developer', 'reviewer'],
    interview: 'none',
    review: 'quick',
    summary: 'one task for a developer, gates, quick review, a branch',
  },
  light: {
    roles: ['architect', 'developer', 'reviewer'],
    interview: 'short',
    review: 'tier',
    summary: 'a short interview, a plan of a few tasks, developers, review, a branch',
  },
  planned: {
    roles: ['architect', 'designer', 'developer', 'reviewer'],
    interview: 'full',
    review: 'full',
    summary: 'an interview, a plan with a design and work units, developers, full review, a branch',
  },
  project: {
    roles: ['architect', 'designer', 'developer', 'reviewer', 'tester'],
    interview: 'full',
    review: 'full',
    summary: 'an interview, the set-up of the repository, a plan with a design, review, tests, a branch',
  },
}

export type WorkflowTable = Readonly<Record<WorkType, Readonly<Record<Scope, WorkflowName>>>>

export const DEFAULT_WORKFLOWS: WorkflowTable = {
  new_project: { trivial: 'project', small: 'project', medium: 'project', large: 'project' },
  feature_request: { trivial: 'direct', small: 'direct', medium: 'light', large: 'planned' },
  bug_fix: { trivial: 'fix', small: 'fix', medium: 'fix', large: 'fix' },
}

export const workflowFor = (type: WorkType, scope: Scope, table = DEFAULT_WORKFLOWS): WorkflowName =>
  table[type][scope]

/** The workflow that this type has at every scope, where that begins with an interview: then nobody has to know the scope. */
export function workflowOfType(type: WorkType, table: WorkflowTable): WorkflowName | null {
  const [first, ...more] = new Set(Object.values(table[type]))
  if (first === undefined || more.length > 0) return null
  return WORKFLOWS[first].interview === 'none' ? null : first
}

/** What the settings name, over the defaults. */
export type WorkflowSettings = Readonly<
  Partial<Record<WorkType, Readonly<Partial<Record<Scope, WorkflowName | undefined>>> | undefined>>
>

export function workflowTable(settings: WorkflowSettings): WorkflowTable {
  const own = (type: WorkType) =>
    Object.entries(settings[type] ?? {}).filter(([, workflow]) => workflow !== undefined)
  const row = (type: WorkType) => ({ ...DEFAULT_WORKFLOWS[type], ...Object.fromEntries(own(type)) })
  return { new_project: row('new_project'), feature_request: row('feature_request'), bug_fix: row('bug_fix') }
}

/**
 * The next deeper process for risky work. A fix stays a fix: what it touches raises the tier of its task, and with it
 * the gates and the review.
 */
export const deeper = (workflow: WorkflowName): WorkflowName => (workflow === 'direct' ? 'light' : workflow)

/** What decides who does a single task, and how it is reviewed. */
export interface SoloWork {
  readonly scope: Scope
  /** What it touches makes it critical. */
  readonly isRisky: boolean
  /** Whether the settings name a fixer: its agent does small work of developers too. */
  readonly hasFixer: boolean
  readonly hasBrain: boolean
}

/** Low work gets the quick review. */
export const isQuick = ({ scope, isRisky }: Pick<SoloWork, 'scope' | 'isRisky'>): boolean =>
  !isRisky && (scope === 'trivial' || scope === 'small')

/** In a line, as it will really go: larger work is a developer's, whatever its workflow is. */
export function workflowSummary(workflow: WorkflowName, work: SoloWork): string {
  if (WORKFLOWS[workflow].interview !== 'none') return WORKFLOWS[workflow].summary
  if (!isQuick(work)) return 'one task for a developer, gates, review, a branch'
  const { summary: read } = WORKFLOWS[workflow]
  const summary = work.hasBrain ? read : `${read.replace(' quick review,', '')}; no brain, so nobody reads it`
  // The role stays the developer's: only agent and model are those of `roles.fixer`.
  return workflow === 'direct' && work.hasFixer
    ? summary.replace('a developer', "a developer (the fixer's agent)")
    : summary
}

/** More than one developer keeps in mind. */
const MANY = 5

/** The scope of work whose parts are counted: the requirements of a spec, the tasks of a plan. */
export function scopeOfParts(count: number): Extract<Scope, 'small' | 'medium' | 'large'> {
  if (count > MANY) return 'large'
  return count > 1 ? 'medium' : 'small'
}
