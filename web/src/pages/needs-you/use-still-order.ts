/** Holds the order of the list while an item is open or the pointer is over it. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Need } from '../../shell/needs-you.ts'
import { countOutOfOrder, rowsOf, stillOrder, type StillRow } from './still-order.ts'

export interface StillList {
  readonly rows: readonly StillRow[]
  /** How many would stand higher in order of urgency. */
  readonly later: number
  /** Shows them by urgency, on the person's demand. */
  readonly sort: () => void
  readonly setPointer: (isInside: boolean) => void
}

/** `opened`: the item that is open. One that this person answered holds nothing any more. */
export function useStillOrder(
  needs: readonly Need[],
  opened: string | null,
  wasOwn: (key: string) => boolean,
): StillList {
  const before = useRef<{ readonly rows: readonly StillRow[]; readonly sorted: number }>({
    rows: [],
    sorted: 0,
  })
  const [isPointerInside, setPointer] = useState(false)
  const [sorted, setSorted] = useState(0)
  const rows = useMemo(() => {
    const { current } = before
    const next = stillOrder(current.rows, needs)
    const isAnswered = next.some(({ need, isGone }) => isGone && wasOwn(need.key))
    const isStill = (opened !== null || isPointerInside) && current.sorted === sorted && !isAnswered
    return isStill ? next : rowsOf(needs)
  }, [needs, opened, isPointerInside, sorted, wasOwn])
  useEffect(() => {
    before.current = { rows, sorted }
  }, [rows, sorted])
  return {
    rows,
    later: countOutOfOrder(rows, needs),
    sort: useCallback(() => setSorted((count) => count + 1), []),
    setPointer,
  }
}
