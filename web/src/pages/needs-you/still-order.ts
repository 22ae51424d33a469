/** The order of the list on the screen: it stays while a person is at it, so that nothing moves under the pointer. Pure. */
import type { Need } from '../../shell/needs-you.ts'

export interface StillRow {
  readonly need: Need
  /** It needs no answer any more; its place is kept. */
  readonly isGone: boolean
}

/** What was shown stays in its place; what is new comes last, in its own order. */
export function stillOrder(before: readonly StillRow[], now: readonly Need[]): readonly StillRow[] {
  const known = new Set(before.map(({ need }) => need.key))
  const latest = new Map(now.map((need) => [need.key, need]))
  return [
    ...before.map(({ need }) => {
      const same = latest.get(need.key)
      return { need: same ?? need, isGone: same === undefined }
    }),
    ...rowsOf(now.filter(({ key }) => !known.has(key))),
  ]
}

export const rowsOf = (needs: readonly Need[]): readonly StillRow[] =>
  needs.map((need) => ({ need, isGone: false }))

/** How many stand below something less urgent. */
export function countOutOfOrder(rows: readonly StillRow[], now: readonly Need[]): number {
  const rank = new Map(now.map(({ key }, at) => [key, at]))
  let least = -1
  let count = 0
  for (const { need, isGone } of rows) {
    const at = rank.get(need.key)
    if (isGone || at === undefined) continue
    if (at < least) count += 1
    least = Math.max(least, at)
  }
  return count
}
