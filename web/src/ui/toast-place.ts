/** Where a notice stands so that it covers nothing that can be clicked. Pure: boxes come in. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export interface NoticeFacts {
  readonly notice: { readonly left: number; readonly right: number; readonly height: number }
  /** Everything on the screen that can be clicked or typed into. */
  readonly actions: readonly Box[]
  /** Of the window. */
  readonly height: number
  /** The least distance from the lower edge. */
  readonly least: number
  /** Where it stands; null before it was placed. It stays there while it covers nothing. */
  readonly current: number | null
}

/** Between a notice and what it must not cover. */
const GAP = 8

/**
 * How far above the lower edge of the window it stands: the least distance at which it covers no action; where every place
 * covers one, the place that covers least.
 */
export function insetOf({ notice, actions, height, least, current }: NoticeFacts): number {
  const near = actions.filter(({ left, right }) => left < notice.right + GAP && right > notice.left - GAP)
  const covers = (inset: number): number => {
    const end = height - inset
    return near.reduce((sum, box) => sum + sharedHeight(box, end - notice.height, end), 0)
  }
  const isWithin = (inset: number): boolean => inset >= least && inset + notice.height + GAP <= height
  if (current !== null && isWithin(current) && covers(current) === 0) return current
  const insets = [least, ...near.map(({ top }) => Math.ceil(height - top + GAP))]
    .filter(isWithin)
    .toSorted((a, b) => a - b)
  const free = insets.find((inset) => covers(inset) === 0)
  if (free !== undefined) return free
  return insets.reduce((best, inset) => (covers(inset) < covers(best) ? inset : best), least)
}

const sharedHeight = ({ top, bottom }: Box, from: number, to: number): number =>
  Math.max(0, Math.min(bottom + GAP, to) - Math.max(top - GAP, from))
