/** Keys of board and list: they select, Enter opens, and none of them decides anything. */
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useKeys } from '../../../shell/commands/keys.ts'
import type { Column } from './columns.ts'
import { moveSelection, STEPS } from './move-selection.ts'

export function useTaskKeys(
  columns: readonly Column[],
  { plan, repo }: { readonly plan: string; readonly repo: string | undefined },
): string | null {
  const [selected, setSelected] = useState<string | null>(null)
  const navigate = useNavigate()
  const hasTasks = columns.some(({ tasks }) => tasks.length > 0)
  const moves = STEPS.flatMap(({ key, arrow, step, label }) => {
    const run = (): void => setSelected(moveSelection(columns, selected, step))
    // The arrows scroll; they also select once something is selected.
    const isFor = (target: EventTarget | null): boolean => selected !== null && !isOfChoices(target)
    return [
      { keys: key, label, run },
      { keys: arrow, label, run, isFor, isHidden: true },
    ]
  })
  const open = (): void => {
    if (selected === null) return
    void navigate({ to: '/p/$plan/t/$task', params: { plan, task: selected }, search: searchFor(repo) })
  }
  useKeys(
    'Tasks',
    hasTasks
      ? [
          ...moves,
          {
            keys: 'Enter',
            label: 'Open the selected task',
            run: open,
            isFor: (target) => selected !== null && isNowhere(target),
          },
          { keys: 'Escape', label: 'Select none', run: () => setSelected(null) },
        ]
      : [],
  )
  return selected
}

export const searchFor = (repo: string | undefined): { repo?: string } => (repo === undefined ? {} : { repo })

/** Arrows move within tabs and choices. */
const isOfChoices = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role=tablist], [role=radiogroup]') !== null

/** Enter on a link or button is that link's or button's. */
const isNowhere = (target: EventTarget | null): boolean =>
  !(target instanceof Element) || target.closest('a, button') === null
