/** Which columns of the board are open, and which are a strip with their name: what is empty, and what has no room. */
import { COLUMN_IDS, type Column, type ColumnId } from '../tasks/columns.ts'

/** Narrower, a title is a word a line. */
export const COLUMN_WIDTH = 172
export const STRIP_WIDTH = 36
export const GAP = 8

/** What a person needs least comes first. */
const FOLDED_FIRST: readonly ColumnId[] = ['done', 'waiting']

/** What the person opened or folded; the rest follows the room. */
export type Choices = Readonly<Partial<Record<ColumnId, 'open' | 'folded'>>>

export function openColumns(
  columns: readonly Pick<Column, 'id' | 'tasks'>[],
  width: number,
  choices: Choices,
): ReadonlySet<ColumnId> {
  const open = new Set(
    columns.flatMap(({ id, tasks }) => (tasks.length > 0 && choices[id] !== 'folded' ? [id] : [])),
  )
  for (const id of FOLDED_FIRST) {
    if (neededWidth(open.size, columns.length) <= width) break
    // The last open one stays, however narrow the board.
    if (choices[id] !== 'open' && open.size > 1) open.delete(id)
  }
  return open
}

const neededWidth = (open: number, all: number): number =>
  open * COLUMN_WIDTH + (all - open) * STRIP_WIDTH + (all - 1) * GAP

const KEY = 'bosun.columns'

/** Kept in this browser. */
export function readChoices(): Choices {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    if (typeof kept !== 'object' || kept === null) return {}
    return Object.fromEntries(
      Object.entries(kept).filter(
        ([id, choice]) => COLUMN_IDS.some((one) => one === id) && (choice === 'open' || choice === 'folded'),
      ),
    )
  } catch {
    // What is kept is not readable: as if nothing were.
    return {}
  }
}

export const keepChoices = (choices: Choices): void => localStorage.setItem(KEY, JSON.stringify(choices))
