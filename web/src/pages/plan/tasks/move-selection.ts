/** Which task the keys select: j and k within a column, h and l between columns. */
import type { Column } from './columns.ts'

export type Step = 'next' | 'previous' | 'left' | 'right'

/** Each step with its keys. */
export const STEPS: readonly {
  readonly key: string
  readonly arrow: string
  readonly step: Step
  readonly label: string
}[] = [
  { key: 'j', arrow: 'ArrowDown', step: 'next', label: 'Next task' },
  { key: 'k', arrow: 'ArrowUp', step: 'previous', label: 'Previous task' },
  { key: 'h', arrow: 'ArrowLeft', step: 'left', label: 'Column before' },
  { key: 'l', arrow: 'ArrowRight', step: 'right', label: 'Column after' },
]

/** From nothing, or from a task that is gone, the first one. The end of a column leads to the next with tasks. */
export function moveSelection(
  columns: readonly Column[],
  selected: string | null,
  step: Step,
): string | null {
  const filled = columns.filter(({ tasks }) => tasks.length > 0)
  const at = filled.findIndex(({ tasks }) => tasks.some(({ id }) => id === selected))
  if (at === -1) return filled[0]?.tasks[0]?.id ?? null
  const row = filled[at]?.tasks.findIndex(({ id }) => id === selected) ?? 0
  const [here, before, after] = [filled[at]?.tasks ?? [], filled[at - 1]?.tasks, filled[at + 1]?.tasks]
  switch (step) {
    case 'next':
      return here[row + 1]?.id ?? after?.[0]?.id ?? selected
    case 'previous':
      return here[row - 1]?.id ?? before?.at(-1)?.id ?? selected
    case 'left':
      return beside(before, row) ?? selected
    case 'right':
      return beside(after, row) ?? selected
  }
}

const beside = (tasks: Column['tasks'] | undefined, row: number): string | undefined =>
  tasks?.[Math.min(row, tasks.length - 1)]?.id
