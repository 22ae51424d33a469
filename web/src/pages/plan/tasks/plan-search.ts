/** What the address of a plan says: the view and the filters. */
import { COLUMN_IDS, columnOf, isStuck, type ColumnId, type PlanTask } from './columns.ts'
import { RANGES, type Range } from '../timeline/timeline-window.ts'

export const VIEWS = ['board', 'list', 'graph', 'timeline'] as const
export type View = (typeof VIEWS)[number]
export const TIERS = ['critical', 'normal', 'low'] as const
export type Tier = (typeof TIERS)[number]

export interface PlanSearch {
  readonly view?: View | undefined
  /** In the id or the title. */
  readonly q?: string | undefined
  readonly column?: ColumnId | undefined
  readonly tier?: Tier | undefined
  readonly stuck?: true | undefined
  /** Of the timeline; all of it when absent. */
  readonly range?: Range | undefined
}

const oneOf = <T extends string>(all: readonly T[], value: string | undefined): T | undefined =>
  all.find((one) => one === value)

const textOf = (text: string | undefined, most: number): string | undefined =>
  text === undefined || text === '' ? undefined : text.slice(0, most)

/** Whatever an address holds; what is no filter is left out. */
export function planSearch(raw: Readonly<Record<string, string | undefined>>): PlanSearch {
  const found: PlanSearch = {
    view: oneOf(VIEWS, raw['view']),
    q: textOf(raw['q'], 200),
    column: oneOf(COLUMN_IDS, raw['column']),
    tier: oneOf(TIERS, raw['tier']),
    stuck: raw['stuck'] === 'true' ? true : undefined,
    range: oneOf(RANGES, raw['range']),
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

export const isFiltered = ({ q, column, tier, stuck }: PlanSearch): boolean =>
  q !== undefined || column !== undefined || tier !== undefined || stuck === true

export function filterTasks(tasks: readonly PlanTask[], search: PlanSearch): readonly PlanTask[] {
  const { column, tier, stuck } = search
  const words = (search.q ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  if (!isFiltered(search)) return tasks
  return tasks.filter((task) => {
    if (stuck === true && !isStuck(task)) return false
    if (column !== undefined && columnOf(task) !== column) return false
    if (tier !== undefined && task.tier !== tier) return false
    const text = `${task.id} ${task.title} ${task.worker?.id ?? ''}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
