/** The columns of the board: every stage is in exactly one. What is stuck comes first, what is done last. */
import { isStalled } from '../../../ui/signs.ts'
import type { GraphAnswer } from '../../../../../src/protocol/plan-views.ts'

export const COLUMN_IDS = ['attention', 'working', 'gates', 'review', 'ready', 'waiting', 'done'] as const
export type ColumnId = (typeof COLUMN_IDS)[number]

export interface Column {
  readonly id: ColumnId
  readonly title: string
  readonly tasks: readonly PlanTask[]
}

export const COLUMN_TITLES: Readonly<Record<ColumnId, string>> = {
  attention: 'Needs attention',
  working: 'Working',
  gates: 'Gates',
  review: 'Review',
  ready: 'Ready',
  waiting: 'Waiting',
  done: 'Done',
}

const COLUMN_OF_STAGE: Readonly<Record<string, ColumnId>> = {
  pending: 'waiting',
  ready: 'ready',
  gating: 'gates',
  reviewing: 'review',
  committing: 'review',
  completed: 'done',
  failed: 'attention',
  escalated: 'attention',
  awaiting_person: 'attention',
  taken_over: 'attention',
}

const COLUMN_OF_STATUS: Readonly<Record<PlanTask['status'], ColumnId>> = {
  pending: 'waiting',
  ready: 'ready',
  in_progress: 'working',
  completed: 'done',
  failed: 'attention',
  escalated: 'attention',
}

/** A stage of a later build falls back to the column of its status. */
export function columnOf(task: PlanTask): ColumnId {
  if (task.item !== null && task.status !== 'completed') return 'attention'
  return COLUMN_OF_STAGE[task.stage] ?? COLUMN_OF_STATUS[task.status]
}

/** A person has to act, or its worker does not get on. */
export const isStuck = (task: PlanTask): boolean =>
  columnOf(task) === 'attention' || (task.worker !== null && isStalled(task.worker.health))

const TIERS = ['critical', 'normal', 'low'] as const

/** Stuck before the rest, then by tier, then the longest in its stage; of what is done, the newest. */
export function compareTasks(a: PlanTask, b: PlanTask): number {
  if (a.status === 'completed' && b.status === 'completed') return compareTexts(b.since, a.since)
  return (
    Number(isStuck(b)) - Number(isStuck(a)) ||
    TIERS.indexOf(a.tier) - TIERS.indexOf(b.tier) ||
    compareTexts(a.since, b.since) ||
    NATURAL.compare(a.id, b.id)
  )
}

/** T-9 before T-10. */
const NATURAL = new Intl.Collator('en', { numeric: true })

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Every column, empty ones too, so that none moves when another fills. */
export function columnsOf(tasks: readonly PlanTask[]): readonly Column[] {
  const byColumn = Map.groupBy(tasks, columnOf)
  return COLUMN_IDS.map((id) => ({
    id,
    title: COLUMN_TITLES[id],
    tasks: (byColumn.get(id) ?? []).toSorted(compareTasks),
  }))
}

/** A task with as much as a card shows. */
export type PlanTask = GraphAnswer['tasks'][number]
