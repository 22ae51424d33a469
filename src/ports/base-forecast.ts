/** How far the base branch has moved, and whether the plan's work would conflict with it. */
export interface BaseForecast {
  /** Its short name. */
  readonly branch: string
  readonly kind: 'unmoved' | 'clean' | 'conflicts' | 'base_gone' | 'unrelated'
  /** New commits since the start. */
  readonly behind: number
  /** Files that would conflict. */
  readonly conflicts: readonly string[]
}
