/** Long lists are drawn in steps: a thousand rows at once make every change of the page slow. */
import { useState } from 'react'

export interface Steps {
  /** How many rows are drawn. */
  readonly shown: number
  /** How many the next step adds; 0 where all are drawn. */
  readonly more: number
  readonly showMore: () => void
}

/** `least` rows are drawn in any case, such as up to the one that is selected. */
export function useSteps(total: number, step: number, least = 0): Steps {
  const [limit, setLimit] = useState(step)
  const shown = Math.min(total, Math.max(limit, Math.ceil(least / step) * step))
  return { shown, more: Math.min(step, total - shown), showMore: () => setLimit(shown + step) }
}
